import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { lintPrompt } from "../core/promptLint.ts";
import type { Prompt, Prompts } from "../core/ports.ts";
import { sha256 } from "./hash.ts";

/** What the front matter of a prompt file must hold, and nothing else. `version` rises with every change of the text. */
const FrontMatter = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, "small letters, digits and hyphens"),
  version: z
    .string()
    .regex(/^[1-9]\d*$/, "a whole number from 1")
    .transform(Number),
  role: z.enum(["rules", "round", "arbiter", "refuter", "lens", "verdict", "rebuttal"]),
});

/** A prompt file that cannot be used: file, 1-based line, reason. */
export class PromptError extends Error {
  override readonly name = "PromptError";
  readonly file: string;
  readonly line: number;

  constructor(file: string, line: number, reason: string) {
    super(`${file}, line ${line}: ${reason}`);
    this.file = file;
    this.line = line;
  }
}

interface Member {
  readonly value: string;
  readonly line: number;
}

function readMembers(file: string, lines: readonly string[], end: number): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const [index, text] of lines.slice(1, end).entries()) {
    const line = index + 2;
    if (text.trim() === "") continue;
    const parts = /^([A-Za-z][\w-]*)\s*:\s*(.*)$/.exec(text);
    if (parts === null) throw new PromptError(file, line, "expected `key: value`");
    const [, key = "", value = ""] = parts;
    if (members.has(key)) throw new PromptError(file, line, `\`${key}\` is given twice`);
    members.set(key, { value: value.trim().replace(/^(["'])(.*)\1$/, "$2"), line });
  }
  return members;
}

/**
 * Reads a prompt file's text. The hash is that of the whole text with line ends as `\n`, so that it is the same on every
 * system. Throws `PromptError` where the front matter is missing or wrong.
 */
export function parsePrompt(file: string, text: string): Prompt {
  const whole = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const lines = whole.split("\n");
  if (lines[0]?.trimEnd() !== "---") throw new PromptError(file, 1, "the front matter has to begin with ---");
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) throw new PromptError(file, 1, "the front matter is not closed by ---");
  const members = readMembers(file, lines, end);
  const parsed = FrontMatter.safeParse(Object.fromEntries([...members].map(([key, { value }]) => [key, value])));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const named = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path[0];
    const key = String(named ?? "front matter");
    throw new PromptError(file, members.get(key)?.line ?? 1, `\`${key}\`: ${issue?.message ?? "wrong"}`);
  }
  const body = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  if (body === "") throw new PromptError(file, end + 1, "there is no text below the front matter");
  return { id: parsed.data.id, version: parsed.data.version, body, hash: sha256(whole) };
}

function readPrompt(directory: string, id: string): Prompt {
  const file = path.join(directory, id.startsWith("lens-") ? `lenses/${id.slice("lens-".length)}.md` : `${id}.md`);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(
      `The prompt file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  const prompt = parsePrompt(file, text);
  if (prompt.id !== id) throw new PromptError(file, 2, `\`id\` is "${prompt.id}", the file's name says "${id}"`);
  return prompt;
}

/**
 * The prompts of one folder. Each file is read once, when first asked for: a run never mixes two versions of a prompt. One
 * that would lean the judge is refused (R1.9), together with the rules that stand before it.
 */
export function loadPrompts(directory: string): Prompts {
  const read = new Map<string, Prompt>();
  const load: Prompts = (id) => {
    const known = read.get(id) ?? readPrompt(directory, id);
    const before = id === "rules" || read.has(id) ? null : load("rules").body;
    const [problem] = before === null ? [] : lintPrompt(`${before}\n\n${known.body}`);
    if (problem !== undefined) throw new PromptError(path.join(directory, `${id}.md`), 1, problem);
    read.set(id, known);
    return known;
  };
  return load;
}
