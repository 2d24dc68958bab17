import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as checkers from "../../src/protocol/checkers.ts";
import * as query from "../../src/protocol/query.ts";
import * as wire from "../../src/protocol/worker.ts";

const PREFIX = "skepticalTriage/";
/** Files that hold messages, and what they export at run time. */
const FILES = { worker: wire, query, checkers } as const;

const methods = Object.entries(FILES).flatMap(([file, exported]) => {
  const source = readFileSync(path.resolve(import.meta.dirname, `../../src/protocol/${file}.ts`), "utf8").split("\n");
  return Object.entries(exported).flatMap(([name, value]) =>
    typeof value === "string" ? [{ name, method: value, source }] : [],
  );
});

test("each method is the name of its constant behind the product's prefix, so no two messages share one", () => {
  assert.ok(methods.length > 12);
  assert.deepEqual(
    methods.filter(({ name, method }) => method !== `${PREFIX}${name}`),
    [],
  );
  assert.equal(new Set(methods.map(({ method }) => method)).size, methods.length);
});

for (const { name, source } of methods) {
  test(`${name} says right above its constant who sends it (style 10)`, () => {
    const at = source.findIndex((line) => line.startsWith(`export const ${name} =`));
    let first = at - 1;
    while (first > 0 && !(source[first] ?? "").startsWith("/**")) first -= 1;
    const comment = source.slice(first, at).join(" ");
    assert.match(comment, /^\/\*\*.*(Client -> worker|Worker -> client).*\*\/\s*$/i);
  });
}
