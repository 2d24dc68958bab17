import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test, type TestContext } from "node:test";
import * as z from "zod";
import { OWN_PROGRAMS, recordedEslint, scratch } from "../support/checkerFolder.ts";
import { CLI, ROOT } from "../support/workerProcess.ts";

const REVIEW = `| Severity | File | Finding |
|---|---|---|
| P2 | src/cart.ts:20 | \`tsc --strict\` reports TS2322 here: any is not assignable to Cart. |
| P2 | src/legacy/report.ts:1 | The project type check fails here: parameter \`values\` implicitly has type any under strict. |
| P2 | src/cart.ts:57 | The project lint configuration enforces \`eqeqeq\`, so \`==\` fails the lint step. |
| P2 | src/cart.ts:53 | firstNote() throws when no item has a note, because find() returns undefined. |
`;

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command line over a copy of the corpus project, with ESLint as it answered when it was recorded. */
function shop(t: TestContext) {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "shop-")));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const root = path.join(base, "shop");
  cpSync(path.join(ROOT, "test/fixtures/corpus/ts-shop"), root, { recursive: true });
  writeFileSync(path.join(base, "review.md"), REVIEW);
  const eslint = recordedEslint(scratch(t));
  const searchPath = [eslint, path.dirname(process.execPath), OWN_PROGRAMS, process.env["PATH"]].join(path.delimiter);
  const run = async (...args: readonly string[]): Promise<Ran> => {
    const env = { ...process.env, NO_COLOR: "1", PATH: searchPath, XDG_CACHE_HOME: path.join(base, "cache") };
    const child = spawn(process.execPath, [CLI, ...args], { cwd: base, env, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, out: out.join(""), err: err.join("") };
  };
  const triage = async (...more: readonly string[]): Promise<Ran> =>
    await run("triage", "review.md", "--workspace", "shop", "--no-log", ...more);
  return { root, run, triage, line: `${eslint}/eslint --print-config ./src/cart.ts` };
}

const refuted = ({ out }: Ran): number => out.match(/refuted by a check/g)?.length ?? 0;

test("triage starts no checker unless it is asked to, and then settles what they can", async (t) => {
  const { triage, root } = shop(t);
  const before = readdirSync(root, { recursive: true });
  assert.equal(refuted(await triage()), 0);
  const ran = await triage("--allow-checkers");
  assert.equal(refuted(ran), 2);
  assert.match(ran.out, /tsc \d[\d.]+ checks src\/cart\.ts and reports TS2322 nowhere in it/);
  assert.deepEqual(readdirSync(root, { recursive: true }), before, "nothing is written into the workspace");
});

test("what would run the repository's code is named to the letter, run once accepted, remembered only when asked, and revoked", async (t) => {
  const { triage, run, line } = shop(t);
  const asked = await triage("--allow-checkers");
  assert.ok(asked.err.includes(`Not run without your word: ${line}\n`), asked.err);
  assert.equal(refuted(await triage("--allow-checkers", "--accept", `${line} `)), 2, "a blank more is another line");
  assert.equal(refuted(await triage("--allow-checkers", "--accept", line)), 3);
  assert.equal(refuted(await triage("--allow-checkers")), 2, "once is once");
  assert.equal(refuted(await triage("--allow-checkers", "--accept", line, "--remember")), 3);
  assert.equal(refuted(await triage("--allow-checkers")), 3);
  const listed = await run("checks", "--workspace", "shop");
  assert.ok(listed.code === 0 && listed.out.includes(`  ${line}  (since `), listed.out);
  assert.match(listed.out, /^tsc +\d[\d.]+ {2}tier 1/m);
  assert.match(listed.out, /^eslint +9\.39\.5 {2}tier 2, each line needs your word/m);
  assert.equal((await run("checks", "--workspace", "shop", "--revoke", line)).code, 0);
  assert.equal((await run("checks", "--workspace", "shop", "--revoke", line)).code, 2);
  assert.equal(refuted(await triage("--allow-checkers")), 2);
});

test("wrong uses are told: --accept without --allow-checkers, --remember without --accept, checks of no folder", async (t) => {
  const { triage, run } = shop(t);
  assert.match((await triage("--accept", "x")).err, /--accept needs --allow-checkers/);
  assert.match((await triage("--allow-checkers", "--remember")).err, /--remember needs --accept/);
  assert.equal((await run("checks", "--workspace", "nowhere")).code, 2);
  assert.equal((await run("checks", "extra")).code, 2);
});

test("checks --format jsonl gives one object a line: every checker, then what is accepted", async (t) => {
  const { run } = shop(t);
  const { out, code } = await run("checks", "--workspace", "shop", "--format", "jsonl");
  const rows = out
    .trim()
    .split("\n")
    .map((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  assert.equal(code, 0);
  assert.equal(rows.length, 13);
  for (const row of rows)
    assert.deepEqual(Object.keys(row).sort(), ["configured", "kind", "program", "tier", "tool", "version", "why"]);
});
