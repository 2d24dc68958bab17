import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import test, { after, before } from "node:test";
import { type AskLanguageParams, AskLanguageResult } from "../../src/protocol/language.ts";
import { LanguageFacts, type LanguageHost } from "../../src/vscode/languageFacts.ts";

let base = "";
let root = "";
let file = "";

before(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), "triage-facts-"));
  root = path.join(base, "work");
  file = path.join(root, "a.ts");
  await mkdir(root);
  await writeFile(file, "export const a = 1;\n");
  await writeFile(path.join(base, "outside.ts"), "a\n");
  await symlink(path.join(base, "outside.ts"), path.join(root, "link.ts"));
});
after(async () => await rm(base, { recursive: true, force: true }));

const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
const range = (line: number, character: number) => ({ start: { line, character }, end: { line, character } });
const location = (name: string, line: number, character = 0) => ({
  uri: { scheme: "file", fsPath: path.join(root, name) },
  range: range(line, character),
});
const READY = ["a symbol"];

interface Scripted extends LanguageHost {
  readonly calls: string[];
}

/** An editor whose providers are the test's; ready, and without an answer to anything that is not scripted. */
function host(script: Partial<LanguageHost> = {}): Scripted {
  const calls: string[] = [];
  return {
    folders: () => [root],
    open: async () => undefined,
    symbols: async () => READY,
    incomingCalls: async () => [],
    diagnostics: () => [],
    ...script,
    calls,
    provide: async (command, name, line, column) => {
      calls.push(`${command} ${path.basename(name)}:${line}:${column}`);
      return (await script.provide?.(command, name, line, column)) ?? [];
    },
  };
}

function params(more: Partial<AskLanguageParams> = {}): AskLanguageParams {
  return { ask: "references", path: file, line: 1, column: 13, deadlineMs: 60, ...more };
}

async function answer(scripted: LanguageHost, more: Partial<AskLanguageParams> = {}): Promise<AskLanguageResult> {
  const given = await new LanguageFacts(scripted).answer(params(more), never);
  assert.equal(AskLanguageResult.safeParse(given).success, true, "what is sent keeps to its own bounds");
  return given;
}

test("locations and links become places, the selection of a link first, each once", async () => {
  const link = {
    targetUri: { scheme: "file", fsPath: path.join(root, "b.ts") },
    targetRange: range(0, 0),
    targetSelectionRange: range(3, 7),
  };
  const given = await answer(host({ provide: async () => [location("a.ts", 4, 2), link, location("a.ts", 4, 2)] }));
  assert.deepEqual(given, {
    kind: "answered",
    places: [
      { path: path.join(root, "a.ts"), line: 5, column: 2 },
      { path: path.join(root, "b.ts"), line: 4, column: 7 },
    ],
    texts: [],
    cut: false,
  });
});

for (const [ask, command] of [
  ["definition", "vscode.executeDefinitionProvider"],
  ["references", "vscode.executeReferenceProvider"],
  ["implementations", "vscode.executeImplementationProvider"],
  ["incomingCalls", "vscode.prepareCallHierarchy"],
  ["hover", "vscode.executeHoverProvider"],
] as const) {
  test(`${ask} asks ${command} at the place of the question`, async () => {
    const scripted = host();
    await answer(scripted, { ask });
    assert.deepEqual(scripted.calls, [`${command} a.ts:1:13`]);
  });
}

test("incoming calls are the ranges of all callers of every item", async () => {
  const given = await answer(
    host({
      provide: async () => ["one", "two"],
      incomingCalls: async (item) => [
        { from: location(`${String(item)}.ts`, 0), fromRanges: [range(1, 2), range(5, 0)] },
      ],
    }),
    { ask: "incomingCalls" },
  );
  assert.ok(given.kind === "answered");
  assert.deepEqual(
    given.places.map((place) => `${path.basename(place.path)}:${place.line}:${place.column}`),
    ["one.ts:2:2", "one.ts:6:0", "two.ts:2:2", "two.ts:6:0"],
  );
});

test("hovers are text without fences, whatever shape they come in", async () => {
  const contents = [
    { value: "```typescript\n(alias) type Cents = number\n```" },
    "plain",
    { language: "ts", value: "x" },
    7,
  ];
  const given = await answer(host({ provide: async () => [{ contents }, { contents: "single" }, null, "odd"] }), {
    ask: "hover",
  });
  assert.deepEqual(given.kind === "answered" && given.texts, ["(alias) type Cents = number", "plain", "x", "single"]);
});

test("problems are those that cover the line, with their source", async () => {
  const problem = (line: number, message: string) => ({ range: range(line, 3), message, source: "ts" });
  const given = await answer(host({ diagnostics: () => [problem(0, "here"), problem(1, "elsewhere"), "odd"] }), {
    ask: "diagnostics",
  });
  assert.deepEqual(given, {
    kind: "answered",
    places: [{ path: file, line: 1, column: 3 }],
    texts: ["ts: here"],
    cut: false,
  });
});

test("empty is an answer only where the file has symbols", async () => {
  assert.deepEqual(await answer(host()), { kind: "answered", places: [], texts: [], cut: false });
  for (const symbols of [[], undefined, null, "symbols"])
    assert.equal((await answer(host({ symbols: async () => symbols }))).kind, "unknown");
});

test("a server that starts is asked once more, and its later answer counts", async () => {
  let tries = 0;
  const given = await answer(
    host({ provide: async () => ((tries += 1) === 1 ? [] : [location("a.ts", 2)]), symbols: async () => [] }),
  );
  assert.deepEqual([given.kind, tries], ["answered", 2]);
});

test("a language that was not ready is not waited for again until it has had time", async () => {
  let now = 0;
  const scripted = host({ symbols: async () => [] });
  const facts = new LanguageFacts(scripted, () => (now += 40));
  const tries = async (): Promise<number> => {
    const earlier = scripted.calls.length;
    assert.equal((await facts.answer(params(), never)).kind, "unknown");
    return scripted.calls.length - earlier;
  };
  assert.deepEqual([await tries(), await tries()], [2, 1]);
  now += 10_000;
  assert.equal(await tries(), 2);
});

test("a provider that never answers is unknown within two deadlines and a pause", { timeout: 5000 }, async () => {
  const start = performance.now();
  const given = await answer(host({ provide: async () => await new Promise(() => undefined) }));
  assert.equal(given.kind, "unknown");
  assert.ok(performance.now() - start < 1000);
});

for (const step of ["open", "provide", "symbols"] as const) {
  test(`an editor that fails to ${step} leaves the question unknown`, async () => {
    const fails = async (): Promise<never> => await Promise.reject(new Error("x".repeat(5000)));
    assert.equal((await answer(host({ [step]: fails }))).kind, "unknown");
  });
}

test("ten thousand references are cut, said to be cut, and hold nobody up", async () => {
  const many = Array.from({ length: 10_000 }, (_unused, line) => location("a.ts", line));
  const scripted = host({ provide: async () => many });
  await answer(scripted);
  const start = performance.now();
  const given = await answer(scripted);
  const took = performance.now() - start;
  assert.ok(given.kind === "answered");
  assert.deepEqual([given.places.length, given.cut], [200, true]);
  assert.ok(took < 50, `${took} ms`);
});

test("places outside the folders, of other schemes and of other shapes are left out", async () => {
  const hostile = [
    { uri: { scheme: "file", fsPath: path.join(base, "outside.ts") }, range: range(0, 0) },
    { uri: { scheme: "file", fsPath: `${root}/../outside.ts` }, range: range(0, 0) },
    { uri: { scheme: "file", fsPath: root }, range: range(0, 0) },
    { uri: { scheme: "untitled", fsPath: path.join(root, "a.ts") }, range: range(7, 0) },
    { uri: { scheme: "file", fsPath: path.join(root, "a.ts") }, range: range(-1, 0) },
    { uri: { scheme: "file" }, range: range(0, 0) },
    { uri: "file:///a.ts", range: range(0, 0) },
    null,
    7,
    location("a.ts", 0),
  ];
  const given = await answer(host({ provide: async () => hostile }));
  assert.deepEqual(given.kind === "answered" && given.places, [{ path: file, line: 1, column: 0 }]);
});

test("only files inside the open folders are asked about, links resolved", async () => {
  const scripted = host();
  for (const name of [
    path.join(base, "outside.ts"),
    path.join(root, "link.ts"),
    `${root}/../work/a.ts`,
    path.join(root, "gone.ts"),
    "a.ts",
    root,
    `${file}\0`,
  ])
    assert.equal((await answer(scripted, { path: name })).kind, "unknown", name);
  assert.deepEqual(scripted.calls, []);
});

test("a file of megabytes is not loaded into the editor", async () => {
  const large = path.join(root, "large.ts");
  await writeFile(large, " ".repeat(1_000_001));
  let opened = 0;
  const scripted = host({ open: async () => void (opened += 1) });
  assert.equal((await answer(scripted, { path: large })).kind, "unknown");
  assert.deepEqual([opened, scripted.calls], [0, []]);
});

test("a folder that is opened through a link is known by both its names", async () => {
  const link = path.join(base, "link");
  await symlink(root, link);
  const scripted = host({ folders: () => [link], provide: async () => [location("a.ts", 0)] });
  const given = await answer(scripted, { path: path.join(link, "a.ts") });
  assert.deepEqual(given.kind === "answered" && given.places, [{ path: file, line: 1, column: 0 }]);
});

test("a question of another shape is refused without asking anybody", async () => {
  const scripted = host();
  for (const wrong of [
    null,
    {},
    { ...params(), ask: "rename" },
    { ...params(), line: 0 },
    { ...params(), deadlineMs: 1e9 },
  ])
    assert.equal((await new LanguageFacts(scripted).answer(wrong, never)).kind, "unknown");
  assert.deepEqual(scripted.calls, []);
});

test("a cancelled question ends at once and is not tried again", { timeout: 2000 }, async () => {
  let cancel: () => void = () => undefined;
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (heard: (event: unknown) => unknown) => {
      cancel = () => {
        token.isCancellationRequested = true;
        heard(undefined);
      };
      return { dispose: () => undefined };
    },
  };
  const scripted = host({ provide: async () => await new Promise(() => setTimeout(cancel, 5)) });
  const given = await new LanguageFacts(scripted).answer(params({ deadlineMs: 10_000 }), token);
  assert.equal(given.kind, "unknown");
  assert.equal(scripted.calls.length, 1);
});
