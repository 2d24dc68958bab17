import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { test, type TestContext } from "node:test";
import type { PanelState } from "../../src/protocol/panel.ts";
import * as wire from "../../src/protocol/checkers.ts";
import { fakeProgram, recordedEslint, scratch } from "../support/checkerFolder.ts";
import { ROOT, startWorker, type WorkerHandle, type WorkerStart } from "../support/workerProcess.ts";

// The built worker over a copy of the corpus project; ESLint answers as it did when it was recorded.

const REVIEW = `| Severity | File | Finding |
|---|---|---|
| P2 | src/cart.ts:57 | The project lint configuration enforces \`eqeqeq\`, so \`==\` fails the lint step. |
| P2 | src/cart.ts:20 | firstNote() throws when no item has a note, because find() returns undefined. |
`;

/** A finding whose source says how to reproduce it. */
const told = (reproduction: string): string => `## P2: firstNote() throws on a cart without notes

**File**: src/cart.ts:53
**Description**: firstNote() throws when no item has a note.
**Reproduction**: ${reproduction}
`;

interface Shop {
  readonly root: string;
  /** The line that asks ESLint for its configuration, as it would run. */
  readonly line: string;
  readonly start: (more?: WorkerStart) => Promise<ShopWorker>;
}

interface ShopWorker extends WorkerHandle {
  readonly accept: (key: string, line: string, remember?: boolean) => Promise<wire.AcceptLineResult>;
  readonly ask: <T>(method: string, params?: unknown) => Promise<T>;
  readonly triaged: (key: string) => Promise<PanelState>;
  /** The state of a finding once it satisfies a condition. */
  readonly once: (key: string, fits: (state: PanelState) => boolean) => Promise<PanelState>;
}

function shop(t: TestContext, review: string): Shop {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "shop-")));
  t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const root = path.join(base, "shop");
  cpSync(path.join(ROOT, "test/fixtures/corpus/ts-shop"), root, { recursive: true });
  mkdirSync(path.join(root, "reviews"), { recursive: true });
  writeFileSync(path.join(root, "reviews/review.md"), review);
  const eslint = recordedEslint(scratch(t));
  const PATH = [eslint, path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter);
  const start: Shop["start"] = async (more = {}) => {
    const demo = { root, cache: path.join(base, "cache"), remove: async () => undefined };
    const worker = await startWorker(demo, { env: { PATH }, settings: { reviewFiles: ["reviews/*.md"] }, ...more });
    t.after(async () => await worker.stop());
    const ask: ShopWorker["ask"] = async (method, params = {}) => await worker.connection.sendRequest(method, params);
    const once: ShopWorker["once"] = async (key, fits) => {
      for (let tries = 0; tries < 200; tries += 1) {
        const state = await worker.state(key);
        if (fits(state)) return state;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`It never came to that: ${JSON.stringify(await worker.state(key)).slice(0, 2000)}`);
    };
    return Object.assign(worker, {
      ask,
      once,
      accept: async (key: string, line: string, remember = false) =>
        await ask<wire.AcceptLineResult>(wire.acceptLine, { key, line, remember }),
      triaged: async (key: string) => {
        const state = await worker.state(key);
        if (state.state === "decided") await worker.decide({ key, decision: "reopen", reason: "look again" });
        await worker.triage({ kind: "keys", keys: [key] });
        return await worker.state(key);
      },
    });
  };
  return { root, line: `${eslint}/eslint --print-config ./src/cart.ts`, start };
}

const settled = (state: PanelState): boolean => state.state !== "running" && state.outcome !== null;
const waiting = ({ checks }: PanelState): readonly string[] => checks.flatMap(({ proposal }) => proposal?.line ?? []);
const refuted = ({ checks }: PanelState): number =>
  checks.filter(({ atom, verdict }) => atom !== null && verdict === "refuted").length;

test("a check that waits names its line; only that line of that finding is accepted, once, and then it settles the claim", async (t) => {
  const { start, line, root } = shop(t, REVIEW);
  const worker = await start();
  const { key } = await worker.row("enforces");
  const other = await worker.row("firstNote");
  const asked = await worker.triaged(key);
  assert.deepEqual(waiting(asked), [line]);
  const [view] = asked.lines;
  assert.deepEqual([view?.line, view?.folder, view?.permit, view?.accepted], [line, root, { allowed: true }, false]);
  assert.match(view?.why ?? "", /programs of this repository/);
  for (const [of, text] of [
    [key, `${line} `],
    [key, line.toUpperCase()],
    [other.key, line],
    ["nothing", line],
  ] as const)
    assert.equal((await worker.accept(of, text)).kind, "refused", text);
  assert.equal(refuted(await worker.state(key)), 0);
  assert.deepEqual(await worker.accept(key, line), { kind: "started" });
  const done = await worker.once(key, (state) => settled(state) && waiting(state).length === 0);
  assert.equal(refuted(done), 1);
  assert.ok(done.receipts.some(({ argv, exitCode }) => argv.join(" ").includes("--print-config") && exitCode === 0));
  assert.deepEqual(done.lines, []);
  // The file set changes, so that the answer has to be asked for again.
  appendFileSync(path.join(root, "src/cart.ts"), "\n// one more line\n");
  assert.deepEqual(waiting(await worker.triaged(key)), [line], "once is once");
});

test("always is remembered over a restart, listed with its folder, and revoked", async (t) => {
  const { start, line, root } = shop(t, REVIEW);
  const first = await start();
  const { key } = await first.row("enforces");
  await first.triaged(key);
  assert.deepEqual(await first.accept(key, line, true), { kind: "started" });
  await first.once(key, (state) => settled(state) && refuted(state) === 1);
  await first.stop();
  const second = await start({ session: "window-2" });
  const { lines } = await second.ask<wire.AcceptedLinesResult>(wire.acceptedLines);
  assert.deepEqual(
    lines.map((one) => [one.root, one.line]),
    [[root, line]],
  );
  assert.ok(Date.parse(lines[0]?.at ?? "") > 0);
  assert.equal(refuted(await second.triaged(key)), 1);
  const revoke = async (): Promise<wire.RevokeLineResult> => await second.ask(wire.revokeLine, { root, line });
  assert.deepEqual(await revoke(), { revoked: true });
  assert.deepEqual(await revoke(), { revoked: false });
  appendFileSync(path.join(root, "src/cart.ts"), "\n// one more line\n");
  assert.deepEqual(waiting(await second.triaged(key)), [line]);
});

test("a line of an earlier worker is shown, but not run before it is proposed anew", async (t) => {
  const { start, line } = shop(t, REVIEW);
  const first = await start();
  const { key } = await first.row("enforces");
  await first.triaged(key);
  await first.stop();
  const second = await start({ session: "window-2" });
  const state = await second.state(key);
  assert.deepEqual(waiting(state), [line]);
  assert.equal(state.lines[0]?.permit.allowed, false);
  assert.equal((await second.accept(key, line)).kind, "refused");
  await second.triaged(key);
  assert.deepEqual(await second.accept(key, line), { kind: "started" });
  assert.equal(refuted(await second.once(key, (one) => settled(one) && waiting(one).length === 0)), 1);
});

test("a reproduction runs when it was accepted, leaves its receipt, and settles nothing (R3.1)", async (t) => {
  const { start, root } = shop(t, told("`node reviews/repro.js 'two words'`"));
  writeFileSync(
    path.join(root, "reviews/repro.js"),
    "console.log('given ' + process.argv[2]); console.error('TypeError: note'); process.exitCode = 3;",
  );
  const worker = await start();
  const { key } = await worker.row("firstNote");
  const before = await worker.state(key);
  const line = `${process.execPath} reviews/repro.js 'two words'`;
  assert.deepEqual(
    before.lines.map((one) => [one.line, one.permit.allowed, one.accepted]),
    [[line, true, false]],
  );
  assert.deepEqual(before.reproduction, { text: "node reviews/repro.js 'two words'", line, refused: null, run: null });
  assert.deepEqual(await worker.accept(key, line), { kind: "started" });
  const after = await worker.once(key, ({ reproduction }) => reproduction?.run?.kind === "ran");
  const run = after.reproduction?.run;
  assert.ok(run?.kind === "ran");
  assert.equal(run.receipt.exitCode, 3);
  assert.deepEqual(run.receipt.lines.slice(0, 1), ["given two words"]);
  assert.ok(run.receipt.lines.includes("TypeError: note"));
  assert.deepEqual([after.state, after.outcome, after.checks], [before.state, before.outcome, before.checks]);
  assert.equal(after.lines[0]?.accepted, false, "once is once");
});

test("a reproduction that does not end is stopped by the person", async (t) => {
  const { start, root } = shop(t, told("node reviews/slow.js"));
  const alive = path.join(root, "alive");
  writeFileSync(
    path.join(root, "reviews/slow.js"),
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(alive)}, ""); setInterval(() => {}, 1000);`,
  );
  const worker = await start();
  const { key } = await worker.row("firstNote");
  const line = (await worker.state(key)).lines[0]?.line ?? "";
  await worker.accept(key, line);
  assert.deepEqual((await worker.accept(key, line)).kind, "refused", "it runs already");
  await worker.once(key, () => existsSync(alive));
  await worker.ask(wire.stopLine, { key });
  assert.deepEqual((await worker.state(key)).reproduction?.run, {
    kind: "failed",
    why: "It was stopped.",
    receipt: null,
  });
});

for (const [what, reproduction, why] of [
  ["a pipe", "node a.js | sh", /needs a shell/],
  ["a program that is not there", "no-such-program --now", /no no-such-program to run/],
  ["a shell", "bash -c ls", /bash is never run/],
] as const)
  test(`a reproduction with ${what} stays text, with the reason why it cannot be run`, async (t) => {
    const worker = await shop(t, told(reproduction)).start();
    const state = await worker.state((await worker.row("firstNote")).key);
    assert.equal(state.reproduction?.text, reproduction);
    assert.match(state.reproduction?.refused ?? "", why);
    assert.deepEqual([state.reproduction?.line, state.lines], [null, []]);
  });

for (const [what, more, why] of [
  ["an untrusted workspace", { trusted: false }, /not trusted/],
  [
    "a workspace whose checkers are switched off",
    { settings: { reviewFiles: ["reviews/*.md"], runCheckers: false } },
    /switched off/,
  ],
] as const satisfies readonly (readonly [string, WorkerStart, RegExp])[])
  test(`nothing is offered, run or asked for its version in ${what}`, async (t) => {
    const { start, root, line } = shop(t, `${REVIEW}\n${told("node reviews/mark.js")}`);
    const mark = path.join(root, "mark");
    writeFileSync(
      path.join(root, "reviews/mark.js"),
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`,
    );
    const worker = await start(more);
    const lint = await worker.triaged((await worker.row("enforces")).key);
    assert.deepEqual([waiting(lint), lint.lines, refuted(lint)], [[], [], 0]);
    assert.ok(lint.checks.some(({ text }) => why.test(text)));
    const { key } = await worker.row("a cart without notes");
    const state = await worker.state(key);
    assert.match(state.reproduction?.refused ?? "", why);
    for (const text of [line, `${process.execPath} reviews/mark.js`])
      assert.equal((await worker.accept(key, text, true)).kind, "refused");
    const { folders } = await worker.ask<wire.ListCheckersResult>(wire.listCheckers);
    assert.match(folders[0]?.held ?? "", why);
    assert.deepEqual(folders[0]?.checkers, []);
    assert.deepEqual((await worker.ask<wire.AcceptedLinesResult>(wire.acceptedLines)).lines, []);
    assert.equal(existsSync(mark), false);
  });

test("checkers are listed with version and tier; a program that the person named is the one that is used", async (t) => {
  const { start } = shop(t, REVIEW);
  const own = path.join(
    fakeProgram(
      scratch(t),
      "shellcheck",
      'process.stdout.write("ShellCheck - shell script analysis tool\\nversion: 9.8.7\\n")',
    ),
    "shellcheck",
  );
  const worker = await start({ settings: { reviewFiles: ["reviews/*.md"], checkers: { shellcheck: own } } });
  const { folders } = await worker.ask<wire.ListCheckersResult>(wire.listCheckers);
  const rows = new Map(folders[0]?.checkers.map((row) => [row.tool, row]));
  assert.equal(folders[0]?.held, null);
  assert.equal(rows.size, 13);
  const { program, version, tier } = rows.get("shellcheck") ?? {};
  assert.deepEqual([program, version, tier], [own, "9.8.7", 1]);
  assert.deepEqual([rows.get("eslint")?.version, rows.get("eslint")?.tier], ["9.39.5", 2]);
});
