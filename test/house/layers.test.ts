import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { violations } from "./layers.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

function sources(): ReadonlyMap<string, string> {
  const names = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" });
  const files = names.map((name) => `src/${name.replaceAll("\\", "/")}`).filter((name) => name.endsWith(".ts"));
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
}

test("every file of src keeps to its layer, its length and its exports (design 4, rulings 28, 30)", () => {
  const files = sources();
  assert.ok(files.size > 50, "the sources were not found");
  assert.deepEqual(violations(files), []);
});

/** A file that breaks one rule, and the words of what is said about it. */
const BROKEN: readonly (readonly [what: string, file: string, source: string, said: RegExp])[] = [
  [
    "a core file that reads a file",
    "src/core/a.ts",
    'import { readFileSync } from "node:fs";',
    /core may not import node:fs/,
  ],
  [
    "a core file that imports an adapter",
    "src/core/a.ts",
    'import { b } from "../node/b.ts";',
    /core may not import src\/node\/b/,
  ],
  [
    "a core file that takes even a type of an adapter",
    "src/core/a.ts",
    'import type { B } from "../node/b.ts";',
    /src\/node\/b/,
  ],
  [
    "a core file that uses a package of the adapters",
    "src/core/a.ts",
    'import OpenAI from "openai";',
    /core may not import openai/,
  ],
  [
    "a package whose name only starts like an allowed one",
    "src/core/a.ts",
    'import * as z from "zodiac";',
    /import zodiac/,
  ],
  ["a dynamic import", "src/core/a.ts", 'const b = await import("node:os");', /core may not import node:os/],
  ["a dynamic import of a computed name", "src/core/a.ts", "const b = await import(name);", /import \(computed\)/],
  ["a required module", "src/core/a.ts", 'const fs = require("fs");', /core may not import fs/],
  ["a type taken by import()", "src/core/a.ts", 'let b: import("vscode").Uri;', /core may not import vscode/],
  ["a re-export", "src/core/a.ts", 'export { b } from "../node/b.ts";\nexport const a = 1;', /src\/node\/b/],
  [
    "an import over several lines",
    "src/core/a.ts",
    'import {\n  one,\n  two,\n} from "node:path";',
    /a\.ts:1: core may not import node:path/,
  ],
  ["an import for its effect", "src/core/a.ts", 'import "node:process";', /core may not import node:process/],
  [
    "an import after a comment that hides nothing",
    "src/core/a.ts",
    '/* " */ const a = 1; // "\nimport "execa";',
    /a\.ts:2: .*execa/,
  ],
  ["the clock in the core", "src/core/a.ts", "export const a = Date.now();", /core may not use Date\.now/],
  ["a date of today in the core", "src/core/a.ts", "export const a = new Date();", /may not use Date\(\)/],
  ["randomness in the core", "src/core/a.ts", "export const a = Math.random();", /may not use Math\.random/],
  [
    "randomness inside a template",
    "src/core/a.ts",
    "export const a = `x${Math.random()}`;",
    /may not use Math\.random/,
  ],
  ["a stop-watch in the core", "src/core/a.ts", "export const a = performance.now();", /may not use performance/],
  ["the environment in the core", "src/core/a.ts", "export const a = process.env;", /may not use process/],
  ["the network in the core", "src/core/a.ts", 'export const a = fetch("x");', /may not use fetch/],
  ["a timer in the core", "src/core/a.ts", "setTimeout(() => {}, 1);", /may not use setTimeout/],
  ["the protocol with values of the core", "src/protocol/a.ts", 'import { a } from "../core/a.ts";', /only types/],
  [
    "the protocol with an inline type beside a value",
    "src/protocol/a.ts",
    'import { type A, a } from "../core/a.ts";',
    /only types/,
  ],
  [
    "the editor side with an adapter",
    "src/vscode/a.ts",
    'import { b } from "../node/b.ts";',
    /vscode may not import src\/node\/b/,
  ],
  [
    "the editor side with a program runner",
    "src/vscode/a.ts",
    'import { execa } from "execa";',
    /vscode may not import execa/,
  ],
  [
    "the editor side with a child process",
    "src/vscode/a.ts",
    'import { spawn } from "node:child_process";',
    /node:child_process/,
  ],
  ["the editor side with values of the core", "src/vscode/a.ts", 'import { a } from "../core/a.ts";', /only types/],
  [
    "an adapter that knows the editor",
    "src/node/a.ts",
    'import * as vscode from "vscode";',
    /node may not import vscode/,
  ],
  [
    "the page with the worker's messages",
    "src/browser/a.ts",
    'import type { A } from "../protocol/worker.ts";',
    /protocol\/worker/,
  ],
  [
    "the page with types of the core",
    "src/browser/a.ts",
    'import type { A } from "../core/a.ts";',
    /browser may not import src\/core/,
  ],
  [
    "an entry that imports another",
    "src/worker.ts",
    'import { main } from "./cli.ts";',
    /worker may not import src\/cli/,
  ],
  [
    "a folder that imports an entry",
    "src/node/a.ts",
    'import { main } from "../worker.ts";',
    /node may not import src\/worker/,
  ],
  [
    "a folder that reads the manifest",
    "src/node/a.ts",
    'import m from "../package.json";',
    /package\.json does not exist/,
  ],
  ["a folder without a layer", "src/util/a.ts", "export const a = 1;", /belongs to no layer/],
  ["an import without its ending", "src/core/a.ts", 'import { b } from "./b";', /imports end in \.ts/],
  ["a default export", "src/core/a.ts", "export default 1;", /default export/],
  ["a default export by another name", "src/core/a.ts", "const a = 1;\nexport { a as default };", /default export/],
  ["a file of re-exports", "src/core/a.ts", 'export * from "./b.ts";\nexport { c } from "./b.ts";', /only re-exports/],
  [
    "a file of re-exports by way of an import",
    "src/core/a.ts",
    'import { b } from "./b.ts";\nexport { b };',
    /only re-exports/,
  ],
  ["a file of 251 lines", "src/core/a.ts", "export const a = 1;\n".repeat(251), /251 lines of code/],
  [
    "two files that need each other",
    "src/core/a.ts",
    'import type { B } from "./loop.ts";',
    /cycle: (\S+) -> \S+ -> \1$/,
  ],
];

/** What the broken files import. */
const AROUND: readonly (readonly [string, string])[] = [
  ["src/core/b.ts", "export const b = 1;"],
  ["src/core/loop.ts", 'import type { A } from "./a.ts";\nexport type B = A;'],
  ["src/node/b.ts", "export const b = 1;"],
  ["src/protocol/worker.ts", "export type A = 1;"],
  ["src/protocol/panel.ts", "export type P = 1;"],
  ["src/cli.ts", "export const main = 1;"],
  ["src/worker.ts", "export const main = 1;"],
];

for (const [what, file, source, said] of BROKEN) {
  test(`the layer test sees ${what}`, () => {
    const files = new Map([...AROUND, ["src/core/a.ts", "export const a = 1;"], [file, source]]);
    // Only where it is meant to be broken: another file may import what is no longer there.
    const found = violations(files).filter((text) => text.includes(file));
    assert.match(found.join("\n"), said);
  });
}

/** Files that keep the rules, however much they look like breaking one. */
const SOUND: readonly (readonly [what: string, file: string, source: string])[] = [
  ["a rule named in a comment", "src/core/a.ts", "// never Date.now()\n/* import 'vscode' */\nexport const a = 1;"],
  ["a rule named in text", "src/core/a.ts", "export const a = \"Date.now()\" + 'process.env' + `fetch(x)`;"],
  ["an import shown in a template", "src/core/a.ts", 'export const a = `\nimport fs from "node:fs";\n`;'],
  ["a slash in a regular expression", "src/core/a.ts", 'export const a = /["\'`/]/.test("x") && /\\//.test("y");'],
  ["division beside text", "src/core/a.ts", 'export const a = (4 / 2) / 1 + "Math.random()".length / 2;'],
  ["a date made of given numbers", "src/core/a.ts", "export const a = new Date(0).toISOString();"],
  ["a member named like the clock's", "src/core/a.ts", "export const a = (step: X) => step.process.fetch(1);"],
  [
    "a type of the core in the protocol",
    "src/protocol/a.ts",
    'import { type B } from "../core/b.ts";\nexport type C = B;',
  ],
  [
    "the panel's types in the page",
    "src/browser/a.ts",
    'import type { P } from "../protocol/panel.ts";\nexport type Q = P;',
  ],
  ["a package's own folder", "src/browser/a.ts", 'import { html } from "lit/html.js";\nexport const a = html;'],
  [
    "the manifest in an entry",
    "src/cli.ts",
    'import manifest from "../package.json" with { type: "json" };\nmanifest.name;',
  ],
  ["a nested template", "src/core/a.ts", "export const a = `${[1].map((n) => `${{ n }.n}`).join()}` + 1;"],
  ["250 lines and as many comments", "src/core/a.ts", "export const a = 1;\n// why\n\n".repeat(250)],
];

for (const [what, file, source] of SOUND) {
  test(`the layer test lets ${what} pass`, () => {
    const files = new Map([...AROUND.filter(([name]) => name !== "src/core/loop.ts"), [file, source]]);
    assert.deepEqual(violations(files), []);
  });
}
