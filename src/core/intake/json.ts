/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object; arrays and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of names and positions; undefined where any step is missing or inherited. Never throws. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    // Any own member of parsed JSON may be read, and a plain read is several times faster than Reflect.get.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is the border where JSON is parsed
    here = (here as Record<string | number, unknown>)[step];
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
