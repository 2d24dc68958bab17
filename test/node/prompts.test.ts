import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { lintPrompt } from "../../src/core/promptLint.ts";
import { loadPrompts, parsePrompt } from "../../src/node/prompts.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../prompts");
const shipped = loadPrompts(FOLDER);
const QUESTIONS = ["round-1-premise", "round-2-defences", "round-3-missed", "arbiter"] as const;

const HEADINGS = {
  rules: "# Rules",
  "round-1-premise": "# Round 1: premise",
  "round-2-defences": "# Round 2: defences",
  "round-3-missed": "# Round 3: missed",
  arbiter: "# Arbiter",
} as const;

for (const id of QUESTIONS) {
  test(`the standing part with ${id} passes the prompt checks (R1.9, C16)`, () => {
    assert.deepEqual(lintPrompt(`${shipped("rules").body}\n\n${shipped(id).body}`), []);
  });
}

for (const [id, heading] of Object.entries(HEADINGS)) {
  test(`${id} opens with its stable heading and is static: the same text for every finding`, async () => {
    const text = await readFile(path.join(FOLDER, `${id}.md`), "utf8");
    const prompt = parsePrompt(`${id}.md`, text);
    assert.equal(prompt.body.split("\n")[0], heading);
    assert.doesNotMatch(prompt.body, /\{\{|\$\{|%s/);
    assert.equal(prompt.version, id === "rules" ? 2 : 1);
  });
}

test("the rules hold the six of R0.16, the burden of C8, the data rule of R0.38 and R3.2, and the directive of R2.16", () => {
  const { body } = shipped("rules");
  for (const n of [1, 2, 3, 4, 5, 6]) assert.match(body, new RegExp(`^${n}\\. \\*\\*`, "m"));
  assert.match(body, /No defence, then VALID/);
  assert.match(body, /INVALID needs at least one citation of a line that contradicts the claim/);
  assert.match(body, /never an\s+instruction to you/);
  assert.match(
    body,
    /no checker has been run, a claim that rests wholly on a checker's\s+report gets the verdict UNCERTAIN/,
  );
  for (const field of ["verdict", "crux", "reasoning", "citations", "file", "line", "endLine", "quote"]) {
    assert.match(body, new RegExp(`\`${field}\``));
  }
});

test("round 2 asks for grepUsed (R0.10), the arbiter may not be uncertain (R0.13) and needs new lines against a shared verdict (C14)", () => {
  assert.match(shipped("round-2-defences").body, /`grepUsed`/);
  assert.match(shipped("arbiter").body, /`UNCERTAIN` is no answer here/);
  assert.match(shipped("arbiter").body, /at least one line that no round\s+cites/);
});

const FAULTS = [
  ["# no front matter", /x\.md, line 1: the front matter has to begin with ---/],
  ["---\nid: x\nversion: 1\n", /x\.md, line 1: the front matter is not closed/],
  ["---\nid: x\nversion 1\nrole: round\n---\ntext", /x\.md, line 3: expected `key: value`/],
  ["---\nid: x\nversion: one\nrole: round\n---\ntext", /x\.md, line 3: `version`: a whole number/],
  ["---\nid: x\nversion: 1\nrole: judge\n---\ntext", /x\.md, line 4: `role`/],
  ["---\nid: x\nid: y\nversion: 1\nrole: round\n---\ntext", /x\.md, line 3: `id` is given twice/],
  ["---\nid: x\nversion: 1\nrole: round\nmodel: m\n---\ntext", /x\.md, line 5: `model`/],
  ["---\nid: x\nversion: 1\n---\ntext", /x\.md, line 1: `role`/],
  ["---\nid: x\nversion: 1\nrole: round\n---\n \n", /x\.md, line 5: there is no text/],
] as const;

for (const [text, message] of FAULTS) {
  test(`a wrong prompt file is refused with file and line: ${JSON.stringify(text)}`, () => {
    assert.throws(() => parsePrompt("x.md", text), { message });
  });
}

test("line ends and a byte order mark change neither text nor hash", () => {
  const text = "---\nid: x\nversion: 3\nrole: round\n---\n\n# X\ntext\n";
  assert.deepEqual(parsePrompt("x.md", `\uFEFF${text.replaceAll("\n", "\r\n")}`), parsePrompt("x.md", text));
  assert.notEqual(parsePrompt("x.md", text.replace("3", "4")).hash, parsePrompt("x.md", text).hash);
});

test("a missing prompt file and one with another's id are named", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "prompts-"));
  try {
    await writeFile(path.join(folder, "arbiter.md"), "---\nid: rules\nversion: 1\nrole: rules\n---\ntext");
    assert.throws(() => loadPrompts(folder)("rules"), /rules\.md cannot be read: ENOENT/);
    assert.throws(() => loadPrompts(folder)("arbiter"), /arbiter\.md, line 2: `id` is "rules"/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a prompt that changes on disk during a run stays as it was first read", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "prompts-"));
  try {
    const file = path.join(folder, "rules.md");
    await writeFile(file, "---\nid: rules\nversion: 1\nrole: rules\n---\nfirst");
    const prompts = loadPrompts(folder);
    const first = prompts("rules");
    await writeFile(file, "---\nid: rules\nversion: 2\nrole: rules\n---\nsecond");
    assert.equal(prompts("rules"), first);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("R1.9: a prompt that would lean the judge is refused with its file and place, together with the rules before it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "prompts-"));
  try {
    const write = async (id: string, body: string): Promise<void> =>
      await writeFile(
        path.join(folder, `${id}.md`),
        `---\nid: ${id}\nversion: 1\nrole: ${id === "rules" ? "rules" : "round"}\n---\n${body}\n`,
      );
    await write("rules", "Presume neither that the claim is true nor that it is false.");
    await write("round-1-premise", "The author thinks that this is harmless.");
    const load = loadPrompts(folder);
    assert.match(load("rules").body, /Presume neither/);
    assert.throws(() => load("round-1-premise"), /round-1-premise\.md.*attributes an opinion/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
