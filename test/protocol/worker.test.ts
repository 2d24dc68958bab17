import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as wire from "../../src/protocol/worker.ts";

const methods: readonly (readonly [name: string, method: string])[] = Object.entries(wire);
const source = readFileSync(path.resolve(import.meta.dirname, "../../src/protocol/worker.ts"), "utf8").split("\n");

test("each method is the name of its constant behind the product's prefix, so no two messages share one", () => {
  assert.ok(methods.length > 10);
  assert.deepEqual(
    methods.filter(([name, method]) => method !== `skepticalTriage/${name}`),
    [],
  );
});

for (const [name] of methods) {
  test(`${name} says right above its constant who sends it (style 10)`, () => {
    const at = source.findIndex((line) => line.startsWith(`export const ${name} =`));
    let first = at - 1;
    while (first > 0 && !(source[first] ?? "").startsWith("/**")) first -= 1;
    const comment = source.slice(first, at).join(" ");
    assert.match(comment, /^\/\*\*.*(Client -> worker|Worker -> client).*\*\/\s*$/i);
  });
}
