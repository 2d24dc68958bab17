import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { createPlacer } from "../../src/core/place.ts";
import { type CitedPath, createMapping, isInside, type SourceRoots, suggestRoots } from "../../src/core/sourceRoots.ts";
import { at, claim } from "../support/claims.ts";
import { createMemoryRepository } from "../support/memoryRepository.ts";

const cited = (path: string, baseId: string | null = null, absolutePath: string | null = null): CitedPath => ({
  path,
  baseId,
  absolutePath,
});

const MAPPED: readonly [words: string, roots: SourceRoots, from: CitedPath, to: string | null][] = [
  ["a prefix is replaced", { "/home/ci/build/": "api" }, cited("/home/ci/build/src/a.ts"), "api/src/a.ts"],
  ["a slash at the end of a prefix does not matter", { "/home/ci": "" }, cited("/home/ci/a.ts"), "a.ts"],
  ["a prefix ends where a folder's name ends", { "/home/ci": "" }, cited("/home/cinema/a.ts"), null],
  ["the longest prefix wins", { srv: "a", "srv/api": "b" }, cited("srv/api/x.ts"), "b/x.ts"],
  ["Windows paths map, any case", { "C:\\Build\\": "src" }, cited("c:/build/x.ts"), "src/x.ts"],
  ["a base id maps what is relative to it", { "%ROOT%": "api" }, cited("x.ts", "ROOT"), "api/x.ts"],
  ["another base id stays", { "%ROOT%": "api" }, cited("x.ts", "OTHER"), null],
  ["a prefix comes before the base id", { "%ROOT%": "a", src: "b" }, cited("src/x.ts", "ROOT"), "b/x.ts"],
  ["the base id comes before the empty prefix", { "": "a", "%ROOT%": "b" }, cited("x.ts", "ROOT"), "b/x.ts"],
  ["the empty prefix is every relative path", { "": "api" }, cited("x.ts"), "api/x.ts"],
  ["the empty prefix is no absolute path", { "": "api" }, cited("/x.ts"), null],
  ["the path on the analysing machine counts too", { "/ci": "api" }, cited("x.ts", null, "/ci/x.ts"), "api/x.ts"],
  ["a folder outside is not used", { "/ci": "../other" }, cited("/ci/x.ts"), null],
  ["a folder that leaves later is not used", { "/ci": "api/../../other" }, cited("/ci/x.ts"), null],
  ["an absolute folder is not used", { "/ci": "/etc" }, cited("/ci/passwd"), null],
  ["a cited path cannot climb out", { "": "api" }, cited("../../x.ts"), null],
];

for (const [words, roots, from, to] of MAPPED)
  test(`source roots: ${words}`, () => {
    assert.equal(createMapping(roots)(from)?.path ?? null, to);
  });

test("a mapping leads to a folder of the workspace, written relative to it", () => {
  for (const to of ["", "api", "./api/", "a/../b", "..a"]) assert.ok(isInside(to), to);
  for (const to of ["..", "../a", "a/../../b", "a\\..\\..\\b", "/etc", "\\\\host", "C:\\x", "file:///x"])
    assert.ok(!isInside(to), to);
});

const FILES = {
  "services/api/src/index.ts": "export const api = 1;\n",
  "services/web/src/index.ts": "export const web = 1;\n",
  "services/api/src/only.ts": "export const only = 1;\n",
};

async function place(path: string, roots: SourceRoots, extra: Record<string, unknown> = {}) {
  const repo = createMemoryRepository(FILES);
  const placer = createPlacer(await repo.files(), (file) => repo.text(file), null, roots);
  return await placer.place(claim({ path, span: at(1), extra }));
}

test("a mapping gives a finding of two possible files the right one, and says so", async () => {
  const path = "/home/ci/build/src/index.ts";
  assert.equal((await place(path, {})).status, "missing-file");
  const { status, file, note, line } = await place(path, { "/home/ci/build/": "services/web" });
  assert.deepEqual({ status, file, line }, { status: "relocated", file: "services/web/src/index.ts", line: 1 });
  assert.match(note ?? "", /source root '\/home\/ci\/build\/' is mapped to 'services\/web'/);
});

test("a mapping by base id works in the placer", async () => {
  const placed = await place("src/index.ts", { "%SRCROOT%": "services/api" }, { baseId: "SRCROOT" });
  assert.equal(placed.file, "services/api/src/index.ts");
});

test("a mapping that leads to no file costs nothing: the path is looked for as it is cited", async () => {
  assert.equal((await place("services/api/src/only.ts", { services: "gone" })).status, "exact");
});

test("suggestions name what is replaced, what by, and how many findings get their file", () => {
  const missing = ["index.ts", "index.ts", "only.ts", "gone.ts"].map((name) => cited(`/ci/src/${name}`));
  assert.deepEqual(suggestRoots(missing, Object.keys(FILES)), [
    { from: "/ci/", to: "services/api", fixes: 3 },
    { from: "/ci/", to: "services/web", fixes: 2 },
  ]);
});

test("relative paths with a base id are suggested by their base id", () => {
  assert.deepEqual(suggestRoots([cited("src/index.ts", "SRCROOT")], Object.keys(FILES))[0], {
    from: "%SRCROOT%",
    to: "services/api",
    fixes: 1,
  });
});

test("nothing is suggested where no file has the name", () => {
  assert.deepEqual(suggestRoots([cited("/ci/other.ts")], Object.keys(FILES)), []);
});

const segment = fc.constantFrom("a", "b", "src", "index.ts", "x.ts");
const relative = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const citedPath = fc.record({
  path: fc.tuple(fc.constantFrom("", "/ci/", "../", "C:/", "build/"), relative).map((parts) => parts.join("")),
  baseId: fc.constantFrom(null, "ROOT"),
  absolutePath: fc.constantFrom(null, "/ci/a/x.ts"),
});
const roots = fc.dictionary(fc.constantFrom("", "/ci", "a", "%ROOT%"), fc.constantFrom("", "a", "src"));

test("a suggestion, applied, gives their file to exactly as many findings as it promised", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(relative, { maxLength: 8 }),
      fc.array(citedPath, { maxLength: 8 }),
      roots,
      async (files, all, before) => {
        const read = async (file: string) =>
          files.includes(file) ? { file, lines: ["text"], truncated: false } : null;
        const unplaced = async (tried: readonly CitedPath[], set: SourceRoots) => {
          const placer = createPlacer(files, read, null, set);
          const left: CitedPath[] = [];
          for (const one of tried) {
            const { path, ...extra } = one;
            if ((await placer.place(claim({ path, extra }))).file === null) left.push(one);
          }
          return left;
        };
        const missing = await unplaced(all, before);
        for (const { from, to, fixes } of suggestRoots(missing, files, before)) {
          const left = await unplaced(missing, { ...before, [from]: to });
          assert.equal(missing.length - left.length, fixes);
        }
      },
    ),
  );
});
