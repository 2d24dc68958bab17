import { UNJUDGED } from "../../src/core/judgement.ts";
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { CheckedCitation } from "../../src/core/round.ts";
import { changedRegion, type Region, regionsOf } from "../../src/core/regions.ts";
import { finding } from "../support/arbitraries.ts";
import { createMemoryRepository, type MemoryRepository, sha256 } from "../support/memoryRepository.ts";

const TEXT = Array.from({ length: 12 }, (_unused, index) => `const value${index + 1} = ${index + 1};`);
const NOTHING = { ...UNJUDGED, checks: [] };

const edit = (line: number): string => TEXT.with(line - 1, "const other = 0;").join("\n");

function cited(line: number, ok = true): CheckedCitation {
  return { file: "src/b.ts", line, endLine: line, quote: "q", ok, shown: "q", note: null };
}

/** Regions of a finding at `src/a.ts:3` and a check that cites `src/b.ts:5`, and the repository they were taken from. */
async function taken(): Promise<{ repository: MemoryRepository; regions: Region[] }> {
  const repository = createMemoryRepository({ "src/a.ts": TEXT.join("\n"), "src/b.ts": TEXT.join("\n") });
  const checks = [
    {
      check: "c",
      atom: null,
      verdict: "unknown",
      text: "t",
      citations: [cited(5), cited(6, false)],
      receipts: [],
    } as const,
  ];
  return { repository, regions: await regionsOf(finding(), { ...NOTHING, checks }, repository, sha256) };
}

test("regions: the flagged lines and every citation that resolved are kept, each once, as hashes", async () => {
  const { regions } = await taken();
  assert.deepEqual(
    regions.map(({ role, file, line }) => `${role} ${file}:${line}`),
    ["flagged src/a.ts:3", "cited src/b.ts:5"],
  );
  assert.doesNotMatch(JSON.stringify(regions), /value/);
});

test("regions: unchanged files, other indentation and moved lines keep a verdict fresh (C17)", async () => {
  const { repository, regions } = await taken();
  assert.equal(await changedRegion(regions, repository, sha256), null);
  repository.write("src/a.ts", ["", "", ...TEXT.map((line) => `\t${line}`)].join("\n"));
  assert.equal(await changedRegion(regions, repository, sha256), null);
});

test("regions: a change of the flagged or of a cited line is named; a change elsewhere is not", async () => {
  const { repository, regions } = await taken();
  repository.write("src/a.ts", edit(9));
  assert.equal(await changedRegion(regions, repository, sha256), null);
  repository.write("src/b.ts", edit(5));
  assert.equal((await changedRegion(regions, repository, sha256))?.role, "cited");
  repository.write("src/a.ts", edit(3));
  assert.equal((await changedRegion(regions, repository, sha256))?.role, "flagged");
});

test("regions: a file that is gone makes the verdict stale", async () => {
  const { regions } = await taken();
  assert.notEqual(await changedRegion(regions, createMemoryRepository({ "src/a.ts": TEXT.join("\n") }), sha256), null);
});

test("regions, property: lines put anywhere outside a region never make it stale", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 2 }), fc.array(fc.string(), { maxLength: 6 }), async (at, more) => {
      const { repository, regions } = await taken();
      repository.write("src/a.ts", [...TEXT.slice(0, at), ...more, ...TEXT.slice(at)].join("\n"));
      assert.equal(await changedRegion(regions, repository, sha256), null);
    }),
    { numRuns: 500 },
  );
});
