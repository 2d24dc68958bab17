import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import * as esbuild from "esbuild";
import { readLog, verifyLog } from "../../src/node/log/readLog.ts";
import { SEED } from "../support/seed.ts";
import { folderWith } from "../node/repository/folder.ts";

const KILLS = Number(process.env["KILLS"] ?? 200);
const FINDINGS = 30;
/** Kills of one workspace before it is left to finish. */
const KILLS_EACH = 10;
/** A run is killed within this time after its first sign of life, in milliseconds. */
const WITHIN_MS = 450;
/** As many workspaces are driven at once. */
const LANES = 2;

/** Random numbers in 0..1 that a seed repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function workspaceFiles(): Record<string, string> {
  const results = Array.from({ length: FINDINGS }, (_, at) => ({
    ruleId: "divide",
    level: at % 3 === 0 ? "error" : "warning",
    message: { text: `The quotient of case ${at} is used although the divisor may be zero.` },
    locations: [{ physicalLocation: { artifactLocation: { uri: `src/f${at}.lua` }, region: { startLine: 2 } } }],
    properties: { "security-severity": at % 3 === 0 ? "9.8" : "8.0" },
  }));
  const tool = { driver: { name: "bench", rules: [{ id: "divide" }] } };
  return {
    "review.sarif": JSON.stringify({ version: "2.1.0", runs: [{ tool, results }] }),
    ...Object.fromEntries(
      Array.from({ length: FINDINGS }, (_, at) => [
        `src/f${at}.lua`,
        `local function share${at}(total, people)\n  return total / people\nend\n`,
      ]),
    ),
  };
}

interface Place {
  readonly root: string;
  readonly cache: string;
  readonly trace: string;
  readonly log: string;
}

function placeIn(t: TestContext): Place {
  const base = folderWith(
    t,
    Object.fromEntries(Object.entries(workspaceFiles()).map(([name, text]) => [`ws/${name}`, text])),
  );
  const root = path.join(base, "ws");
  return {
    root,
    cache: path.join(base, "cache"),
    trace: path.join(base, "trace"),
    log: path.join(root, ".skeptical-triage", "triage-log.jsonl"),
  };
}

/** Starts the run; kills it after some time, or with null lets it end. Resolves to true where it came to its end. */
async function run(program: string, place: Place, killAfterMs: number | null): Promise<boolean> {
  // Without programs on its path it searches by itself: fewer processes, and more deaths in our own code.
  const env = { PATH: "/nowhere", HOME: place.cache, XDG_CACHE_HOME: place.cache, LOCALAPPDATA: place.cache };
  const child = spawn(process.execPath, [program, place.root, place.trace], {
    env,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const errors: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  const timer = killAfterMs === null ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  assert.ok(code === 0 || code === null, errors.join(""));
  // The lock of a dead process is waited for five seconds; here that time is over at once.
  const lock = `${place.log}.lock`;
  if (code === null && existsSync(lock)) utimesSync(lock, new Date(0), new Date(0));
  return code === 0;
}

const told = ({ trace }: Place): string[][] =>
  existsSync(trace)
    ? readFileSync(trace, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split(" "))
    : [];

/** What holds after each death: the chains are whole, no record is lost or doubled, no kept reply was asked for again. */
async function check(place: Place): Promise<void> {
  const { problem } = await verifyLog(place.log);
  assert.equal(problem, null);
  const { records } = await readLog(place.log);
  const judged = records.flatMap(({ record }) => (record.kind === "triaged" ? [record.key] : []));
  assert.equal(new Set(judged).size, judged.length, "a record is doubled");
  const kept = new Set<string>();
  for (const [what = "", id = ""] of told(place)) {
    if (what === "done") assert.ok(judged.includes(id), `the record of ${id} is lost`);
    if (what === "put") assert.ok(!kept.has(id), `the kept reply ${id} was asked for again`);
    if (what === "kept") kept.add(id);
    assert.ok(what !== "warning" && what !== "error", id);
  }
}

/** What the log tells in the end, without what differs from run to run. */
async function outcomes({ log }: Place): Promise<unknown> {
  const { records } = await readLog(log);
  return records
    .flatMap(({ record }) => (record.kind === "triaged" ? [record] : []))
    .map(({ key, action, authorization, finalSeverity, rounds, arbiter, regions, evidence }) => ({
      key,
      action,
      authorization,
      finalSeverity,
      rounds,
      arbiter,
      regions,
      evidence,
    }))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1));
}

test("the seed of this run", () => console.log(`FUZZ_SEED=${SEED}`));

test(
  `R4.24: killed at ${KILLS} moments, a run goes on where it was: no kept reply is asked for twice, no record is lost or doubled`,
  { timeout: 300_000 },
  async (t) => {
    const program = path.join(folderWith(t, {}), "killedRun.cjs");
    await esbuild.build({
      entryPoints: [path.join(import.meta.dirname, "../support/killedRun.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node24",
      define: { "import.meta.url": "__importMetaUrl" },
      banner: { js: 'const __importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
      logLevel: "warning",
    });
    const reference = placeIn(t);
    assert.equal(await run(program, reference, null), true);
    await check(reference);
    const wanted = await outcomes(reference);
    const random = randomFrom(SEED);
    let [kills, deaths, workspaces] = [0, 0, 0];
    const lane = async (): Promise<void> => {
      while (kills < KILLS) {
        const place = placeIn(t);
        workspaces += 1;
        for (let own = 0; own < KILLS_EACH && kills < KILLS; own += 1) {
          kills += 1;
          const ended = await run(program, place, 40 + random() * WITHIN_MS);
          await check(place);
          if (ended) break;
          deaths += 1;
        }
        assert.equal(await run(program, place, null), true);
        await check(place);
        assert.deepEqual(await outcomes(place), wanted);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    t.diagnostic(`${deaths} of ${kills} runs were killed before their end, in ${workspaces} workspaces`);
    assert.ok(deaths > kills / 2, "most runs were still under way when they were killed");
  },
);
