import assert from "node:assert/strict";
import test from "node:test";
import { importsOf } from "../../../src/core/code/imports.ts";
import { declaredIn, findExport, resolveModule } from "../../../src/core/code/modules.ts";
import { createMemoryRepository } from "../../support/memoryRepository.ts";

/** Imports in short: `local<imported from specifier @lines`, `t` for types. */
function imports(file: string, text: string): string[] {
  return importsOf(file, text.split("\n")).map(
    ({ local, imported, specifier, line, endLine, typeOnly }) =>
      `${local}<${imported} ${specifier} ${line}-${endLine}${typeOnly ? " t" : ""}`,
  );
}

const line = (file: string, text: string): number | null => declaredIn(file, text.split("\n"), "X")?.line ?? null;

const IMPORTS: readonly (readonly [string, string, readonly string[]])[] = [
  ["a.ts", 'import a, { b, c as d } from "./m";', ["a<default ./m 1-1", "b<b ./m 1-1", "d<c ./m 1-1"]],
  ["a.ts", "import {\n  a,\n  type B,\n} from './m';", ["a<a ./m 1-4", "B<B ./m 1-4 t"]],
  ["a.ts", 'import * as all from "m";', ["all<* m 1-1"]],
  ["a.ts", 'import type { A } from "./m";', ["A<A ./m 1-1 t"]],
  ["a.ts", 'import type from "./m";', ["type<default ./m 1-1"]],
  ["a.ts", 'import "./m";', []],
  ["a.ts", 'const x = import("./m");\nimport.meta.url;', []],
  ["a.ts", '// import { a } from "./m";', []],
  ["a.ts", "const t = `\nimport { a } from './m';\n`;", []],
  ["a.ts", 'import a from "./a"; import { b } from "./b";', ["a<default ./a 1-1"]],
  ["a.py", "from .m import a, b as c", ["a<a .m 1-1", "c<b .m 1-1"]],
  ["a.py", "from m import (\n    a,\n    b,\n)", ["a<a m 1-4", "b<b m 1-4"]],
  ["a.py", "from m import a, \\\n    b", ["a<a m 1-2", "b<b m 1-2"]],
  ["a.py", "import os.path\nimport json as j", ["os<* os.path 1-1", "j<* json 2-2"]],
  ["a.py", "if x:\n    import y", []],
  ["a.go", 'import "fmt"', []],
];

for (const [file, text, expected] of IMPORTS) {
  test(`imports: ${JSON.stringify(text)} in ${file}`, () => {
    assert.deepEqual(imports(file, text), expected);
  });
}

const FILES = {
  "src/a.ts": "",
  "src/b.ts": "",
  "src/c/index.ts": "",
  "src/d.tsx": "",
  "src/e.ts": "",
  "src/e/index.ts": "",
  "p/x.py": "",
  "p/y/__init__.py": "",
  "p/y/z.py": "",
  "q.py": "",
  "index.ts": "",
};

const RESOLVED: readonly (readonly [string, string, string | null])[] = [
  ["src/a.ts", "./b", "src/b.ts"],
  ["src/a.ts", "./b.js", "src/b.ts"],
  ["src/a.ts", "./c", "src/c/index.ts"],
  ["src/a.ts", "./d", "src/d.tsx"],
  ["src/a.ts", "../src/b", "src/b.ts"],
  ["src/a.ts", "..", "index.ts"],
  ["src/a.ts", "../../x", null],
  ["src/a.ts", "./e", null],
  ["src/a.ts", "b", null],
  ["src/a.ts", "@/b", null],
  ["src/a.ts", "./gone", null],
  ["p/x.py", ".y", "p/y/__init__.py"],
  ["p/y/z.py", "..x", "p/x.py"],
  ["p/y/z.py", ".", "p/y/__init__.py"],
  ["p/x.py", "p.y.z", "p/y/z.py"],
  ["p/x.py", "q", "q.py"],
  ["p/x.py", "y", "p/y/__init__.py"],
  ["p/y/z.py", "z", null],
  ["q.py", "..x", null],
];

for (const [from, specifier, expected] of RESOLVED) {
  test(`modules: “${specifier}” seen from ${from} is ${expected ?? "left open"}`, async () => {
    assert.equal(await resolveModule(from, specifier, createMemoryRepository(FILES)), expected);
  });
}

const EXPORTS: readonly (readonly [string, string, number | null])[] = [
  ["export const X = 1;", "X", 1],
  ["\nexport async function X() {}", "X", 2],
  ["export function* X() {}", "X", 1],
  ["export abstract class X {}", "X", 1],
  ["export enum X { A }", "X", 1],
  ["export default class X {}", "default", 1],
  ["const X = 1;\nexport { X };", "X", 1],
  ["const X = 1;\nexport {\n  X as Y,\n};", "Y", 1],
  ["export default interface X {}", "default", null],
  ["export interface X {}", "X", null],
  ["export type X = 1;", "X", null],
  ["export declare const X: 1;", "X", null],
  ["const X = 1;\nexport type { X };", "X", null],
  ["export namespace X {}", "X", null],
  ["  export const X = 1;", "X", null],
  ["function f() {\nexport const X = 1;\n}", "X", null],
  ["export const XY = 1;", "X", null],
];

for (const [text, name, at] of EXPORTS) {
  test(`modules: ${JSON.stringify(text)} exports ${name}: ${at ?? "not found"}`, async () => {
    const place = await findExport("m.ts", name, createMemoryRepository({ "m.ts": text }));
    assert.equal(place?.line ?? null, at);
  });
}

test("modules: what is declared at the top level is found, what is inside or only written to is not", () => {
  assert.equal(line("a.ts", "\nlet X = 1;"), 2);
  assert.equal(line("a.ts", "X = 1;"), null);
  assert.equal(line("a.ts", "function f() {\nlet X = 1;\n}"), null);
  assert.equal(line("a.py", "X: int = 1"), 1);
  assert.equal(line("a.py", "X == 1"), null);
  assert.equal(line("a.py", "f(\nX=1,\n)"), null);
  assert.equal(line("a.py", "class A:\n    X = 1"), null);
});
