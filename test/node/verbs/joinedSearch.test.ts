import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { findProgram } from "../../../src/node/program.ts";
import { createJoinedSearch, type Search } from "../../../src/node/verbs/joinedSearch.ts";
import { type RipgrepCall, type RipgrepRun, runRipgrep } from "../../../src/node/verbs/ripgrep.ts";
import { folderWith, write } from "../repository/folder.ts";

const NEVER = new AbortController().signal;

async function project(t: TestContext) {
  const root = folderWith(t, {
    "src/a.ts": "export const alpha = 1;\nexport const beta = alpha;\n",
    "src/b.ts": "alpha(beta); gamma\n-e\nAlpha\n",
    ".hidden/c.ts": "delta\n",
    "src/latin.ts": Buffer.from("// caf\xe9 alpha\n", "latin1"),
    "src/binary.ts": "alpha\0\nbeta\n",
  });
  const program = await findProgram("rg", process.env["PATH"], root);
  assert.ok(program !== null, "ripgrep is needed for this test");
  const call = (pattern: string, more: Partial<RipgrepCall> = {}): RipgrepCall => ({
    program,
    root,
    pattern,
    literal: true,
    path: ".",
    wide: false,
    ...more,
  });
  const started: RipgrepCall[] = [];
  const run: Search = async (one, signal) => {
    started.push(one);
    return await runRipgrep(one, signal);
  };
  return { root, call, started, search: createJoinedSearch(run) };
}

const sorted = (run: RipgrepRun | undefined): unknown =>
  run?.kind === "searched" ? { ...run, hits: run.hits.map((hit) => JSON.stringify(hit)).toSorted() } : run;

test("words searched for at the same time share one run, and each gets what a run of its own gives", async (t) => {
  const { call, started, search } = await project(t);
  const words = ["alpha", "beta", "gamma", "nowhere", "-e", "alpha", "bet", "."];
  const shared = await Promise.all(words.map(async (word) => await search(call(word), NEVER)));
  assert.equal(started.length, 1);
  for (const [index, word] of words.entries()) {
    const alone = await runRipgrep(call(word), NEVER);
    assert.deepEqual(sorted(shared[index]), sorted(alone), word);
  }
});

test("expressions, other scopes, buffers and words beyond ASCII are searched for by themselves", async (t) => {
  const { call, started, search } = await project(t);
  const calls = [
    call("alpha"),
    call("a.pha", { literal: false }),
    call("delta", { wide: true }),
    call("beta", { path: "src" }),
    call("caf\u00e9"),
    call("beta", { path: "-", input: "beta\n" }),
  ];
  const runs = await Promise.all(calls.map(async (one) => await search(one, NEVER)));
  assert.equal(started.length, calls.length);
  for (const [index, one] of calls.entries())
    assert.deepEqual(sorted(runs[index]), sorted(await runRipgrep(one, NEVER)));
});

test("nothing is remembered: a file that changes between two questions, or while another search runs, is searched as it is", async (t) => {
  const { root, call, search } = await project(t);
  const hitsOf = async (word: string): Promise<number> => {
    const run = await search(call(word), NEVER);
    return run.kind === "searched" ? run.hits.length : -1;
  };
  assert.equal(await hitsOf("fresh"), 0);
  write(root, { "src/new.ts": "fresh\n" });
  assert.equal(await hitsOf("fresh"), 1);
  const under = hitsOf("fresh");
  await delay(1);
  write(root, { "src/newer.ts": "fresh\n" });
  assert.equal(await hitsOf("fresh"), 2);
  await under;
});

test("a search that takes long holds nobody up, and who is cancelled gets the reason at once", async (t) => {
  const { call } = await project(t);
  let stopped = 0;
  const search = createJoinedSearch(async (one, signal) => {
    if (one.pattern !== "slow") return await runRipgrep(one, signal);
    await delay(60_000, undefined, { signal }).catch(() => (stopped += 1));
    signal.throwIfAborted();
    return { kind: "missing", why: "never" };
  });
  const [one, two] = [new AbortController(), new AbortController()];
  const slow = search(call("slow"), one.signal);
  await delay(5);
  const quick = await search(call("alpha"), two.signal);
  assert.equal(quick.kind, "searched");
  one.abort(new Error("cancelled"));
  await assert.rejects(slow, /cancelled/);
  await delay(5);
  assert.equal(stopped, 1);
});

test("a shared run that was cut, failed or had a problem tells nothing about one word: it is searched for alone", async () => {
  const call = (pattern: string): RipgrepCall => ({
    program: "rg",
    root: "/",
    pattern,
    literal: true,
    path: ".",
    wide: false,
  });
  const said = { kind: "searched", argv: ["rg"], exitCode: 0, hits: [], truncated: false, problem: null } as const;
  const shared: RipgrepRun[] = [
    { ...said, truncated: true },
    { ...said, exitCode: null },
    { ...said, exitCode: 2, problem: "a: Permission denied" },
    { kind: "failed", argv: ["rg"], why: "The search was stopped after 10 seconds; nothing follows from it." },
  ];
  for (const result of shared) {
    const alone: string[] = [];
    const search = createJoinedSearch(async (one) => {
      if ((one.others ?? []).length > 0) return await Promise.resolve(result);
      alone.push(one.pattern);
      return await Promise.resolve({ ...said, argv: [one.pattern] });
    });
    const runs = await Promise.all(["one", "two"].map(async (word) => await search(call(word), NEVER)));
    assert.deepEqual(alone, ["one", "two"]);
    assert.deepEqual(
      runs.map((run) => run.kind === "searched" && run.argv[0]),
      ["one", "two"],
    );
  }
});
