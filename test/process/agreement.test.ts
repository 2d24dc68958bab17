import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import * as z from "zod";
import * as query from "../../src/protocol/query.ts";
import * as wire from "../../src/protocol/worker.ts";
import { CLI, copyDemo, ROOT, startWorker } from "../support/workerProcess.ts";

const SAMPLES = path.join(ROOT, "test/fixtures/samples");
const Row = z.object({
  key: z.string(),
  file: z.string().nullable(),
  line: z.number().nullable(),
  severity: z.string(),
  place: z.string(),
  status: z.string(),
});

test("the command line and the editor read the same findings from every sample", { timeout: 180_000 }, async () => {
  const demo = await copyDemo();
  const worker = await startWorker(demo, { settings: { reviewFiles: [] } });
  try {
    const files = ["sarif", "json", "xml", "md"].flatMap((folder) =>
      readdirSync(path.join(SAMPLES, folder)).map((name) => path.join(SAMPLES, folder, name)),
    );
    assert.equal(files.length, 40);
    for (const file of files) {
      const opened: wire.OpenReviewResult = await worker.connection.sendRequest(wire.openReview, { path: file });
      const printed = spawnSync(
        process.execPath,
        [CLI, "findings", file, "--workspace", demo.root, "--format", "jsonl"],
        { encoding: "utf8", env: { ...process.env, XDG_CACHE_HOME: demo.cache } },
      );
      const rows = printed.stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => Row.parse(JSON.parse(line)));
      assert.equal(opened.keys.length, rows.length, path.basename(file));
    }
    const all: query.ListRowsResult = await worker.connection.sendRequest(query.listRows, {
      query: { ...query.SHOW_ALL, suppressed: true, dismissed: true },
      groupBy: "file",
      group: null,
      offset: 0,
      limit: 1000,
    });
    assert.equal(compare(files, all, demo.root), all.total);
  } finally {
    await worker.stop();
    await demo.remove();
  }
});

/** All samples read by one command: keys, places and severities are those of the editor, where they stand in one list too. */
function compare(files: readonly string[], shown: query.ListRowsResult, root: string): number {
  const printed = spawnSync(process.execPath, [CLI, "findings", ...files, "--workspace", root, "--format", "jsonl"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const rows = printed.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => Row.parse(JSON.parse(line)));
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (const row of shown.rows) {
    const other = byKey.get(row.key);
    assert.deepEqual(
      [row.file, row.line, row.severity, row.place, row.status],
      [other?.file ?? null, other?.line ?? null, other?.severity, other?.place, other?.status],
      row.title,
    );
  }
  return rows.length;
}
