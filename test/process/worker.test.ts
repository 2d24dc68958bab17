import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { readLog, verifyLog } from "../../src/node/log/readLog.ts";
import * as wire from "../../src/protocol/worker.ts";
import { DISMISSES, rounds } from "../support/personas.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";
import { copyDemo, type DemoCopy, startWorker, type WorkerHandle, WORKER } from "../support/workerProcess.ts";

const IMPORT = "is not imported";
const QUANTITY = "A negative quantity";
const PATH = "reaches readFile()";

async function inDemo(
  work: (demo: DemoCopy, open: (start?: Parameters<typeof startWorker>[1]) => Promise<WorkerHandle>) => Promise<void>,
) {
  const demo = await copyDemo();
  const opened: WorkerHandle[] = [];
  try {
    await work(demo, async (start) => {
      const worker = await startWorker(demo, start);
      opened.push(worker);
      return worker;
    });
  } finally {
    for (const worker of opened) await worker.stop();
    await demo.remove();
  }
}

const logOf = (demo: DemoCopy) => path.join(demo.root, ".skeptical-triage", "triage-log.jsonl");

test("the worker finds the demo's review files and lists their eight findings", async () => {
  await inDemo(async (_demo, open) => {
    const worker = await open();
    const { rows, total, unread } = await worker.list();
    assert.equal(total, 8);
    assert.deepEqual(unread, []);
    assert.deepEqual(rows.map(({ severity, file }) => `${severity} ${file}`).sort(), [
      "P0 src/checkout.ts",
      "P1 src/checkout.ts",
      "P1 src/config.ts",
      "P1 src/courier.ts",
      "P1 src/labels.ts",
      "P1 src/routes.ts",
      "P1 src/store.ts",
      "P1 src/store.ts",
    ]);
    const wrongLine = rows.find(({ title }) => title.startsWith("For page 0"));
    assert.deepEqual([wrongLine?.line, wrongLine?.place], [22, "relocated"]);
    assert.equal(rows.filter(({ clusterSize }) => clusterSize === 2).length, 2, "the duplicate is one cluster (C18)");
    assert.equal(rows.filter(({ hard }) => hard).length, 1);
  });
});

test("R0.2, ruling 1: a check refutes the P1 about a missing import, and only a person closes it", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const { key } = await worker.row(IMPORT);
    const { result, finished } = await worker.triage({ kind: "keys", keys: [key] });
    assert.deepEqual([result.queued, finished.done], [[key], 1]);
    const proposed = await worker.state(key);
    assert.equal(proposed.state, "proposed");
    assert.equal(proposed.outcome?.settledAs, "refuted");
    assert.equal(proposed.outcome?.authorization, "human-required");
    assert.equal(proposed.cost.calls, 0);
    assert.deepEqual(
      proposed.checks
        .flatMap(({ citations }) => citations.map(({ file, line, ok }) => `${file}:${line} ${ok}`))
        .filter((cited) => !cited.startsWith("src/routes.ts:30")),
      ["src/routes.ts:4 true", "src/money.ts:5 true"],
    );
    const before = await worker.list();
    assert.equal(before.waiting, 1);
    const without = await worker.decide({ key, decision: "dismiss", prompt: "Dismiss?" });
    assert.equal(without.kind, "refused", "a dismissal needs a reason");
    const settled = await worker.decide({
      key,
      decision: "dismiss",
      reason: "The import stands in line 4.",
      prompt: "Dismiss this P1?",
    });
    assert.deepEqual(settled, { kind: "settled" });
    const { records } = await readLog(logOf(demo));
    assert.deepEqual(
      records.map(({ record }) => record.kind),
      ["triaged", "decided"],
    );
    const decided = records[1]?.record;
    assert.ok(decided?.kind === "decided");
    assert.equal(decided.reason, "The import stands in line 4.");
    assert.equal(decided.confirmedBy, "human");
    assert.equal((await worker.list()).waiting, 0);
    const again = await worker.decide({ key, decision: "dismiss", reason: "once more", prompt: "Dismiss?" });
    assert.deepEqual(again, { kind: "refused", why: "It is decided already: reopen it first." });
  });
});

test("the evidence of the shown finding comes by itself, before any triage and without a model", async () => {
  await inDemo(async (_demo, open) => {
    const worker = await open();
    const { key } = await worker.row("is concatenated into an SQL");
    await worker.connection.sendNotification(wire.panelShows, { key });
    const { pack, rounds: given, checks } = await worker.until((state) => state.pack !== null);
    assert.deepEqual([given, checks], [[], []]);
    assert.deepEqual(
      [...new Set(pack?.pieces.map(({ file }) => file))],
      ["src/store.ts", "src/routes.ts", "src/validate.ts", "src/server.ts"],
    );
    assert.match(
      pack?.pieces.flatMap(({ text }) => text).join("\n") ?? "",
      /throw new RangeError\("unknown sort column"\)/,
    );
    assert.deepEqual(
      pack?.duties.filter(({ met }) => !met),
      [],
    );
  });
});

test("three rounds and the arbiter of a server arrive one after the other (R0.8, R0.15)", async () => {
  const server = await startScriptedServer(rounds(DISMISSES, 5));
  try {
    await inDemo(async (_demo, open) => {
      const worker = await open({ settings: { model: "server", serverUrl: server.url, serverModel: "scripted" } });
      const { key } = await worker.row(PATH);
      await worker.connection.sendNotification(wire.panelShows, { key });
      await worker.triage({ kind: "keys", keys: [key] });
      const done = await worker.until((state) => state.outcome !== null);
      assert.deepEqual(
        done.rounds.map(({ kind, n }) => `${n} ${kind}`),
        ["1 counted", "2 counted", "3 counted"],
      );
      const counts = worker.states.map((state) => state.rounds.length);
      assert.deepEqual(
        counts,
        [...counts].sort((a, b) => a - b),
        "rounds only ever arrive",
      );
      assert.ok(new Set(counts).size >= 3, `rounds were shown as they came: ${counts.join(", ")}`);
      assert.equal(done.ruling?.verdict, "INVALID");
      assert.equal(done.state, "proposed", "C4: a P1 waits for a person");
      assert.ok(
        done.receipts.some(({ by }) => by.startsWith("round-")),
        "the evidence a round asked for left a receipt",
      );
      assert.deepEqual(
        worker.consents.map(({ model }) => model),
        ["scripted"],
      );
      assert.equal(done.reviewer, `scripted at ${new URL(server.url).origin}`);
    });
  } finally {
    await server.close();
  }
});

test("nothing is sent where the person says no, and nothing in an untrusted workspace (rulings 31, 32)", async () => {
  const server = await startScriptedServer(rounds(DISMISSES));
  try {
    const settings = { model: "server", serverUrl: server.url, serverModel: "scripted" } as const;
    await inDemo(async (_demo, open) => {
      const declined = await open({ settings, consent: false });
      const { key } = await declined.row(PATH);
      const { result } = await declined.triage({ kind: "keys", keys: [key] });
      assert.deepEqual(result.queued, []);
      assert.match(result.refused[0]?.why ?? "", /did not allow/);
    });
    await inDemo(async (_demo, open) => {
      const untrusted = await open({ settings, trusted: false });
      const { key } = await untrusted.row(PATH);
      const { result } = await untrusted.triage({ kind: "keys", keys: [key] });
      assert.match(result.refused[0]?.why ?? "", /trusted/);
    });
    assert.equal(server.requests.length + server.probes.length, 0);
  } finally {
    await server.close();
  }
});

test("cancel works at once and leaves nothing running", async () => {
  const server = await startScriptedServer(() => ({ does: "stall", at: "middle" }));
  try {
    await inDemo(async (demo, open) => {
      const worker = await open({ settings: { model: "server", serverUrl: server.url, serverModel: "scripted" } });
      const { key } = await worker.row(PATH);
      await worker.connection.sendNotification(wire.panelShows, { key });
      const run = worker.triage({ kind: "keys", keys: [key] });
      await worker.until((state) => state.stage?.kind === "round");
      await server.received(0);
      await worker.connection.sendRequest(wire.cancelTriage, { keys: [key] });
      const state = await worker.state(key);
      assert.equal(state.state, "new");
      assert.match(state.notice ?? "", /Cancelled/);
      assert.equal((await run).finished.cancelled, 1);
      await Promise.all(server.requests.map(({ over }) => over));
      assert.equal(server.running(), 0);
      assert.deepEqual((await readLog(logOf(demo))).records, []);
    });
  } finally {
    await server.close();
  }
});

test("a worker that was killed comes back to the same findings, rounds and decisions", async () => {
  await inDemo(async (_demo, open) => {
    const first = await open();
    const dismissed = await first.row(IMPORT);
    const judged = await first.row(PATH);
    await first.triage({ kind: "keys", keys: [dismissed.key, judged.key] });
    await first.decide({ key: dismissed.key, decision: "dismiss", reason: "It is imported.", prompt: "Dismiss?" });
    const before = await first.state(judged.key);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    const second = await open();
    assert.equal((await second.list()).total, 8);
    assert.equal((await second.state(dismissed.key)).state, "decided");
    const after = await second.state(judged.key);
    assert.deepEqual(after.rounds, before.rounds, "the journal redraws the rounds (ruling 23)");
    assert.equal(after.outcome?.action, "needs-human");
  });
});

test(
  "killed at many moments of a triage, no record is lost and no finding vanishes",
  { timeout: 120_000 },
  async () => {
    await inDemo(async (demo, open) => {
      let known: string[] = [];
      // Later and later kills: at least 12, and as many more as this machine needs to have finished something before one.
      for (let attempt = 0; attempt < 12 || known.length === 0; attempt += 1) {
        const worker = await open({ session: `window-${attempt}` });
        const listed = await worker.list();
        assert.equal(listed.total, 8);
        const records = (await readLog(logOf(demo))).records.map(
          ({ record }) => `${record.kind} ${"key" in record ? record.key : ""} ${record.at}`,
        );
        assert.deepEqual(records.slice(0, known.length), known, "what was acknowledged stays");
        known = records;
        const keys = listed.rows.filter(({ state }) => state !== "decided").map(({ key }) => key);
        void worker.connection.sendRequest(wire.runTriage, { kind: "keys", keys }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, attempt * 17));
        worker.child.kill("SIGKILL");
        await once(worker.child, "exit");
      }
      const { problem } = await verifyLog(logOf(demo));
      assert.equal(problem, null);
    });
  },
);

test("the worker ends when its parent is killed", async () => {
  const script = `const c=require("node:child_process").fork(${JSON.stringify(WORKER)},["--node-ipc"],{stdio:["ignore","ignore","ignore","ipc"]});process.stdout.write(c.pid+"\\n");setInterval(()=>{},1000)`;
  const parent: ChildProcess = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  assert.ok(parent.stdout);
  const pid = Number(String((await once(parent.stdout, "data"))[0]));
  assert.ok(alive(pid));
  parent.kill("SIGKILL");
  await once(parent, "exit");
  for (let tries = 0; tries < 100 && alive(pid); tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(alive(pid), false);
});

test("moved lines are followed in the live text; rewritten ones turn stale and cannot be decided", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const { key } = await worker.row(IMPORT);
    await worker.triage({ kind: "keys", keys: [key] });
    const file = path.join(demo.root, "src/routes.ts");
    const uri = pathToFileURL(file).href;
    const text = await readFile(file, "utf8");
    await worker.connection.sendNotification(wire.panelShows, { key });
    await worker.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "typescript", version: 1, text },
    });
    const change = async (version: number, next: string) =>
      await worker.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text: next }],
      });
    await change(2, `// one\n// two\n${text}`);
    const moved = await worker.until((state) => state.finding.place.line === 32);
    assert.equal(moved.state, "proposed");
    await change(3, text.replace("import { formatMoney } from", "import { formatCents } from"));
    const stale = await worker.until((state) => state.state === "stale");
    assert.match(stale.staleReason ?? "", /src\/routes\.ts:4 changed/);
    const refused = await worker.decide({ key, decision: "dismiss", reason: "It is imported.", prompt: "Dismiss?" });
    assert.deepEqual(refused, { kind: "refused", why: "The code changed since: triage it again before you decide." });
    await change(4, text);
    await worker.until((state) => state.state === "proposed" && state.finding.place.line === 30);
  });
});

test("a review file that is written anew keeps what was decided; one that is deleted takes its findings along", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const { key } = await worker.row(QUANTITY);
    await worker.decide({ key, decision: "confirm", reason: "seen", prompt: "Confirm" });
    const file = path.join(demo.root, "reviews/pull-request-42.md");
    const changed = async (type: number) =>
      await worker.connection.sendNotification("workspace/didChangeWatchedFiles", {
        changes: [{ uri: pathToFileURL(file).href, type }],
      });
    const review = await readFile(file, "utf8");
    await writeFile(
      file,
      `${review}| src/money.ts:6 | INFO | quality | The sign is written by hand: observed at src/money.ts:6. | Use Intl |\n`,
    );
    await changed(2);
    const grown = await worker.list();
    assert.equal(grown.total, 9);
    assert.equal(grown.rows.find((row) => row.key === key)?.decision, "confirmed");
    await rm(file);
    await changed(3);
    assert.equal((await worker.list()).total, 3);
  });
});

test("a decision written by another window or the command line is taken over", async () => {
  await inDemo(async (demo, open) => {
    const [one, two] = [await open({ session: "a" }), await open({ session: "b" })];
    const { key } = await one.row(IMPORT);
    await one.triage({ kind: "keys", keys: [key] });
    await one.decide({ key, decision: "dismiss", reason: "It is imported.", prompt: "Dismiss?" });
    await two.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: pathToFileURL(logOf(demo)).href, type: 2 }],
    });
    assert.equal((await two.state(key)).state, "decided");
    assert.equal((await verifyLog(logOf(demo))).problem, null);
  });
});

test("diagnostics of the editor become findings at their line, and are listed once they were triaged", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const uri = pathToFileURL(path.join(demo.root, "src/money.ts")).href;
    const range = { start: { line: 6, character: 8 }, end: { line: 6, character: 13 } };
    await worker.connection.sendNotification(wire.diagnosticsChanged, {
      uri,
      diagnostics: [
        {
          range,
          severity: "warning",
          source: "eslint",
          code: "no-unused-vars",
          codeHref: null,
          message: "'whole' is assigned a value but never used.",
          tags: [],
          related: [],
        },
      ],
    } satisfies wire.DiagnosticsChangedParams);
    const { rows }: wire.FindingsAtResult = await worker.connection.sendRequest(wire.findingsAt, { uri, line: 7 });
    const [row] = rows;
    assert.deepEqual([row?.severity, row?.rule, row?.fromEditor], ["P2", "no-unused-vars", true]);
    assert.equal((await worker.list()).total, 8);
    await worker.triage({ kind: "keys", keys: [row?.key ?? ""] });
    assert.equal((await worker.list()).total, 9);
    assert.equal(
      (await worker.state(row?.key ?? "")).rounds.length,
      3,
      "C12: asked for, every severity goes to the rounds",
    );
  });
});

test("what is published already is not published again: editor and worker come to rest", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const uri = pathToFileURL(path.join(demo.root, "src/routes.ts")).href;
    const published: string[] = [];
    const toldAgain = (): Promise<void> => {
      const told = Promise.withResolvers<void>();
      worker.connection.onNotification(wire.findingsChanged, () => told.resolve());
      return told.promise;
    };
    await worker.list();
    worker.connection.onNotification("textDocument/publishDiagnostics", ({ uri: about }: { uri: string }) => {
      published.push(about);
    });
    const message = "Cannot find name 'Buffer'.";
    for (const column of [1, 2]) {
      const told = toldAgain();
      const range = { start: { line: 20, character: column }, end: { line: 20, character: 9 } };
      await worker.connection.sendNotification(wire.diagnosticsChanged, {
        uri,
        diagnostics: [
          { range, severity: "error", source: "ts", code: "2591", codeHref: null, message, tags: [], related: [] },
        ],
      } satisfies wire.DiagnosticsChangedParams);
      await told;
      await worker.list();
    }
    assert.ok(published.filter((about) => about === uri).length <= 1, published.join("\n"));
  });
});

test("lenses say the state in words, hovers the claim, diagnostics the open findings", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const published = new Map<string, number>();
    worker.connection.onNotification(
      "textDocument/publishDiagnostics",
      ({ uri, diagnostics }: { uri: string; diagnostics: unknown[] }) => {
        published.set(uri, diagnostics.length);
      },
    );
    const uri = pathToFileURL(path.join(demo.root, "src/routes.ts")).href;
    const lenses = async (): Promise<string[]> => {
      const found: { command: { title: string } }[] = await worker.connection.sendRequest("textDocument/codeLens", {
        textDocument: { uri },
      });
      return found.map(({ command }) => command.title);
    };
    assert.deepEqual(await lenses(), ["P1 · not triaged · Triage"]);
    const { key } = await worker.row(IMPORT);
    await worker.triage({ kind: "keys", keys: [key] });
    assert.deepEqual(await lenses(), ["P1 · refuted by a check, waits for you"]);
    const hover: { contents: { value: string; kind: string } } = await worker.connection.sendRequest(
      "textDocument/hover",
      { textDocument: { uri }, position: { line: 29, character: 3 } },
    );
    assert.equal(hover.contents.kind, "plaintext");
    assert.match(hover.contents.value, /formatMoney/);
    await worker.decide({ key, decision: "dismiss", reason: "It is imported.", prompt: "Dismiss?" });
    assert.deepEqual(await lenses(), []);
  });
});

test("start options that do not fit are refused with a sentence, and a broken log line is told, not fatal", async () => {
  await inDemo(async (demo, open) => {
    const first = await open();
    const { key } = await first.row(IMPORT);
    await first.decide({ key, decision: "confirm", reason: "seen", prompt: "Confirm" });
    await first.stop();
    await appendFile(logOf(demo), "{ broken\n");
    const second = await open({ session: "window-2" });
    assert.equal((await second.state(key)).state, "decided");
    const verified: wire.VerifyLogResult = await second.connection.sendRequest(wire.verifyLog, {});
    assert.match(verified.problem ?? "", /line 2/);
  });
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("C13: rows of the R0.24 shape are written beside the log when the setting says so, from the next record on", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const { key } = await worker.row(PATH);
    const rowsFile = path.join(demo.root, ".great_cto", "triage-log.jsonl");
    await worker.triage({ kind: "keys", keys: [key] });
    await assert.rejects(readFile(rowsFile, "utf8"));
    await worker.change({ logCompatibleRows: true });
    await worker.triage({ kind: "keys", keys: [key] });
    const [row] = (await readFile(rowsFile, "utf8")).trim().split("\n");
    const parsed = z
      .looseObject({
        caller: z.string(),
        finding_id: z.string(),
        file: z.string(),
        original_severity: z.string(),
        rounds: z.array(z.unknown()),
        confidence: z.number(),
      })
      .parse(JSON.parse(row ?? ""));
    assert.deepEqual(
      [parsed.caller, parsed.finding_id, parsed.file, parsed.original_severity, parsed.rounds.length],
      ["review", key, "src/labels.ts:7", "P1", 3],
    );
  });
});

test("the log moves to the editor's storage when the setting says so, and what stands there counts", async () => {
  await inDemo(async (demo, open) => {
    const worker = await open();
    const { key } = await worker.row(IMPORT);
    await worker.decide({ key, decision: "confirm", reason: "seen", prompt: "Confirm" });
    await worker.change({ logLocation: "extensionStorage" });
    assert.equal((await worker.state(key)).state, "new", "that log knows of no decision");
    await worker.decide({ key, decision: "dismiss", reason: "It is imported.", prompt: "Dismiss?" });
    assert.equal((await readLog(logOf(demo))).records.length, 1);
    const place: wire.LogPlaceResult = await worker.connection.sendRequest(wire.logPlace, { key });
    assert.ok(place !== null && !place.path.startsWith(demo.root));
    assert.equal((await readLog(place.path)).records.length, 1);
  });
});

test("autoTriage triages open P0 and P1 as soon as reviews are read (ruling 9: off by default)", async () => {
  await inDemo(async (_demo, open) => {
    const worker = await open({ settings: { autoTriage: true } });
    const { text } = await worker.finished();
    assert.match(text, /^7 triaged/);
    const { rows } = await worker.list();
    assert.equal(rows.filter(({ action }) => action === null).length, 1, "the hard fact is left alone");
  });
});

test("ruling 11: a twin whose own checks say otherwise is judged by them, not by its cluster", async () => {
  await inDemo(async (demo, open) => {
    await writeFile(
      path.join(demo.root, "reviews/twins.md"),
      "- [P1] src/routes.ts:30 `formatMoney` is not imported -> import it\n- [P1] src/routes.ts:27 `totals` is not imported -> import it\n",
    );
    const worker = await open();
    const { rows } = await worker.list();
    const keyOf = (title: string): string | undefined => rows.find((row) => row.title === title)?.key;
    const [imported, absent] = [keyOf("`formatMoney` is not imported"), keyOf("`totals` is not imported")];
    await worker.triage({ kind: "keys", keys: [imported ?? ""] });
    assert.equal((await worker.state(imported ?? "")).outcome?.settledAs, "refuted");
    const twin = await worker.state(absent ?? "");
    assert.deepEqual([twin.outcome?.settledAs, twin.outcome?.action, twin.rounds.length], [null, "needs-human", 3]);
  });
});

test("C17: a regenerated review keeps each decision on its own finding: more twins, other lines, a renamed file", async () => {
  await inDemo(async (demo, open) => {
    const review = path.join(demo.root, "reviews/pull-request-42.md");
    const uri = (file: string): string => pathToFileURL(file).href;
    const worker = await open();
    const told = async (...files: [string, number][]) =>
      await worker.connection.sendNotification("workspace/didChangeWatchedFiles", {
        changes: files.map(([file, type]) => ({ uri: uri(file), type })),
      });
    const { key } = await worker.row("Five retries");
    await worker.decide({ key, decision: "dismiss", reason: "The contract says five.", prompt: "Dismiss?" });
    const [from, to] = [path.join(demo.root, "src/courier.ts"), path.join(demo.root, "src/pickup.ts")];
    await rename(from, to);
    const text = await readFile(review, "utf8");
    await writeFile(review, text.replaceAll("src/courier.ts:6", "src/pickup.ts:6"));
    await told([from, 3], [to, 1], [review, 2]);
    const renamed = await worker.row("Five retries");
    assert.deepEqual([renamed.file, renamed.state, renamed.decision], ["src/pickup.ts", "decided", "dismissed"]);
    assert.notEqual(renamed.key, key);
    assert.match((await worker.list()).note ?? "", /^Of 1 verdict in the log: 1 carried to another place or name\.$/);
    await writeFile(
      to,
      (await readFile(to, "utf8")).replace("attempt <= COURIER_RETRIES", "attempt < COURIER_RETRIES"),
    );
    await told([to, 2]);
    assert.equal((await worker.row("Five retries")).state, "stale", "the code changed: the decision expired");
  });
});

test("a line with many findings has one lens that counts them and asks which", async () => {
  await inDemo(async (demo, open) => {
    const many = Array.from(
      { length: 5 },
      (_unused, index) => `- [P2] src/money.ts:7 claim number ${"abcde"[index]} about the sign -> see\n`,
    );
    await writeFile(path.join(demo.root, "reviews/many.md"), many.join(""));
    const worker = await open();
    const uri = pathToFileURL(path.join(demo.root, "src/money.ts")).href;
    const lenses: { command: { title: string; arguments: unknown[] } }[] = await worker.connection.sendRequest(
      "textDocument/codeLens",
      { textDocument: { uri } },
    );
    assert.deepEqual(
      lenses.map(({ command }) => [command.title, command.arguments]),
      [["5 findings · 5 P2", [{ uri, line: 7 }]]],
    );
  });
});

test("a mapping of source roots is suggested with its count, and once set gives the findings their file", async () => {
  await inDemo(async (demo, open) => {
    const result = (uri: string) => ({
      message: { text: `Something is wrong in ${uri}` },
      locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }],
    });
    for (const folder of ["one", "two"]) {
      await mkdir(path.join(demo.root, folder));
      await writeFile(path.join(demo.root, folder, "same.ts"), `export const ${folder} = 1;\n`);
    }
    const runs = [{ tool: { driver: { name: "scan" } }, results: [result("ci/same.ts"), result("ci/gone.ts")] }];
    await writeFile(path.join(demo.root, "moved.sarif"), JSON.stringify({ version: "2.1.0", runs }));
    const worker = await open();
    const ask = async (tried: wire.SuggestRootsParams["tried"]) =>
      await worker.connection.sendRequest<wire.SuggestRootsResult>(wire.suggestRoots, { tried });
    const { missing, suggestions } = await ask(null);
    assert.equal(missing, 2);
    assert.deepEqual(suggestions, [
      { from: "ci/", to: "one", fixes: 1 },
      { from: "ci/", to: "two", fixes: 1 },
    ]);
    assert.deepEqual((await ask({ from: "ci/", to: "src" })).suggestions, [{ from: "ci/", to: "src", fixes: 0 }]);
    await worker.change({ sourceRoots: { "ci/": "two" } });
    assert.equal((await ask(null)).missing, 1);
    const row = await worker.row("Something is wrong in ci/same.ts");
    assert.deepEqual([row.file, row.line, row.place], ["two/same.ts", 1, "relocated"]);
  });
});
