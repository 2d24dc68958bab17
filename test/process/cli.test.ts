import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { AGREES, DISMISSES, rounds } from "../support/personas.ts";
import { inDemo, type Ran, run } from "../support/runCli.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";
import { ROOT } from "../support/workerProcess.ts";

const SAMPLES = path.join(ROOT, "test/fixtures/samples");
const DEMO_REVIEWS = ["reviews/scan.sarif", "reviews/pull-request-42.md"];

const nullableInt = z.int().min(1).nullable();
/** The row of `findings --format jsonl`, member for member. */
const FindingRow = z.strictObject({
  key: z.string().min(8),
  sourceId: z.string().nullable(),
  file: z.string().nullable(),
  line: nullableInt,
  endLine: nullableInt,
  column: nullableInt,
  endColumn: nullableInt,
  severity: z.enum(["P0", "P1", "P2", "Nit"]),
  sourceSeverity: z.strictObject({ scale: z.string(), value: z.string() }),
  tool: z.string(),
  rule: z.string().nullable(),
  message: z.string().min(1),
  category: z.string().nullable(),
  status: z.enum(["open", "suppressed", "absent", "pass"]),
  hard: z.boolean(),
  place: z.enum(["exact", "relocated", "out-of-range", "missing-file", "file-level", "none"]),
  cluster: z.string().nullable(),
  gate: z.strictObject({ from: z.string(), to: z.string(), reason: z.string() }).nullable(),
  source: z.strictObject({ path: z.string(), pointer: z.string() }),
});

const Citation = z.strictObject({
  file: z.string(),
  line: z.int(),
  endLine: z.int(),
  quote: z.string(),
  ok: z.boolean(),
});
const Round = z.strictObject({
  round: z.int().min(1).max(3),
  status: z.enum(["counted", "abstained"]),
  verdict: z.enum(["VALID", "INVALID", "UNCERTAIN"]).nullable(),
  crux: z.string().nullable(),
  reason: z.string().nullable(),
  citations: z.array(Citation),
});
/** The row of `triage --format jsonl`; more members may follow, these must be there. */
const TriageRow = z.looseObject({
  key: z.string(),
  sourceId: z.string().nullable(),
  file: z.string().nullable(),
  line: nullableInt,
  severity: z.enum(["P0", "P1", "P2", "Nit"]),
  finalSeverity: z.enum(["P0", "P1", "P2", "Nit"]),
  action: z.enum(["keep", "demote", "filter", "route", "needs-human", "settled", "bypass", "advisory"]),
  settledAs: z.enum(["refuted", "confirmed"]).nullable(),
  verdict: z.enum(["VALID", "INVALID"]).nullable(),
  validShare: z.number().min(0).max(1).nullable(),
  counted: z.int().min(0).max(3),
  rounds: z.array(Round),
  arbiter: z
    .strictObject({
      verdict: z.enum(["VALID", "INVALID"]).nullable(),
      crux: z.string(),
      reasoning: z.string(),
      citations: z.array(Citation),
      overrideRejected: z.boolean(),
      reason: z.string().nullable(),
    })
    .nullable(),
  authorization: z.enum(["none", "automated", "human-required", "human-confirmed"]),
  because: z.array(z.strictObject({ rule: z.string(), text: z.string() })).min(1),
  receipts: z.array(
    z.looseObject({ id: z.string(), verb: z.string(), argv: z.array(z.string()), outputHash: z.string().length(64) }),
  ),
  calls: z.int().min(0),
  tokens: z.strictObject({ prompt: z.int().min(0), completion: z.int().min(0) }),
  ledger: z.array(
    z.strictObject({
      role: z.string().min(1),
      model: z.string().nullable(),
      calls: z.int().min(0),
      prompt: z.int().min(0),
      completion: z.int().min(0),
      cached: z.int().min(0),
    }),
  ),
});

function rows<T>(schema: z.ZodType<T>, out: string): T[] {
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

test("findings --format jsonl prints the demo's eight findings with every member", async () => {
  const ran = await run(["findings", ...DEMO_REVIEWS, "--workspace", "test/workspaces/demo", "--format", "jsonl"]);
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  const read = rows(FindingRow, ran.out);
  assert.equal(read.length, 8);
  assert.equal(new Set(read.map(({ key }) => key)).size, 8);
  const flow = read.find(({ rule }) => rule === "javascript.path-traversal");
  assert.deepEqual(
    [flow?.file, flow?.line, flow?.column, flow?.severity, flow?.sourceSeverity.value],
    ["src/labels.ts", 7, 3, "P1", "error"],
  );
});

test("triage of the demo with the built-in default: checks for all, a refuted P1 that waits, exit 1 (rulings 1, 21)", async () => {
  await inDemo(async (demo, env) => {
    const ran = await run(["triage", ...DEMO_REVIEWS, "--workspace", demo.root, "--format", "jsonl"], { env });
    assert.equal(ran.code, 1, ran.err);
    const read = rows(TriageRow, ran.out);
    assert.equal(read.length, 8);
    const refuted = read.find(({ file }) => file === "src/routes.ts");
    assert.deepEqual(
      [refuted?.action, refuted?.settledAs, refuted?.verdict, refuted?.authorization],
      ["settled", "refuted", "INVALID", "human-required"],
    );
    assert.deepEqual(
      read.filter(({ action }) => action === "bypass").map(({ file }) => file),
      ["src/config.ts"],
    );
    assert.deepEqual(
      [...new Set(read.filter(({ action }) => action === "needs-human").map(({ counted }) => counted))],
      [3],
    );
    assert.ok(
      read.every(({ calls }) => calls === 0),
      "the built-in reviewer calls no model",
    );
    assert.ok(
      read.every(({ receipts }) => receipts.length > 0),
      "every check leaves a receipt",
    );
    const verified = await run(["log", "verify", "--workspace", demo.root], { env });
    assert.deepEqual([verified.code, /8 records of 1 session/.test(verified.out)], [0, true]);
  });
});

test("a P2 goes to the rounds only with --all (R0.1, C12)", async () => {
  await inDemo(async (demo, env) => {
    const review = path.join(demo.root, "reviews/small.md");
    await writeFile(review, "- [P2] src/money.ts:7 the sign is computed by hand -> use Intl\n");
    const args = ["triage", review, "--workspace", demo.root, "--format", "jsonl", "--no-log"];
    const plain = await run(args, { env });
    assert.deepEqual(
      rows(TriageRow, plain.out).map(({ action, rounds: r }) => [action, r.length]),
      [["advisory", 0]],
    );
    assert.equal(plain.code, 0);
    const all = await run([...args, "--all"], { env });
    assert.deepEqual(
      rows(TriageRow, all.out).map(({ rounds: r }) => r.length),
      [3],
    );
  });
});

test("triage with a server: rounds, arbiter and tokens in the rows; P0 and P1 stay open (C4)", async () => {
  const server = await startScriptedServer(rounds(DISMISSES));
  try {
    await inDemo(async (demo, env) => {
      const args = [
        "triage",
        ...DEMO_REVIEWS,
        "--workspace",
        demo.root,
        "--model",
        server.url,
        "--model-name",
        "scripted",
        "--format",
        "jsonl",
      ];
      const ran = await run(args, { env });
      assert.equal(ran.code, 1, ran.err);
      const judged = rows(TriageRow, ran.out).filter(({ counted }) => counted === 3);
      assert.ok(judged.length >= 5);
      for (const row of judged) {
        assert.equal(row.action, "filter");
        assert.equal(row.authorization, "human-required");
        assert.equal(row.arbiter?.verdict, "INVALID");
      }
      assert.ok(judged.some(({ calls, tokens }) => calls >= 4 && tokens.prompt > 0));
    });
  } finally {
    await server.close();
  }
});

test("what was recorded from a server is replayed without it, with the same verdicts", async () => {
  const server = await startScriptedServer(rounds(AGREES));
  const folder = await mkdtemp(path.join(os.tmpdir(), "replay-"));
  try {
    await inDemo(async (demo, env) => {
      const recording = path.join(folder, "answers.jsonl");
      const common = ["triage", ...DEMO_REVIEWS, "--workspace", demo.root, "--format", "jsonl", "--no-log"];
      const live = await run([...common, "--model", server.url, "--model-name", "scripted", "--record", recording], {
        env,
      });
      await server.close();
      const replayed = await run([...common, "--model", `replay:${recording}`], { env });
      const verdicts = (ran: Ran): string[] =>
        rows(TriageRow, ran.out)
          .map(({ key, action, verdict }) => `${key} ${action} ${verdict}`)
          .sort();
      assert.deepEqual(verdicts(replayed), verdicts(live));
      assert.equal(replayed.code, 1, replayed.err);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a server that is not there leaves every finding open and exits 3", async () => {
  await inDemo(async (demo, env) => {
    const ran = await run(
      [
        "triage",
        DEMO_REVIEWS[0] ?? "",
        "--workspace",
        demo.root,
        "--model",
        "http://127.0.0.1:9/v1",
        "--model-name",
        "none",
        "--format",
        "jsonl",
      ],
      { env },
    );
    assert.equal(ran.code, 3);
    const read = rows(TriageRow, ran.out);
    assert.deepEqual(read.map(({ action }) => action).sort(), ["bypass", "needs-human", "needs-human"]);
    assert.ok(read.filter(({ action }) => action === "needs-human").every(({ validShare }) => validShare === null));
  });
});

for (const sample of ["sarif/semgrep-taint-flow.sarif", "sarif/codeql-python-flows.sarif"]) {
  test(`triage over ${sample} gives rows as specified`, async () => {
    await inDemo(async (demo, env) => {
      const ran = await run(
        ["triage", path.join(SAMPLES, sample), "--workspace", demo.root, "--format", "jsonl", "--no-log"],
        { env },
      );
      const read = rows(TriageRow, ran.out);
      assert.equal(read.length, sample.includes("semgrep") ? 3 : 2);
      assert.equal(ran.code, 1, ran.err);
      assert.ok(
        read.every(({ action }) => action !== "settled" && action !== "filter"),
        "ruling 8: a file that is missing here refutes nothing",
      );
    });
  });
}

test("triage over md/hex-govulncheck-table.md gives its rows, and names what was not read with its line (C20)", async () => {
  await inDemo(async (demo, env) => {
    const ran = await run(
      [
        "triage",
        path.join(SAMPLES, "md/hex-govulncheck-table.md"),
        "--workspace",
        demo.root,
        "--format",
        "jsonl",
        "--no-log",
      ],
      { env },
    );
    assert.equal(rows(TriageRow, ran.out).length, 12);
    assert.ok(ran.code === 3 || ran.code === 1);
    if (ran.code === 3) assert.match(ran.err, /not read {2}.*hex-govulncheck-table\.md:\d+/);
  });
});

test("usage and input errors exit 2 and say what is wrong; the other files are still read", async () => {
  await inDemo(async (demo, env) => {
    assert.deepEqual((await run(["frobnicate"])).code, 2);
    assert.match((await run(["triage", "x.sarif", "--model", "gpt"])).err, /--model is built-in/);
    assert.match((await run(["triage", "x.sarif", "--model", "http://127.0.0.1:1/v1"])).err, /--model-name/);
    const ran = await run(
      ["findings", "reviews/none.sarif", ...DEMO_REVIEWS, "--workspace", demo.root, "--format", "jsonl"],
      { env, cwd: demo.root },
    );
    assert.equal(ran.code, 2);
    assert.equal(rows(FindingRow, ran.out).length, 8);
    assert.match(ran.err, /none\.sarif.*no such file/);
    assert.equal((await run(["triage", "x.sarif", "--workspace", path.join(demo.root, "nowhere")])).code, 2);
  });
});

test("--max-findings leaves the least severe out, says so, and exits 3", async () => {
  await inDemo(async (demo, env) => {
    const ran = await run(
      ["triage", ...DEMO_REVIEWS, "--workspace", demo.root, "--format", "jsonl", "--no-log", "--max-findings", "1"],
      { env },
    );
    assert.equal(ran.code, 3);
    assert.equal(
      rows(TriageRow, ran.out).some(({ severity }) => severity === "P0"),
      true,
    );
    assert.match(ran.err, /7 findings left out by --max-findings 1/);
  });
});

test("--out writes md and sarif whole; a proposal is under review, never accepted (ruling 34)", async () => {
  await inDemo(async (demo, env) => {
    const common = ["triage", ...DEMO_REVIEWS, "--workspace", demo.root, "--no-log"];
    const markdown = path.join(demo.cache, "..", "report.md");
    const sarif = path.join(demo.cache, "..", "report.sarif");
    assert.equal((await run([...common, "--format", "md", "--out", markdown], { env })).out, "");
    assert.match(await readFile(markdown, "utf8"), /^# Triage report\n[\s\S]*`src\/money\.ts:5`/);
    await run([...common, "--format", "sarif", "--out", sarif], { env });
    const text = await readFile(sarif, "utf8");
    assert.ok(!text.includes('"accepted"'));
    const log = z
      .object({ version: z.literal("2.1.0"), runs: z.array(z.object({ results: z.array(z.unknown()) })) })
      .parse(JSON.parse(text));
    assert.equal(log.runs.flatMap(({ results }) => results).length, 8);
    const again = await run(["findings", sarif, "--workspace", demo.root, "--format", "jsonl"], { env });
    assert.equal(rows(FindingRow, again.out).length, 8, "our own output can be read again");
  });
});

test("a changed byte in the log is found by log verify, which exits 1 and names the line", async () => {
  await inDemo(async (demo, env) => {
    await run(["triage", ...DEMO_REVIEWS, "--workspace", demo.root], { env });
    const file = path.join(demo.root, ".skeptical-triage/triage-log.jsonl");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"action":"settled"', '"action":"keep"'));
    const ran = await run(["log", "verify", "--workspace", demo.root], { env });
    assert.equal(ran.code, 1);
    assert.match(ran.err, /line \d+/);
    await appendFile(file, "");
    assert.equal(
      (await run(["log", "verify", "--workspace", path.join(demo.root, "src")], { env })).code,
      0,
      "no log is intact",
    );
  });
});

test("findings --map gives findings their file, by prefix or by base id; a folder outside is refused", async () => {
  await inDemo(async ({ root }, env) => {
    for (const folder of ["one", "two"]) {
      await mkdir(path.join(root, folder), { recursive: true });
      await writeFile(path.join(root, folder, "same.ts"), `export const ${folder} = 1;\n`);
    }
    const result = (artifactLocation: object) => ({
      message: { text: "Something is wrong here" },
      locations: [{ physicalLocation: { artifactLocation, region: { startLine: 1 } } }],
    });
    const results = [result({ uri: "file:///home/ci/build/same.ts" }), result({ uri: "same.ts", uriBaseId: "ROOT" })];
    const log = { version: "2.1.0", runs: [{ tool: { driver: { name: "scan" } }, results }] };
    await writeFile(path.join(root, "moved.sarif"), JSON.stringify(log));
    const findings = async (...more: string[]) => {
      const ran = await run(["findings", "moved.sarif", "--workspace", root, "--format", "jsonl", ...more], { env });
      assert.equal(ran.code, 0, ran.err);
      const printed = ran.out
        .trim()
        .split("\n")
        .map((line) => FindingRow.parse(JSON.parse(line)));
      return printed.map(({ file, line, place }) => [file, line, place]);
    };
    assert.deepEqual(
      (await findings()).map(([, , status]) => status),
      ["missing-file", "missing-file"],
    );
    assert.deepEqual(await findings("--map", "/home/ci/build/=one", "--map", "%ROOT%=two"), [
      ["one/same.ts", 1, "relocated"],
      ["two/same.ts", 1, "relocated"],
    ]);
    const refused = await run(["findings", "moved.sarif", "--workspace", root, "--map", "a=../b"], { env });
    assert.equal(refused.code, 2);
    assert.match(refused.err, /inside of the workspace/);
  });
});

test("text from a review cannot drive the terminal (ruling 33)", async () => {
  await inDemo(async (demo, env) => {
    const review = path.join(demo.root, "evil.md");
    await writeFile(review, "- [P1] src/money.ts:7 clear\u001b[2J the \u202escreen -> nothing\n");
    const ran = await run(["triage", review, "--workspace", demo.root, "--no-log"], { env });
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    assert.ok(!/[\u001b\u202e]/.test(ran.out + ran.err), JSON.stringify(ran.out));
    assert.match(ran.out, /clear/);
  });
});

test("--help and --version answer on standard output", async () => {
  const help = await run(["--help"]);
  assert.deepEqual([help.code, help.out.includes("skeptical-triage triage FILE")], [0, true]);
  assert.match((await run(["--version"])).out, /^\d+\.\d+\.\d+\n$/);
});

test("cli: the built program finds its grammars beside it and judges guards by them", async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), "triage-"));
  try {
    const source = await readFile(path.join(ROOT, "test/fixtures/structure/Orders.cs"), "utf8");
    await writeFile(path.join(root, "Orders.cs"), source);
    await writeFile(path.join(root, "review.md"), "## P1: Save may throw\n`Orders.cs:34` nothing catches it.\n");
    const { code, out } = await run(["triage", "review.md", "--no-log", "--workspace", root], { cwd: root });
    assert.equal(code, 1);
    // Patterns know no handlers: only a parsed file has them.
    assert.match(out, /An error of the line is caught at Orders\.cs:36/);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
