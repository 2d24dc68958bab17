import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { readTokenLine } from "../../src/core/auditLines.ts";
import { DISMISSES, rounds } from "../support/personas.ts";
import { inDemo, run } from "../support/runCli.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";
import { startWorker } from "../support/workerProcess.ts";
import * as wire from "../../src/protocol/worker.ts";

// Refuters and second opinions through the built programs. The built-in reviewer answers: no model, no network.

const REVIEW = "reviews/scan.sarif";

const Row = z.looseObject({
  key: z.string(),
  file: z.string().nullable(),
  action: z.string(),
  verdict: z.string().nullable(),
  rounds: z.array(z.unknown()),
  method: z.looseObject({ strategy: z.string() }).nullable(),
  refutation: z.looseObject({ recount: z.looseObject({ asked: z.int(), result: z.string() }) }).nullable(),
  opinion: z.looseObject({ kind: z.string(), intent: z.string() }).nullable(),
  mapped: z.string().nullable(),
  reductions: z.array(z.string()),
});
const Result = z.strictObject({
  kind: z.literal("refutation"),
  survivors: z.array(z.unknown()),
  refuted: z.array(z.unknown()),
  undecided: z.array(z.looseObject({ file: z.string().nullable(), result: z.string() })),
  abstentions: z.array(z.unknown()),
  perLens: z.array(z.looseObject({ lens: z.string(), title: z.string(), needsCheck: z.int() })),
  untouched: z.array(z.looseObject({ text: z.string() })),
  recommendation: z.string(),
});

function lines(out: string): unknown[] {
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}

test("triage --strategy refute asks refuters instead of rounds, and its last line is the result of the run (R4.21)", async () => {
  await inDemo(async (demo, env) => {
    const ran = await run(
      [
        "triage",
        REVIEW,
        "--workspace",
        demo.root,
        "--no-log",
        "--format",
        "jsonl",
        "--strategy",
        "refute",
        "--refuters",
        "2",
      ],
      { env },
    );
    assert.equal(ran.code, 1, ran.err);
    const all = lines(ran.out);
    const rows = all.slice(0, -1).map((line) => Row.parse(line));
    const judged = rows.filter(({ refutation }) => refutation !== null);
    assert.deepEqual(
      judged.map(({ action, method, refutation, rounds: asked }) => [
        action,
        method?.strategy,
        refutation?.recount.asked,
        asked.length,
      ]),
      [
        ["needs-human", "refute", 2, 0],
        ["needs-human", "refute", 2, 0],
      ],
    );
    const result = Result.parse(all.at(-1));
    assert.deepEqual(
      result.undecided.map(({ file }) => file).toSorted((a, b) => (a ?? "").localeCompare(b ?? "")),
      ["src/labels.ts", "src/store.ts"],
    );
    assert.deepEqual(
      result.perLens.map(({ title, needsCheck }) => [title, needsCheck]),
      [
        ["Forged input", 2],
        ["Mixed-up configuration or tenant", 2],
      ],
    );
    assert.match(result.recommendation, /^2 undecided: judge P1 /);
  });
});

test("one refuter is warned about on standard error, and its word alone is no verdict (R4.4)", async () => {
  await inDemo(async (demo, env) => {
    const common = ["triage", REVIEW, "--workspace", demo.root, "--no-log", "--strategy", "refute"];
    const ran = await run([...common, "--refuters", "1"], { env });
    assert.equal(ran.code, 3, "nobody judged it");
    assert.match(ran.err, /One refuter is never a verdict/);
    assert.match(ran.out, /left out One refuter was asked for: its word alone is no verdict/);
    assert.doesNotMatch((await run(common, { env })).err, /One refuter/);
  });
});

test("lenses are asked word for word, and the text report names them (R4.5)", async () => {
  await inDemo(async (demo, env) => {
    const lens = "What does the nightly export do with it?";
    const ran = await run(
      [
        "triage",
        REVIEW,
        "--workspace",
        demo.root,
        "--no-log",
        "--strategy",
        "refute",
        "--lens",
        lens,
        "--lens",
        "Admins",
      ],
      { env },
    );
    assert.equal(ran.code, 1, ran.err);
    assert.match(ran.out, /refuter {2}What does the nightly export do with it\?: not decided/);
    assert.match(ran.out, /N = 2, vote over k = 2\./);
  });
});

test("triage --strategy verdict asks a blind second opinion alone; its token lines stand on standard error only (R1.30, R1.31)", async () => {
  await inDemo(async (demo, env) => {
    const common = ["triage", REVIEW, "--workspace", demo.root, "--format", "jsonl", "--strategy", "verdict"];
    const ran = await run(common, { env });
    const rows = lines(ran.out).map((line) => Row.parse(line));
    const judged = rows.filter(({ opinion }) => opinion !== null);
    assert.deepEqual(
      judged.map(({ mapped, opinion, verdict }) => [mapped, opinion?.intent, verdict]),
      [
        ["NEED_HUMAN", "dismiss", null],
        ["NEED_HUMAN", "dismiss", null],
      ],
    );
    const tokens = ran.err.split("\n").flatMap((line) => readTokenLine(line) ?? []);
    assert.deepEqual(
      tokens.map(({ token, members }) => [token, members.get("verdict")]),
      [
        ["DISMISS_VERDICT", "NEED_HUMAN"],
        ["DISMISS_VERDICT", "NEED_HUMAN"],
      ],
    );
    assert.doesNotMatch(ran.out, /\[DISMISS_/);
    const clarify = await run([...common, "--intent", "clarify"], { env });
    assert.match(clarify.err, /^\[SEEK_VERDICT\] .*intent=clarify/m);
    assert.doesNotMatch(clarify.err, /\[DISMISS_/);
  });
});

test("a second opinion is asked besides the rounds where it is wanted always (R1.8)", async () => {
  await inDemo(async (demo, env) => {
    const common = ["triage", REVIEW, "--workspace", demo.root, "--no-log", "--format", "jsonl"];
    const opinions = async (...more: string[]) =>
      lines((await run([...common, ...more], { env })).out).map((line) => Row.parse(line).opinion?.kind ?? null);
    assert.deepEqual(
      (await opinions()).filter((kind) => kind !== null),
      [],
    );
    assert.deepEqual(
      (await opinions("--second-opinion")).filter((kind) => kind !== null),
      ["gave", "gave"],
    );
  });
});

test("what is untouchable is never closed by the program alone, whatever everyone says", async () => {
  const server = await startScriptedServer(rounds(DISMISSES));
  try {
    await inDemo(async (demo, env) => {
      const review = path.join(demo.root, "reviews/small.md");
      await writeFile(review, "- [P2] src/money.ts:7 the sign is computed by hand -> use Intl\n");
      const model = ["--model", server.url, "--model-name", "scripted"];
      const common = ["triage", review, "--workspace", demo.root, "--format", "jsonl", "--no-log", "--all", ...model];
      const actions = async (...more: string[]) => {
        const ran = await run([...common, ...more], { env });
        return lines(ran.out).map((line) => z.looseObject({ authorization: z.string() }).parse(line).authorization);
      };
      assert.deepEqual(await actions(), ["automated"]);
      assert.notDeepEqual(await actions("--untouchable", "path=src/**"), ["automated"]);
    });
  } finally {
    await server.close();
  }
});

test("a challenge of one finding is judged as it says, in the worker too, and shown with who judged", async () => {
  await inDemo(async (demo) => {
    const worker = await startWorker(demo);
    try {
      const row = (await worker.list()).rows.find(({ file }) => file === "src/labels.ts");
      assert.ok(row !== undefined);
      await worker.connection.sendNotification(wire.panelShows, { key: row.key });
      await worker.triage({ kind: "keys", keys: [row.key], how: { strategy: "refute", refuters: 2, fresh: true } });
      const refuted = await worker.until((state) => state.stage === null && state.refutation?.recount != null);
      assert.deepEqual(
        [refuted.method?.strategy, refuted.refutation?.refuters.length, refuted.rounds, refuted.refutation?.awaited],
        ["refute", 2, [], []],
      );
      assert.deepEqual([refuted.streak, refuted.otherModel], [{ run: 0, warned: false }, null]);
      await worker.change({ roles: { fallback: { serverUrl: "http://127.0.0.1:9/v1", serverModel: "second" } } });
      await worker.triage({
        kind: "keys",
        keys: [row.key],
        how: { strategy: "verdict", intent: "confirm", fresh: true },
      });
      const confirmed = await worker.until((state) => state.stage === null && state.opinion !== null);
      assert.deepEqual(
        [confirmed.opinion?.intent, confirmed.opinion?.who, confirmed.refutation, confirmed.otherModel],
        ["confirm", "built-in reviewer", null, "second"],
      );
      assert.ok(JSON.stringify(confirmed).length < 350_000);
      const artefacts = [{ kind: "test-output", source: "a.test.ts", text: "ok 1" }];
      const refused = await worker.connection.sendRequest<wire.RebutResult>(wire.rebut, { key: row.key, artefacts });
      assert.equal(refused.kind, "refused");
      assert.match(refused.kind === "refused" ? refused.why : "", /goes against a second opinion that asks for a fix/);
      assert.match((await worker.state(row.key)).notice ?? "", /asks for a fix/);
    } finally {
      await worker.stop();
    }
  });
});
