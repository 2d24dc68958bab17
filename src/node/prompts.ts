import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { promptProblems } from "../core/promptLint.ts";
import { PROMPT_IDS, type PromptId } from "../core/promptIds.ts";
import type { Prompt, Prompts } from "../core/ports.ts";
import { sha256 } from "./hash.ts";
import { workspaceRelative } from "./paths.ts";

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

/** Largest prompt file read, in bytes. */
const MOST_BYTES = 128 * 1024;

/** A prompt with the 1-based line of its file at which the body begins. */
interface Read {
  readonly prompt: Prompt;
  readonly bodyLine: number;
}

function readFile(file: string): string {
  try {
    const { size } = statSync(file);
    if (size <= MOST_BYTES) return readFileSync(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The prompt file ${file} cannot be read: ${why}`, { cause: error });
  }
  throw new PromptError(file, 1, `the file is larger than ${MOST_BYTES} bytes`);
}

function readPrompt(file: string, id: string): Read {
  const text = readFile(file);
  const prompt = parsePrompt(file, text);
  if (prompt.id !== id) throw new PromptError(file, 2, `\`id\` is "${prompt.id}", and it stands for "${id}"`);
  const whole = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  return { prompt, bodyLine: whole.slice(0, whole.lastIndexOf(prompt.body)).split("\n").length };
}

/** Refuses a prompt that would lean the judge (R1.9), read together with the rules that stand before it. */
function lint(file: string, { prompt, bodyLine }: Read, rules: Prompt | null): void {
  const before = rules === null ? "" : `${rules.body}\n\n`;
  const [problem] = promptProblems(before + prompt.body);
  if (problem === undefined) return;
  const line = problem.line === null ? 1 : problem.line - before.split("\n").length + bodyLine;
  throw new PromptError(file, line, problem.text);
}

/** A person's own files in place of shipped ones, by prompt id. */
export interface PromptOverrides {
  /** Absolute paths; from the user's settings or command line, never from a workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders whose files are refused: what a repository holds may not be a prompt. */
  readonly outside: readonly string[];
  /** Told what was refused, with file and line; the shipped prompt is used. */
  readonly warn: (text: string) => void;
}

/**
 * The prompts of one folder. Each file is read once, when first asked for: a run never mixes two versions of a prompt. One
 * that would lean the judge is refused (R1.9), together with the rules that stand before it.
 */
export function loadPrompts(directory: string, overrides?: PromptOverrides): Prompts {
  const read = new Map<string, Prompt>();
  const accept = (file: string, id: PromptId): Prompt => {
    const found = readPrompt(file, id);
    lint(file, found, id === "rules" ? null : load("rules"));
    return found.prompt;
  };
  const load: Prompts = (id) => {
    const known = read.get(id) ?? ownPrompt(id, overrides, accept) ?? accept(shippedFile(directory, id), id);
    read.set(id, known);
    return known;
  };
  return load;
}

/** The person's own prompt; null where there is none, or where it was refused and that was told. */
function ownPrompt(
  id: PromptId,
  overrides: PromptOverrides | undefined,
  accept: (file: string, id: PromptId) => Prompt,
): Prompt | null {
  const file = overrides?.files[id];
  if (overrides === undefined || file === undefined) return null;
  try {
    if (!path.isAbsolute(file)) throw new PromptError(file, 1, "the path is not absolute");
    const inside = overrides.outside.some((folder) => workspaceRelative(realPath(folder), realPath(file)) !== null);
    if (inside) throw new PromptError(file, 1, "it lies in the workspace, and what a repository holds is no prompt");
    return accept(file, id);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    overrides.warn(`Your own prompt "${id}" is not used, the shipped one is: ${why}`);
    return null;
  }
}

/**
 * Loads and checks every prompt at once, so that a broken file is known when the program starts and not in the middle of a run.
 * Throws `PromptError` for a shipped file; a person's own one that is refused, or stands for no prompt, is told and left out.
 */
export function openPrompts(directory: string, overrides?: PromptOverrides): Prompts {
  const known: ReadonlySet<string> = new Set(PROMPT_IDS);
  for (const id of Object.keys(overrides?.files ?? {}))
    if (!known.has(id)) overrides?.warn(`There is no prompt "${id}" to replace. There are: ${PROMPT_IDS.join(", ")}.`);
  const prompts = loadPrompts(directory, overrides);
  for (const id of PROMPT_IDS) prompts(id);
  return prompts;
}

function shippedFile(directory: string, id: string): string {
  return path.join(directory, id.startsWith("lens-") ? `lenses/${id.slice("lens-".length)}.md` : `${id}.md`);
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
