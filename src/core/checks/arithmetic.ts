/** Sums of products, by descent; takes what it understands from the front. */
export function sum(rest: (number | string)[]): number | null {
  let value = product(rest);
  while (value !== null && (rest[0] === "+" || rest[0] === "-")) {
    const sign = rest.shift() === "+" ? 1 : -1;
    const next = product(rest);
    value = next === null ? null : value + sign * next;
  }
  return value;
}

function product(rest: (number | string)[]): number | null {
  let value = factor(rest);
  while (value !== null && (rest[0] === "*" || rest[0] === "/")) {
    const times = rest.shift() === "*";
    const next = factor(rest);
    value = next === null || (!times && next === 0) ? null : times ? value * next : value / next;
  }
  return value;
}

function factor(rest: (number | string)[]): number | null {
  const first = rest.shift();
  if (typeof first === "number") return first;
  if (first === "-") {
    const value = factor(rest);
    return value === null ? null : -value;
  }
  if (first !== "(") return null;
  const value = sum(rest);
  return rest.shift() === ")" ? value : null;
}

const UNITS: readonly (readonly [string, RegExp])[] = [
  ["ns", /^(?:ns|nanos(?:econds?)?)$/],
  ["us", /^(?:us|micros(?:econds?)?)$/],
  ["ms", /^(?:ms|msecs?|millis(?:econds?)?)$/],
  ["s", /^(?:s|secs?|seconds?)$/],
  ["min", /^(?:mins?|minutes?)$/],
  ["h", /^(?:h|hrs?|hours?)$/],
  ["d", /^(?:d|days?)$/],
  ["B", /^(?:bytes?|b)$/],
  ["kB", /^(?:kb|kib|kilobytes?)$/],
  ["MB", /^(?:mb|mib|megabytes?)$/],
  ["GB", /^(?:gb|gib|gigabytes?)$/],
];

/** The unit that the last word of a name gives (`timeoutMs`, `LIMIT_KB`), short; null where none does. */
export function unitOf(name: string): string | null {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_$]+/);
  const last = words.at(-1) ?? "";
  return UNITS.find(([, pattern]) => pattern.test(last))?.[0] ?? null;
}
