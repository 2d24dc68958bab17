import * as fc from "fast-check";

/** One member of a document, picked by number, that is taken out or replaced. */
export interface JsonEdit {
  readonly pick: number;
  readonly remove: boolean;
  readonly value: unknown;
}

/** Any JSON value that could stand where another one is expected. */
const WRONG = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    0,
    -1,
    1e308,
    1.5,
    "",
    " ",
    "\u0000",
    "constructor",
    "__proto__",
    true,
    [],
    {},
    [null],
    [[]],
    { text: 5 },
  ),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** One edit, or several up to a count. */
export function jsonEdits(most: number): fc.Arbitrary<JsonEdit[]> {
  return fc.array(fc.record<JsonEdit>({ pick: fc.nat(), remove: fc.boolean(), value: WRONG }), {
    minLength: 1,
    maxLength: most,
  });
}

/** All places in a JSON document: who holds the value, and under which name. */
function places(value: unknown, found: [holder: object, name: string][] = []): [holder: object, name: string][] {
  if (typeof value !== "object" || value === null) return found;
  for (const [name, member] of Object.entries(value)) {
    found.push([value, name]);
    places(member, found);
  }
  return found;
}

/** Makes the edits in the document itself, one after the other. */
export function editJson(root: object, edits: readonly JsonEdit[]): void {
  for (const { pick, remove, value } of edits) {
    const all = places(root);
    const place = all[pick % Math.max(1, all.length)];
    if (place === undefined) return;
    if (remove && !Array.isArray(place[0])) Reflect.deleteProperty(place[0], place[1]);
    else
      Reflect.defineProperty(place[0], place[1], {
        value: structuredClone(value),
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
}
