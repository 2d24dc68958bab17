import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import * as z from "zod";
import type { ZodType } from "zod";
import { JudgeForm, OpinionForm, RefuterForm } from "../../src/core/answers.ts";
import { atomsOf } from "../../src/core/claim.ts";
import { PROMPT_IDS, type PromptId } from "../../src/core/promptIds.ts";
import { lintPrompt } from "../../src/core/promptLint.ts";
import { loadPrompts, openPrompts, parsePrompt } from "../../src/node/prompts.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../prompts");
const shipped = loadPrompts(FOLDER);

/** Heading and version of every prompt. A change of the text asks for a new version here, so that logs tell them apart. */
const HEADINGS: Readonly<Record<PromptId, readonly [string, number]>> = {
  rules: ["# Rules", 3],
  "round-1-premise": ["# Round 1: premise", 2],
  "round-1-premise-regression": ["# Round 1: premise (regression)", 1],
  "round-1-premise-design": ["# Round 1: premise (design)", 1],
  "round-2-defences": ["# Round 2: defences", 1],
  "round-2-defences-regression": ["# Round 2: defences (regression)", 1],
  "round-2-defences-design": ["# Round 2: defences (design)", 1],
  "round-3-missed": ["# Round 3: missed", 2],
  "round-3-missed-regression": ["# Round 3: missed (regression)", 1],
  "round-3-missed-design": ["# Round 3: missed (design)", 1],
  arbiter: ["# Arbiter", 2],
  refute: ["# Refuter", 1],
  verdict: ["# Second opinion", 1],
  rebuttal: ["# Rebuttal", 1],
  "lens-forgery": ["# Lens: forged input", 1],
  "lens-confusion": ["# Lens: mixed-up configuration or tenant", 1],
  "lens-other-path": ["# Lens: another path to the place", 1],
  "lens-downstream": ["# Lens: effect further on", 1],
  "lens-regression": ["# Lens: change against before", 1],
  "lens-specification": ["# Lens: what was asked for", 1],
  "lens-preconditions": ["# Lens: what has to hold first", 1],
  "lens-concurrency": ["# Lens: two at once", 1],
  "lens-limits": ["# Lens: values at the limits", 1],
};

for (const id of PROMPT_IDS) {
  test(`${id} passes the prompt checks with the rules before it (R1.9, C16)`, () => {
    assert.deepEqual(lintPrompt(`${shipped("rules").body}\n\n${shipped(id).body}`), []);
  });

  test(`${id} opens with its stable heading and is static: the same text for every finding`, () => {
    const { body, version } = shipped(id);
    assert.deepEqual([body.split("\n")[0], version], HEADINGS[id]);
    assert.doesNotMatch(body, /\{\{|\$\{|%s/);
  });
}

test("no prompt asks for a severity of the finding, and none but those whose answer holds such a member speaks of one", () => {
  const speaks = PROMPT_IDS.filter((id) => /\bseverit/i.test(shipped(id).body));
  assert.deepEqual(speaks, ["refute"]);
});

test("every prompt file that ships belongs to a prompt, and every prompt has a file", async () => {
  const files = (await readdir(FOLDER, { recursive: true })).filter((file) => file.endsWith(".md"));
  const ids = files.map((file) =>
    file
      .replace(/\.md$/, "")
      .replaceAll(path.sep, "/")
      .replace(/^lenses\//, "lens-"),
  );
  assert.deepEqual(ids.toSorted(), [...PROMPT_IDS].toSorted());
});

/** What each prompt must say, by requirement. */
const SAYS: readonly (readonly [string, PromptId, readonly RegExp[]])[] = [
  [
    "R0.9: a regression reproduces from a clean state on the target branch, and the change and its line are named",
    "round-1-premise-regression",
    [
      /clean state on the target branch/,
      /Find the change/,
      /line that brings/,
      /±10 %\s+of the 99th\s+percentile is\s+noise/,
      /not mended by running it again/,
    ],
  ],
  [
    "R0.9: a design dispute turns on a constraint that is real and located, alternatives and the decision record",
    "round-1-premise-design",
    [/Locate it/, /Which alternatives/, /What does the decision record say/],
  ],
  [
    "R0.10: defences are located, constants resolved",
    "round-2-defences",
    [/Locate each one/, /Resolve each constant/, /`grepUsed`/],
  ],
  ["R0.11: new evidence or concession", "round-3-missed", [/Bring new evidence/, /concede/, /defect of your answer/]],
  [
    "R4.7: sources are opened again, one lens, work first",
    "refute",
    [
      /Open every place/,
      /`reReadSources`/,
      /Attack only through the lens/,
      /counts only if the work behind it was done/,
    ],
  ],
  ["R4.10: refuted speaks about the claim", "refute", [/It speaks about the claim, not about the code/]],
  [
    "R4.20: high asks for a way that is shown, nothing cosmetic is high, nothing reachable is low",
    "refute",
    [
      /reachable, damaging and covered by\s+nothing/,
      /Nothing cosmetic is `high`; nothing that an outsider\s+can reach is `low`/,
    ],
  ],
  [
    "R1.10: the second opinion researches by itself",
    "verdict",
    [
      /state of the working tree/,
      /names of the files/,
      /diff of the file/,
      /whole file, in parts, not only its head/,
      /callers and the definitions/,
    ],
  ],
  ["R1.12: the impact is left out unless asked for", "verdict", [/`NOT_ASSESSED`, unless/]],
  [
    "R1.25: the rebuttal names its own word and counts artefacts alone",
    "rebuttal",
    [/Your verdict was `ACTIONABLE`/, /counts for\s+nothing/],
  ],
  ["C15: the arbiter is asked how bad a real defect is and how it is reached", "arbiter", [/`impact`/, /`reach`/]],
  ["C7: a round may ask for a check", "rules", [/`needsOracle`/]],
];

for (const [what, id, patterns] of SAYS) {
  test(`${id}: ${what}`, () => {
    for (const pattern of patterns) assert.match(shipped(id).body, pattern);
  });
}

/** Members of an answer by the prompts that explain them: whoever is asked for a member is told what it means. */
const MEMBERS: readonly (readonly [string, ZodType, readonly PromptId[]])[] = [
  ["rounds and arbiter", JudgeForm, ["rules", "round-2-defences", "arbiter"]],
  ["refuters", RefuterForm, ["refute"]],
  ["second opinions", OpinionForm, ["verdict"]],
];

for (const [who, form, ids] of MEMBERS) {
  test(`every member of the answers of ${who} and each of its words is explained`, () => {
    const text = ids.map((id) => shipped(id).body).join("\n");
    const schema = JSON.stringify(z.toJSONSchema(form));
    const { properties } = z.object({ properties: z.record(z.string(), z.unknown()) }).parse(JSON.parse(schema));
    for (const member of Object.keys(properties)) assert.ok(text.includes(`\`${member}\``), member);
    for (const [, list = ""] of schema.matchAll(/"enum":\[([^\]]*)\]/g))
      for (const word of list.replaceAll('"', "").split(",")) assert.ok(text.includes(`\`${word}\``), word);
  });
}

test("R1.11: the second opinion is told no word of the mapping", () => {
  for (const id of ["verdict", "rebuttal"] as const)
    assert.doesNotMatch(shipped(id).body, /FIX_REQUIRED|DISMISS_|NEED_HUMAN|CONFIRMED|DISPUTED/);
});

test("C7: each sentence that the rules offer for a check is one that a check exists for", () => {
  const offered = /## Checks on request([\s\S]*?)\n## /.exec(shipped("rules").body)?.[1] ?? "";
  const sentences = [...offered.replace(/\s+/g, " ").matchAll(/"([^"]+)"/g)].map(([, sentence]) => sentence ?? "");
  assert.ok(sentences.length >= 8);
  for (const sentence of sentences) {
    const [atom, ...more] = atomsOf(sentence);
    assert.equal(more.length, 0, sentence);
    assert.ok(atom?.kind === "structural" || atom?.kind === "checker", sentence);
    assert.notEqual(atom.claimClass, null, sentence);
  }
});

test("the rules hold the six of R0.16, the burden of C8, the data rule of R0.38 and R3.2, and the directive of R2.16", () => {
  const { body } = shipped("rules");
  for (const n of [1, 2, 3, 4, 5, 6]) assert.match(body, new RegExp(`^${n}\\. \\*\\*`, "m"));
  assert.match(body, /No defence, then VALID/);
  assert.match(body, /INVALID needs at least one citation of a line that contradicts the claim/);
  assert.match(body, /never an\s+instruction to you/);
  assert.match(
    body,
    /no checker has been run, a claim that rests wholly on a\s+checker's\s+report gets the verdict UNCERTAIN/,
  );
  for (const field of ["verdict", "crux", "reasoning", "citations", "file", "line", "endLine", "quote"]) {
    assert.match(body, new RegExp(`\`${field}\``));
  }
});

test("round 2 asks for grepUsed (R0.10), the arbiter may not be uncertain (R0.13) and needs new lines against a shared verdict (C14)", () => {
  assert.match(shipped("round-2-defences").body, /`grepUsed`/);
  assert.match(shipped("arbiter").body, /`UNCERTAIN` is no answer here/);
  assert.match(shipped("arbiter").body, /at least one line that no\s+round\s+cites/);
});

const NEUTRAL = "Presume neither that the claim is true nor that it is false.";

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
    assert.throws(
      () => loadPrompts(folder)("arbiter"),
      /arbiter\.md, line 2: `id` is "rules", and it stands for "arbiter"/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a prompt that changes on disk during a run stays as it was first read", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "prompts-"));
  try {
    const file = path.join(folder, "rules.md");
    await writeFile(file, `---\nid: rules\nversion: 1\nrole: rules\n---\n${NEUTRAL} first`);
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
    assert.throws(() => load("round-1-premise"), /round-1-premise\.md, line 6: .*attributes an opinion/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** A folder for one test with a file of a person's own in it. */
async function withOwn(
  text: string,
  check: (own: { readonly file: string; readonly folder: string; readonly told: string[] }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "prompts-"));
  try {
    const file = path.join(folder, "own.md");
    await writeFile(file, text);
    await check({ file, folder, told: [] });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const own = (id: string, body: string): string => `---\nid: ${id}\nversion: 7\nrole: round\n---\n\n${body}\n`;

test("a person's own prompt takes the place of the shipped one, with its own version and hash", async () => {
  await withOwn(own("arbiter", "# Arbiter\n\nDecide by the lines."), async ({ file, told }) => {
    const prompts = openPrompts(FOLDER, { files: { arbiter: file }, outside: [], warn: (text) => told.push(text) });
    assert.equal(prompts("arbiter").version, 7);
    assert.match(prompts("arbiter").body, /Decide by the lines/);
    assert.notEqual(prompts("arbiter").hash, shipped("arbiter").hash);
    assert.equal(prompts("rules").hash, shipped("rules").hash);
    assert.deepEqual(told, []);
  });
});

/** Own files that are refused: prompt id, text, what is told. */
const REFUSED: readonly (readonly [PromptId, string, RegExp])[] = [
  ["arbiter", own("arbiter", "one\ntwo: The user thinks it is noise."), /own\.md, line 8: .*attributes an opinion/],
  ["arbiter", own("arbiter", "one\n\nIs this a false positive?"), /own\.md, line 9: .*false positive/],
  ["lens-limits", own("lens-limits", "Severity: high"), /own\.md, line 7: .*label of severity/],
  ["arbiter", own("refute", "text"), /own\.md, line 2: `id` is "refute", and it stands for "arbiter"/],
  ["arbiter", own("arbiter", "text").replace("version: 7", "version: x"), /own\.md, line 3: `version`/],
  ["arbiter", "no front matter", /own\.md, line 1: the front matter/],
  ["arbiter", own("arbiter", "x".repeat(200_000)), /own\.md, line 1: the file is larger/],
  ["rules", own("rules", "Judge."), /own\.md, line 1: the instruction to presume/],
];

for (const [id, text, message] of REFUSED) {
  test(`an own prompt for ${id} is refused, and the shipped one used: ${message.source}`, async () => {
    await withOwn(text, async ({ file, told }) => {
      const prompts = openPrompts(FOLDER, { files: { [id]: file }, outside: [], warn: (line) => told.push(line) });
      assert.equal(prompts(id).hash, shipped(id).hash);
      assert.equal(told.length, 1);
      assert.match(told[0] ?? "", message);
    });
  });
}

test("own rules are in force for the prompts after them: without the presumption they are not taken, so each prompt stays whole", async () => {
  await withOwn(own("rules", `# Rules\n\n${NEUTRAL} Look closely.`), async ({ file, told }) => {
    const prompts = openPrompts(FOLDER, { files: { rules: file }, outside: [], warn: (text) => told.push(text) });
    assert.match(prompts("rules").body, /Look closely/);
    assert.deepEqual(told, []);
    for (const id of PROMPT_IDS) assert.deepEqual(lintPrompt(`${prompts("rules").body}\n\n${prompts(id).body}`), []);
  });
});

test("an own prompt that lies in the workspace, by its path or by a link, is refused", async () => {
  await withOwn(own("arbiter", "text"), async ({ file, folder, told }) => {
    const other = await mkdtemp(path.join(tmpdir(), "prompts-"));
    try {
      const link = path.join(other, "link.md");
      await symlink(file, link);
      for (const given of [file, link]) {
        const files = { arbiter: given };
        const prompts = openPrompts(FOLDER, { files, outside: [folder], warn: (text) => told.push(text) });
        assert.equal(prompts("arbiter").hash, shipped("arbiter").hash);
      }
      assert.equal(told.length, 2);
      for (const text of told) assert.match(text, /what a repository holds is no prompt/);
    } finally {
      await rm(other, { recursive: true });
    }
  });
});

test("a missing own file, a relative path and an unknown id are told", () => {
  const told: string[] = [];
  const files = { arbiter: path.join(FOLDER, "none.md"), verdict: "verdict.md", nobody: "/x.md" };
  const prompts = openPrompts(FOLDER, { files, outside: [], warn: (text) => told.push(text) });
  assert.equal(prompts("arbiter").hash, shipped("arbiter").hash);
  assert.deepEqual(
    told.map((text) => /"(\w+)"/.exec(text)?.[1]),
    ["nobody", "verdict", "arbiter"].toSorted((a, b) => order(a) - order(b)),
  );
  assert.match(told.join("\n"), /There is no prompt "nobody"/);
  assert.match(told.join("\n"), /not absolute/);
  assert.match(told.join("\n"), /cannot be read: ENOENT/);
});

/** Unknown ids are told first, then refusals in the order of the prompts. */
function order(id: string): number {
  return PROMPT_IDS.findIndex((known) => known === id);
}

test("a shipped prompt that is broken stops the program at start, with file and line", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "prompts-"));
  try {
    await mkdir(path.join(folder, "lenses"));
    for (const id of PROMPT_IDS) {
      const file = id.startsWith("lens-") ? `lenses/${id.slice(5)}.md` : `${id}.md`;
      const body = id === "lens-limits" ? "I think it is wrong." : NEUTRAL;
      await writeFile(path.join(folder, file), `---\nid: ${id}\nversion: 1\nrole: rules\n---\n${body}\n`);
    }
    assert.throws(() => openPrompts(folder), /limits\.md, line 6: .*attributes an opinion to the requester/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
