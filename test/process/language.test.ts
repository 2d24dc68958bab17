import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { AskLanguageParams } from "../../src/protocol/language.ts";
import type { PanelState } from "../../src/protocol/panel.ts";
import { copyDemo, type DemoCopy, startWorker, type WorkerHandle, type WorkerStart } from "../support/workerProcess.ts";

const UNUSED = "is unused";

/** The demo with a function that is used through a path alias only, and a review that calls it unused. */
async function withAlias(start: WorkerStart, work: (worker: WorkerHandle, demo: DemoCopy) => Promise<void>) {
  const demo = await copyDemo();
  const write = async (name: string, text: string): Promise<void> => await writeFile(path.join(demo.root, name), text);
  await write("src/labelName.ts", "export function labelName(id: number): string {\n  return `label-${id}`;\n}\n");
  await write(
    "src/print.ts",
    'import { labelName } from "@/labelName.ts";\nexport const first = () => labelName(1);\n',
  );
  await write(
    "reviews/dead.md",
    "| Location | Severity | Description |\n|---|---|---|\n| src/labelName.ts:1 | P2 | `labelName` is unused. |\n| src/labelName.ts:2 | P2 | `id` is not defined. |\n",
  );
  const worker = await startWorker(demo, start);
  try {
    await work(worker, demo);
  } finally {
    await worker.stop();
    await demo.remove();
  }
}

async function triaged(worker: WorkerHandle, title = UNUSED): Promise<PanelState> {
  const { key } = await worker.row(title);
  const { finished } = await worker.triage({ kind: "keys", keys: [key] });
  assert.deepEqual([finished.done, finished.failed], [1, 0]);
  return await worker.state(key);
}

const languageReceipts = (state: PanelState) => state.receipts.filter(({ verb }) => verb === "language");
const claimed = (state: PanelState) => state.checks.find(({ atom }) => atom?.claimClass === 12);

/** A client that knows one use, as the language server of TypeScript would. */
const knows =
  (asked: AskLanguageParams[]): NonNullable<WorkerStart["language"]> =>
  (params) => {
    asked.push(params);
    const use = path.join(path.dirname(params.path), "print.ts");
    const places = params.ask === "references" ? [{ path: use, line: 2, column: 27 }] : [];
    return { kind: "answered", places, texts: [], cut: false };
  };

test("what the client's language servers know settles a claim, with a receipt in the panel's state", async () => {
  const asked: AskLanguageParams[] = [];
  await withAlias({ language: knows(asked) }, async (worker, demo) => {
    const state = await triaged(worker);
    assert.equal(claimed(state)?.verdict, "refuted");
    assert.deepEqual(
      claimed(state)?.citations.map(({ file, line }) => `${file}:${line}`),
      ["src/print.ts:2"],
    );
    assert.deepEqual(asked, [
      { ask: "references", path: path.join(demo.root, "src/labelName.ts"), line: 1, column: 16, deadlineMs: 2000 },
    ]);
    const [receipt] = languageReceipts(state);
    assert.deepEqual([receipt?.argv, receipt?.by], [["references", "src/labelName.ts:1:16"], "check"]);
    assert.deepEqual(receipt?.lines, ["src/print.ts:2:27: export const first = () => labelName(1);"]);
  });
});

test("a client that does not know the message changes nothing, and leaves no receipt", async () => {
  await withAlias({}, async (worker) => {
    const state = await triaged(worker);
    assert.equal(claimed(state)?.verdict, "unknown");
    assert.deepEqual(languageReceipts(state), []);
  });
});

test("switched off, nobody is asked", async () => {
  const asked: AskLanguageParams[] = [];
  await withAlias({ language: knows(asked), settings: { languageServers: false } }, async (worker) => {
    assert.equal(claimed(await triaged(worker))?.verdict, "unknown");
    assert.deepEqual(asked, []);
  });
});

test("an untrusted folder is read like any other: servers that run anyway are asked", async () => {
  const asked: AskLanguageParams[] = [];
  await withAlias({ language: knows(asked), trusted: false }, async (worker) => {
    assert.equal(claimed(await triaged(worker))?.verdict, "refuted");
  });
});

for (const [what, reply] of [
  [
    "a place outside the workspace",
    { kind: "answered", places: [{ path: "/etc/hostname", line: 1, column: 0 }], texts: [], cut: false },
  ],
  ["what does not fit", { kind: "answered", places: "all" }],
  ["that it is not ready", { kind: "unknown", why: "starting" }],
] as const) {
  test(`a client that answers with ${what} settles nothing`, async () => {
    await withAlias({ language: () => reply }, async (worker) => {
      const state = await triaged(worker);
      assert.equal(claimed(state)?.verdict, "unknown");
      assert.ok(languageReceipts(state).length > 0);
      assert.ok(!JSON.stringify(state).includes("/etc/hostname"));
    });
  });
}

test("callers are asked for the flagged function, for the pack of any finding", async () => {
  const asked: AskLanguageParams[] = [];
  await withAlias({ language: knows(asked) }, async (worker) => {
    const state = await triaged(worker, "For page 0");
    assert.deepEqual(asked.map(({ ask, path: file, line }) => `${ask} ${path.basename(file)}:${line}`).slice(0, 2), [
      "incomingCalls store.ts:21",
      "references store.ts:21",
    ]);
    assert.ok(languageReceipts(state).every(({ by }) => by === "pack"));
  });
});

test("our own hover stays out of what the language servers are asked for: it tells what others think", async () => {
  const hovers: unknown[] = [];
  let worker: WorkerHandle | null = null;
  const hover = async (file: string, line: number): Promise<unknown> =>
    await worker?.connection.sendRequest("textDocument/hover", {
      textDocument: { uri: pathToFileURL(file).href },
      position: { line: line - 1, character: 4 },
    });
  const language: NonNullable<WorkerStart["language"]> = async (params) => {
    if (params.ask === "hover") hovers.push(await hover(params.path, params.line));
    const places = params.ask === "definition" ? [{ path: params.path, line: 1, column: 26 }] : [];
    return { kind: "answered", places, texts: [], cut: false };
  };
  await withAlias({ language }, async (started, demo) => {
    worker = started;
    const state = await triaged(started, "is not defined");
    assert.equal(state.checks.find(({ atom }) => atom?.claimClass === 11)?.verdict, "refuted");
    assert.deepEqual(hovers, [null]);
    assert.match(JSON.stringify(await hover(path.join(demo.root, "src/labelName.ts"), 2)), /not defined/);
  });
});

/** A client that knows the message and never answers it; counts how often it was told to stop. */
function silent() {
  const seen = { asked: 0, cancelled: 0 };
  const language: NonNullable<WorkerStart["language"]> = async (_params, token) => {
    seen.asked += 1;
    return await new Promise(() => token.onCancellationRequested(() => (seen.cancelled += 1)));
  };
  return { seen, language };
}

test(
  "a client that never answers holds one triage up for seconds, and no other after it",
  { timeout: 60_000 },
  async () => {
    const { seen, language } = silent();
    await withAlias({ language }, async (worker) => {
      const start = performance.now();
      assert.equal(claimed(await triaged(worker))?.verdict, "unknown");
      const first = performance.now();
      assert.ok(first - start < 15_000, `${first - start} ms`);
      await triaged(worker, "For page 0");
      assert.ok(performance.now() - first < 4000);
      assert.deepEqual(seen, { asked: 2, cancelled: 2 });
    });
  },
);

test(
  "a cancel ends a triage that waits for the client at once, and the client is told",
  { timeout: 20_000 },
  async () => {
    const { seen, language } = silent();
    await withAlias({ language }, async (worker) => {
      const { key } = await worker.row(UNUSED);
      const run = worker.triage({ kind: "keys", keys: [key] });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const asked = performance.now();
      await worker.connection.sendRequest("skepticalTriage/cancelTriage", { keys: [key] });
      assert.ok(performance.now() - asked < 1500);
      assert.equal((await run).finished.cancelled, 1);
      assert.deepEqual(seen, { asked: 1, cancelled: 1 });
    });
  },
);
