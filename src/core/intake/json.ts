/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object; arrays and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of names and positions; undefined where any step is missing or inherited. Never throws. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const name of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, name)) return undefined;
    // Any own member of parsed JSON may be read, and a plain read is several times faster than Reflect.get.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is the border where JSON is parsed
    here = (here as Record<string | number, unknown>)[name];
  }
  return here;
}

/** The text at a path; null where there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" ? found : null;
}

/** The text at a path; null where there is none or only white space. */
export function filledAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = textAt(value, ...path);
  return found === null || found.trim() === "" ? null : found;
}

/** The whole number at a path; null where there is none. */
export function wholeAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) ? found : null;
}

/** The list at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found: unknown = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The object at a path; empty where there is none. */
export function objectAt(value: unknown, ...path: readonly (string | number)[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

/** The start of a value that was not understood, without walking a deep or large one as JSON.stringify would. */
export function shortValue(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return value === null ? "null" : "";
  return Object.entries(value)
    .slice(0, 8)
    .map(([name, member]) => `${name}: ${typeof member === "object" && member !== null ? "…" : String(member)}`)
    .join(", ");
}

/** One more step of a JSON pointer (RFC 6901). */
export function step(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
