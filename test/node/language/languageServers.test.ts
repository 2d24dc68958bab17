import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import test, { after, before } from "node:test";
import type { LanguageRun } from "../../../src/core/ports.ts";
import { sha256 } from "../../../src/node/hash.ts";
import { createLanguageServers, type LanguageTransport } from "../../../src/node/language/languageServers.ts";
import { createMask } from "../../../src/node/mask/mask.ts";
import { createRepository } from "../../../src/node/repository/repository.ts";

const KEY = "AKIAQ3EGRTYHPLM4N7XZ";
let base = "";
let root = "";

before(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), "triage-language-"));
  root = path.join(base, "work");
  await mkdir(path.join(root, "src"), { recursive: true });
  await mkdir(path.join(root, ".git"));
  await writeFile(path.join(root, "src/a.ts"), `export const a = 1;\nuse("${KEY}", a);\n`);
  await writeFile(path.join(root, "review.md"), "a\n");
  await writeFile(path.join(root, ".gitignore"), "dist\n");
  await mkdir(path.join(root, "dist"));
  await writeFile(path.join(root, "dist/a.js"), "secret\n");
  await writeFile(path.join(root, ".git/config"), "secret\n");
  await writeFile(path.join(base, "outside.ts"), "a\n");
  await symlink(path.join(base, "outside.ts"), path.join(root, "src/link.ts"));
});
after(async () => await rm(base, { recursive: true, force: true }));

async function ask(
  transport: LanguageTransport,
  options: { file?: string; deadlineMs?: number; signal?: AbortSignal } = {},
): Promise<LanguageRun> {
  const servers = createLanguageServers({
    root,
    repository: createRepository({ root, liveText: () => undefined }),
    mask: createMask(),
    hash: sha256,
    now: () => new Date(),
    withheld: (file) => file === "review.md",
    transport,
    deadlineMs: options.deadlineMs ?? 1000,
  });
  const question = { ask: "references", file: options.file ?? "src/a.ts", line: 1, column: 13 } as const;
  return await servers.ask(question, "check", options.signal ?? new AbortController().signal);
}

const replying =
  (reply: unknown): LanguageTransport =>
  async () => ({ kind: "replied", reply });
const answered = (places: readonly unknown[], more: object = {}): LanguageTransport =>
  replying({ kind: "answered", places, texts: [], cut: false, ...more });
const place = (name: string, line = 1, column = 0) => ({ path: path.join(root, name), line, column });

test("a place of the workspace comes back relative and re-read, with a receipt that names question and asker", async () => {
  const { answer, receipt } = await ask(answered([place("src/a.ts", 2, 31), place("src/a.ts", 2, 31)]));
  assert.deepEqual(answer, { kind: "known", places: [{ file: "src/a.ts", line: 2, column: 31 }], texts: [] });
  assert.ok(receipt);
  assert.deepEqual(
    [receipt.verb, receipt.argv, receipt.cwd, receipt.by, receipt.exitCode],
    ["language", ["references", "src/a.ts:1:13"], ".", "check", null],
  );
  assert.equal(receipt.lines.length, 1);
  assert.match(receipt.lines[0] ?? "", /^src\/a\.ts:2:31: use\("\[REDACTED:/);
  assert.equal(receipt.outputHash, sha256(receipt.lines[0] ?? ""));
});

test("secrets in hovers are masked in the answer and in the receipt", async () => {
  const { answer, receipt } = await ask(answered([], { texts: [`const key = "${KEY}"`] }));
  assert.ok(!JSON.stringify([answer, receipt]).includes(KEY));
  assert.ok(answer.kind === "known" && answer.texts[0]?.includes("[REDACTED:"));
});

const HOSTILE: readonly (readonly [string, () => { path: string; line: number; column: number }])[] = [
  ["a file outside", () => ({ path: path.join(base, "outside.ts"), line: 1, column: 0 })],
  ["a way out with ..", () => ({ path: `${root}/src/../../outside.ts`, line: 1, column: 0 })],
  ["a link that leads out", () => place("src/link.ts")],
  ["git's own store", () => place(".git/config")],
  ["what version control ignores", () => place("dist/a.js")],
  ["a review file", () => place("review.md")],
  ["a file that is not there", () => place("src/gone.ts")],
  ["a relative path", () => ({ path: "src/a.ts", line: 1, column: 0 })],
  ["a NUL", () => ({ path: `${root}/src/a.ts\0`, line: 1, column: 0 })],
  ["the folder itself", () => ({ path: root, line: 1, column: 0 })],
  ["a line past the end", () => place("src/a.ts", 900)],
  ["a column past the end", () => place("src/a.ts", 1, 900)],
];

for (const [what, hostile] of HOSTILE) {
  test(`${what} does not count, and the receipt says that something was dropped`, async () => {
    const { answer, receipt } = await ask(answered([hostile()]));
    assert.deepEqual(answer, { kind: "known", places: [], texts: [] });
    assert.ok(receipt?.lines.some((line) => line.startsWith("[1 places are not in files")));
    assert.ok(!receipt?.lines.some((line) => line.includes("secret") || line.includes("outside")));
  });
}

const WRONG: readonly (readonly [string, unknown])[] = [
  ["nothing", null],
  ["a text", "src/a.ts:1"],
  [
    "thousands of places",
    {
      kind: "answered",
      places: Array.from({ length: 5000 }, () => ({ path: "/a", line: 1, column: 0 })),
      texts: [],
      cut: false,
    },
  ],
  ["a text without end", { kind: "answered", places: [], texts: ["x".repeat(100_000)], cut: false }],
  ["line 0", { kind: "answered", places: [{ path: "/a", line: 0, column: 0 }], texts: [], cut: false }],
  ["half a line", { kind: "answered", places: [{ path: "/a", line: 1.5, column: 0 }], texts: [], cut: false }],
  ["unknown with its reason", { kind: "unknown", why: "starting" }],
];

for (const [what, reply] of WRONG) {
  test(`a client that replies with ${what} leaves the question unknown`, async () => {
    const { answer, receipt } = await ask(replying(reply));
    assert.equal(answer.kind, "unknown");
    assert.ok(receipt && receipt.lines.length > 0, "the reason stands in the receipt");
    assert.ok(receipt.lines.join("\n").length < 1000);
  });
}

test("an error of the client is unknown with its words, masked", async () => {
  const { answer } = await ask(async () => await Promise.reject(new Error(`no ${KEY}`)));
  assert.ok(answer.kind === "unknown" && answer.why.includes("[REDACTED:") && !answer.why.includes(KEY));
});

test(
  "a client that never answers is unknown within its two tries, and is told to stop",
  { timeout: 5000 },
  async () => {
    let stopped = false;
    const start = performance.now();
    const { answer } = await ask(
      (_params, signal) => new Promise(() => signal.addEventListener("abort", () => (stopped = true), { once: true })),
      { deadlineMs: 50 },
    );
    assert.deepEqual([answer.kind, stopped], ["unknown", true]);
    assert.ok(performance.now() - start < 2000);
  },
);

test(
  "a client that let two questions pass is left alone for a minute, without a receipt",
  { timeout: 5000 },
  async () => {
    let [asked, now] = [0, 0];
    const servers = createLanguageServers({
      root,
      repository: createRepository({ root, liveText: () => undefined }),
      mask: createMask(),
      hash: sha256,
      now: () => new Date(now),
      withheld: () => false,
      transport: async () => await new Promise(() => (asked += 1)),
      deadlineMs: 10,
    });
    const question = { ask: "hover", file: "src/a.ts", line: 1, column: 13 } as const;
    const once = async () => await servers.ask(question, "check", new AbortController().signal);
    const receipts = [await once(), await once(), await once()].map(({ receipt }) => receipt !== null);
    assert.deepEqual([receipts, asked], [[true, true, false], 2]);
    now += 61_000;
    await once();
    assert.equal(asked, 3);
  },
);

test("cancelling rejects at once with the signal's reason, whatever the client does", { timeout: 2000 }, async () => {
  const controller = new AbortController();
  const asked = ask(async () => await new Promise(() => undefined), { signal: controller.signal });
  controller.abort(new Error("stop"));
  await assert.rejects(asked, /stop/);
});

test("where there is nobody to ask, no receipt is left", async () => {
  assert.deepEqual(await ask(async () => ({ kind: "nobody" })), {
    answer: { kind: "unknown", why: "There are no language servers to ask." },
    receipt: null,
  });
});

test("a file outside the workspace is never asked about", async () => {
  let asked = 0;
  const count: LanguageTransport = async () => ({ kind: "failed", why: String((asked += 1)) });
  for (const file of ["../outside.ts", "/etc/passwd", "src/link.ts", ".git/config"])
    assert.equal((await ask(count, { file })).answer.kind, "unknown");
  assert.equal(asked, 0);
});
