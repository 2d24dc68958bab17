import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { USUAL_METHOD } from "../../src/core/method.ts";
import { USUAL_TERMS } from "../../src/core/policy.ts";
import type { Receipt } from "../../src/core/check.ts";
import type { CheckContext } from "../../src/core/checks/check.ts";
import { collectFindings } from "./collect.ts";
import type { Claimed, Finding } from "../../src/core/finding.ts";
import type { Hit, Mask, Repository, VerbCall, Verbs } from "../../src/core/ports.ts";
import { createTextStructures } from "../../src/core/code/textStructure.ts";
import { createSyntaxReader } from "../../src/node/syntax/reader.ts";
import { createStructures } from "../../src/node/syntax/structures.ts";
import { createMemoryRepository, type MemoryOptions, sha256 } from "./memoryRepository.ts";
import { at, claim } from "./claims.ts";

/** A mask that hides nothing. */
export const unmasked: Mask = (text) => text;

/** Read and literal grep over a repository in memory, with receipts as the real verbs leave them. */
export function createMemoryVerbs(repository: Repository): Verbs & { readonly calls: readonly VerbCall[] } {
  const calls: VerbCall[] = [];
  return {
    calls,
    run: async (call, by, signal) => {
      signal.throwIfAborted();
      calls.push(call);
      const { hits, error } = await runInMemory(call, repository);
      const lines = hits.map((hit) =>
        call.verb === "read" ? `${hit.line}\t${hit.text}` : `${hit.file}:${hit.line}: ${hit.text}`,
      );
      return { receipt: receiptOf(call, by, calls.length, lines), hits, output: lines.join("\n"), notes: [], error };
    },
  };
}

async function runInMemory(call: VerbCall, repository: Repository): Promise<{ hits: Hit[]; error: string | null }> {
  if (call.verb === "grep") return { hits: await grep(call, repository), error: null };
  const hits = call.verb === "read" ? await readLines(call, repository) : null;
  if (hits !== null) return { hits, error: null };
  return { hits: [], error: call.verb === "read" ? `There is no text file ${call.file}.` : "No history in memory." };
}

async function readLines(call: Extract<VerbCall, { verb: "read" }>, repository: Repository): Promise<Hit[] | null> {
  const text = await repository.text(call.file);
  if (text === null) return null;
  const shown = text.lines.slice(call.from - 1, call.to);
  return shown.map((line, index) => ({ file: call.file, line: call.from + index, text: line }));
}

async function grep(call: Extract<VerbCall, { verb: "grep" }>, repository: Repository): Promise<Hit[]> {
  const pattern = call.literal ? null : new RegExp(call.pattern);
  const hits: Hit[] = [];
  for (const file of await repository.files()) {
    if (call.path !== "." && file !== call.path && !file.startsWith(`${call.path}/`)) continue;
    const text = await repository.text(file);
    text?.lines.forEach((line, index) => {
      if (pattern === null ? line.includes(call.pattern) : pattern.test(line))
        hits.push({ file, line: index + 1, text: line });
    });
  }
  return hits;
}

function receiptOf(call: VerbCall, by: string, nth: number, lines: readonly string[]): Receipt {
  return {
    id: `r${nth}`,
    verb: call.verb,
    argv: Object.values(call).map(String),
    cwd: ".",
    exitCode: 0,
    durationMs: 0,
    outputHash: sha256(lines.join("\n")),
    truncated: false,
    lines,
    by,
  };
}

/** What a workspace in memory can be given besides its files. */
export interface WorkspaceOptions extends MemoryOptions {
  /** `text`: sources are read by patterns, as where no grammar can be used. */
  readonly structures?: "grammar" | "text";
}

/** One parser for all workspaces of a test file; it takes the time that slow machines need. */
const reader = createSyntaxReader({ timeLimitMs: 10_000 });
const load = (): Promise<typeof reader> => Promise.resolve(reader);

/** Everything a check or a triage takes from outside, over texts in memory. */
export function createMemoryWorkspace(files: Readonly<Record<string, string>>, options: WorkspaceOptions = {}) {
  const repository = createMemoryRepository(files, options);
  const verbs = createMemoryVerbs(repository);
  const structures =
    options.structures === "text" ? createTextStructures(repository) : createStructures({ repository, load });
  const context: CheckContext = {
    repository,
    structures,
    verbs,
    mask: unmasked,
    signal: new AbortController().signal,
    receipt: () => undefined,
  };
  return {
    repository,
    structures,
    verbs,
    context,
    mask: unmasked,
    hash: sha256,
    method: USUAL_METHOD,
    terms: () => USUAL_TERMS,
  };
}

/** A finding of a workspace, placed and keyed as the product does it. */
export async function findingIn(
  repository: Repository,
  message: string,
  file: string | null,
  line: number | null,
  more: Partial<Claimed> = {},
): Promise<Finding> {
  const claimed = claim({ message, path: file, ...(line === null ? {} : { span: at(line) }), ...more });
  const reading = { format: "test", claimed: [claimed], unread: [], revision: null };
  const { findings } = await collectFindings([{ path: "review", reading }], repository, sha256);
  const [finding] = findings;
  if (finding === undefined) throw new Error("the claim was not collected");
  return finding;
}

/** All text files under a folder, by path relative to it with `/`. */
export function readFolder(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const full = path.join(entry.parentPath, entry.name);
    files[path.relative(folder, full).replaceAll("\\", "/")] = readFileSync(full, "utf8");
  }
  return files;
}
