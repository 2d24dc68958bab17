import assert from "node:assert/strict";
import test from "node:test";
import { collectFindings } from "../support/collect.ts";
import type { Claimed, ReviewReading } from "../../src/core/finding.ts";
import { readReview } from "../../src/core/intake/readReview.ts";
import { at, claim } from "../support/claims.ts";
import { createMemoryRepository, sha256 } from "../support/memoryRepository.ts";
import { readSample } from "../support/samples.ts";

const FILES = { "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "one\ntwo\n", "package-lock.json": "{}\n" };
const reading = (claimed: Claimed[], more: Partial<ReviewReading> = {}): ReviewReading => ({
  format: "sarif",
  claimed,
  unread: [],
  revision: null,
  ...more,
});
const collect = (...readings: ReviewReading[]) =>
  collectFindings(
    readings.map((each, index) => ({ path: `review-${index}.sarif`, reading: each })),
    createMemoryRepository(FILES, { head: "0123456789abcdef0123456789abcdef01234567" }),
    sha256,
  );

test("a claim becomes a finding that keeps all its source said, its source and its cited path", async () => {
  const given = claim({ path: "a.ts", span: at(2), fix: "do", related: [{ path: "b.ts", span: at(1), message: "x" }] });
  const { findings } = await collect(reading([given]));
  const { path: _path, span: _span, pointer, ...kept } = given;
  const [found] = findings;
  assert.deepEqual(found, {
    ...kept,
    key: found?.key,
    place: found?.place,
    citedPath: "a.ts",
    hard: null,
    cluster: null,
    gate: null,
    source: { path: "review-0.sarif", pointer },
  });
  assert.deepEqual([found?.place.file, found?.place.status], ["src/a.ts", "relocated"]);
});

test("findings keep the order of their sources although files are opened in turn", async () => {
  const order = [
    claim({ path: "src/b.ts", span: at(1), message: "1" }),
    claim({ path: "src/a.ts", span: at(1), message: "2" }),
    claim({ path: "src/b.ts", span: at(2), message: "3" }),
  ];
  const { findings } = await collect(reading(order), reading([claim({ path: "src/a.ts", message: "4" })]));
  assert.deepEqual(
    findings.map(({ message }) => message),
    ["1", "2", "3", "4"],
  );
});

const soft = (name: string): Claimed =>
  claim({ path: "src/a.ts", span: at(1), rule: "unused", message: `\`${name}\` is unused` });

test("ruling 7: a hard finding passes neither gate nor cluster; an equal soft pair clusters", async () => {
  const cve = { path: "package-lock.json", span: at(1), tool: "trivy", rule: "CVE-2019-1549", message: "openssl" };
  const { findings } = await collect(reading([claim(cve), claim(cve), soft("x"), soft("y")]));
  assert.deepEqual(
    findings.map(({ hard }) => hard),
    ["vulnerable-dependency", "vulnerable-dependency", null, null],
  );
  assert.deepEqual(
    findings.map(({ cluster }) => cluster === null),
    [true, true, false, false],
  );
  assert.equal(findings[2]?.cluster, findings[3]?.cluster);
});

test("C3, ruling 2: the gate records its downgrade and leaves the severity as ingested", async () => {
  const vague = claim({ prose: true, path: "src/a.ts", message: "The cache may not hold." });
  const { findings } = await collect(reading([vague]));
  assert.equal(findings[0]?.severity, "P1");
  assert.deepEqual(findings[0]?.gate, { from: "P1", to: "Nit", reason: "hedge_without_evidence" });
});

test("C17: one defect found at another line and path spelling keeps its key, over two ingests", async () => {
  const first = await collect(reading([claim({ path: "src/a.ts", span: at(1), message: "leak at src/a.ts:1" })]));
  const second = await collect(reading([claim({ path: "a.ts", span: at(3), message: "leak at src/a.ts:3" })]));
  assert.equal(first.findings[0]?.key, second.findings[0]?.key);
});

test("C17: keys are unique over all reviews of one ingest", async () => {
  const same = claim({ path: "src/a.ts", span: at(1) });
  const { findings } = await collect(reading([same, same]), reading([same]));
  assert.equal(new Set(findings.map(({ key }) => key)).size, 3);
});

test("ruling 8: the tree is this one where most cited files resolve, or where the revision is HEAD", async () => {
  const here = reading([claim({ path: "src/a.ts" }), claim({ path: "src/b.ts" }), claim({ path: "gone.ts" })]);
  const elsewhere = reading([claim({ path: "src/a.ts" }), claim({ path: "gone.ts" }), claim({ path: "lost.ts" })]);
  assert.equal((await collect(here)).treeMatches, true);
  assert.equal((await collect(elsewhere)).treeMatches, false);
  assert.equal((await collect({ ...elsewhere, revision: "0123456" })).treeMatches, true);
  const both = await collect(here, elsewhere);
  assert.deepEqual([both.treeMatches, both.matchingReviews], [false, ["review-0.sarif"]]);
});

test("ruling 8: without any cited file nothing is shown about the tree", async () => {
  assert.equal((await collect(reading([claim()]))).treeMatches, false);
  assert.equal((await collect(reading([claim({ path: "http://localhost/" })]))).treeMatches, false);
});

test("C20: what was not read comes along", async () => {
  const review = readReview("- [CRITICAL] x", "r.md");
  assert.deepEqual((await collect(review)).unread, review.unread);
});

test("the issue's markdown sample: a table path without its prefix is relocated only where that is unique", async () => {
  const review = readSample("md/hex-govulncheck-table.md");
  const lines = "x\n".repeat(500);
  const repo = createMemoryRepository({
    "internal/templates/loader.go": lines,
    "internal/core/stream.go": lines,
    "old/core/stream.go": lines,
  });
  const { findings } = await collectFindings([{ path: "r.md", reading: review }], repo, sha256);
  const byId = new Map(findings.map((found) => [found.sourceId, found.place]));
  assert.deepEqual(
    [byId.get("GO-2025-4013")?.status, byId.get("GO-2025-4013")?.file],
    ["relocated", "internal/templates/loader.go"],
  );
  // The detail section of this one names the whole path.
  assert.equal(byId.get("GO-2025-4012")?.status, "exact");
  assert.equal(byId.get("GO-2025-4008")?.status, "missing-file");
  assert.match(byId.get("GO-2025-4008")?.note ?? "", /internal\/core\/stream\.go, old\/core\/stream\.go/);
});

test("cancelling stops placing with the signal's reason", async () => {
  const reason = new Error("stopped");
  const given = [{ path: "r", reading: reading([claim({ path: "src/a.ts" })]) }];
  await assert.rejects(
    collectFindings(given, createMemoryRepository(FILES), sha256, { signal: AbortSignal.abort(reason) }),
    reason,
  );
});
