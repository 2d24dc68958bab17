import * as z from "zod";
import type { CallOf, Hit } from "../../core/ports.ts";
import { holdPath } from "../paths.ts";
import { searchLiteral } from "./literal.ts";
import { failed, LONGEST_LINE, type VerbContext, type VerbResult } from "./receipt.ts";
import { LARGEST_SEARCHED, type RawHit, type RipgrepRun } from "./ripgrep.ts";
import { callTo, type Verb } from "./verb.ts";

/** Hits one call of `grep` gives at most; the total is always said. */
export const MOST_HITS = 200;
const LONGEST_PATTERN = 1000;
/** Unsaved buffers searched one by one with ripgrep. */
const MOST_BUFFERS = 50;

type GrepCall = CallOf<"grep">;

/** One pass over the files: narrow as a developer searches, or wide for a claim of absence. */
interface Pass {
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly hits: readonly RawHit[];
  readonly notes: readonly string[];
  readonly truncated: boolean;
  readonly error: string | null;
}

/** Where a pass looks: `path` workspace-relative with links resolved, empty for everything; `buffers` hold unsaved text. */
interface Scope {
  readonly path: string;
  /** False where the path stands in buffers only. */
  readonly saved: boolean;
  readonly buffers: readonly string[];
  readonly wide: boolean;
}

/**
 * Searches the workspace for a pattern: with ripgrep, or letter by letter without it. No hit means absence only after a
 * second pass through ignored and hidden files found none either; both stand in the receipt. Where that could not be
 * shown, `error` is set.
 */
async function searchFor(call: GrepCall, context: VerbContext, signal: AbortSignal): Promise<VerbResult> {
  const asked = [
    "grep",
    ...(call.literal ? ["--fixed-strings"] : []),
    "-e",
    call.pattern.slice(0, 200),
    "--",
    call.path.slice(0, 300),
  ];
  const problem = patternProblem(call.pattern);
  if (problem !== null) return failed(hide(asked, context), problem);
  const held = await holdPath(context.root, call.path);
  if (held.kind === "refused") return failed(hide(asked, context), held.why);
  if (context.withheld(held.file))
    return failed(hide(asked, context), "This file is a review, not source; reviews are not searched.");
  const below = held.file === "" ? "" : `${held.file}/`;
  const unsaved = (await context.repository.unsaved(signal)).filter(
    (file) => file === held.file || file.startsWith(below),
  );
  const buffers = unsaved.filter((file) => !context.withheld(file));
  if (held.kind === "absent" && buffers.length === 0)
    return failed(hide(asked, context), `There is no ${call.path.slice(0, 300)} in the workspace.`);
  const scope = { path: held.file, buffers, saved: held.kind === "held" };
  const first = await pass(call, { ...scope, wide: false }, context, signal);
  if (first.error !== null || first.hits.length > 0) return finish([first], context);
  return finish([first, await pass(call, { ...scope, wide: true }, context, signal)], context);
}

function patternProblem(pattern: string): string | null {
  if (pattern === "") return "The pattern is empty; it would match every line.";
  if (pattern.length > LONGEST_PATTERN) return `The pattern is longer than ${LONGEST_PATTERN} characters.`;
  if (/[\0\r\n]/.test(pattern)) return "The pattern holds a line end or a NUL; a search looks at one line at a time.";
  return null;
}

/** The pattern is a reviewer's words and may quote a secret. */
function hide(argv: readonly string[], context: VerbContext): readonly string[] {
  return argv.map((argument) => context.mask(argument));
}

async function pass(call: GrepCall, scope: Scope, context: VerbContext, signal: AbortSignal): Promise<Pass> {
  const program = context.ripgrep;
  const found = program === null ? null : await ripgrepPass(call, scope, program, context, signal);
  const done = found ?? (await literalPass(call, scope, context, signal));
  const dropped = done.hits.filter((hit) => context.withheld(hit.file)).length;
  const notes = dropped === 0 ? done.notes : [...done.notes, `${dropped} hits in review files are left out`];
  return { ...done, hits: done.hits.filter((hit) => !context.withheld(hit.file)), notes };
}

/** Null where ripgrep could not be started at all. */
async function ripgrepPass(
  call: GrepCall,
  scope: Scope,
  program: string,
  context: VerbContext,
  signal: AbortSignal,
): Promise<Pass | null> {
  const base = { program, root: context.root, pattern: call.pattern, literal: call.literal, wide: scope.wide };
  const hits: RawHit[] = [];
  const notes: string[] = [];
  let last: Extract<RipgrepRun, { kind: "searched" }> | null = null;
  for (const file of scope.buffers.slice(0, MOST_BUFFERS)) {
    const input = (await context.repository.text(file))?.lines.join("\n") ?? "";
    const run = await context.search({ ...base, path: "-", input }, signal);
    if (run.kind !== "searched") return failedPass(run);
    last = run;
    hits.push(...run.hits.map(({ line, text }) => ({ file, line, text })));
  }
  if (scope.saved) {
    const run = await context.search({ ...base, path: scope.path === "" ? "." : scope.path }, signal);
    if (run.kind !== "searched") return failedPass(run);
    last = run;
    // What the disk says of a file with unsaved changes is not what its author sees.
    hits.push(...run.hits.filter((hit) => !scope.buffers.includes(hit.file)));
    if (run.problem !== null) notes.push(`not everything could be searched: ${run.problem}`);
  }
  const left = scope.buffers.length - MOST_BUFFERS;
  if (left > 0) notes.push(`${left} files with unsaved changes were not searched`);
  const exitCode = hits.length > 0 ? 0 : (last?.exitCode ?? null);
  return {
    argv: last?.argv ?? [],
    exitCode,
    hits,
    notes,
    truncated: (last?.truncated ?? false) || left > 0,
    error: null,
  };
}

function failedPass(run: Exclude<RipgrepRun, { kind: "searched" }>): Pass | null {
  if (run.kind === "missing") return null;
  return { argv: run.argv, exitCode: null, hits: [], notes: [], truncated: false, error: run.why };
}

async function literalPass(call: GrepCall, scope: Scope, context: VerbContext, signal: AbortSignal): Promise<Pass> {
  const { repository } = context;
  const all = scope.wide ? await repository.allFiles(signal) : await repository.files(signal);
  const below = scope.path === "" ? "" : `${scope.path}/`;
  const named = scope.path === "" ? [] : [scope.path];
  const inScope = all.filter((file) => file.startsWith(below));
  const files = [...new Set([...named, ...inScope, ...scope.buffers])];
  const search = await searchLiteral(repository, files, call.pattern, signal);
  const notes = [
    ...(call.literal
      ? []
      : ["ripgrep is not there, so the pattern was searched letter by letter, not as an expression"]),
    ...(search.headOnly === 0 ? [] : [`only the head of ${search.headOnly} large files was searched`]),
  ];
  const flags = scope.wide ? ["--no-ignore", "--hidden"] : [];
  return {
    argv: ["search", "--fixed-strings", ...flags, "-e", call.pattern, "--", scope.path === "" ? "." : scope.path],
    exitCode: search.hits.length > 0 ? 0 : 1,
    hits: search.hits,
    notes,
    truncated: search.headOnly > 0 || !search.finished,
    error:
      search.finished || search.hits.length > 0
        ? null
        : "The search was stopped after 10 seconds; nothing follows from it.",
  };
}

/** The last pass is the one that counts; earlier ones found nothing and are recorded beside it. */
async function finish(passes: readonly Pass[], context: VerbContext): Promise<VerbResult> {
  const last = passes.at(-1);
  if (last === undefined) throw new Error("A search without a pass.");
  const sorted = last.hits.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const whole = await Promise.all(sorted.slice(0, MOST_HITS).map(async (hit) => showHit(hit, context)));
  const hits = whole.map((hit) => ({ ...hit, text: hit.text.slice(0, LONGEST_LINE) }));
  const more = sorted.length - hits.length;
  const notes = [
    ...(last.error !== null || sorted.length > 0 ? [] : [absence]),
    ...(passes.length > 1 || sorted.length === 0 ? passes.map((done) => describePass(done, context)) : []),
    ...(more > 0 ? [`${sorted.length} hits in all, the first ${MOST_HITS} are shown; search in a narrower path`] : []),
    ...(last.truncated && more <= 0 ? ["the output was cut: there may be more hits"] : []),
    ...new Set(passes.flatMap((done) => done.notes)),
  ];
  return {
    argv: hide(last.argv, context),
    exitCode: last.exitCode,
    hits,
    lines: whole.map((hit) => `${hit.file}:${hit.line}: ${hit.text}`),
    notes,
    truncated: last.truncated || more > 0,
    error: last.error === null ? null : [last.error, ...notes].join(" "),
  };
}

const absence = `no hit; binary files and files over ${LARGEST_SEARCHED} are not searched`;

function describePass(done: Pass, context: VerbContext): string {
  const outcome = done.error === null ? `${done.hits.length} hits` : "not finished";
  return `${outcome}: ${hide(done.argv, context).join(" ")}`;
}

/** A hit's line as the program itself re-reads it, secrets masked with the whole file in view. */
async function showHit(hit: RawHit, context: VerbContext): Promise<Hit> {
  const text = await context.repository.text(hit.file);
  const same = text?.lines[hit.line - 1] === hit.text.replace(/\r$/, "");
  const masked = text !== null && same ? context.maskedLines(text)[hit.line - 1] : undefined;
  return { file: hit.file, line: hit.line, text: masked ?? context.mask(hit.text) };
}

export const grep: Verb<"grep"> = {
  names: ["search"],
  description: "Search the repository's files; gives file, line and text of each hit.",
  members: {
    pattern: { type: "string", description: "text to find, or a regular expression where literal is false" },
    path: { type: "string", description: "file or folder to search in; . for the whole repository" },
    literal: { type: "boolean", description: "true: pattern is plain text" },
  },
  arguments: callTo(
    "grep",
    z.object({
      pattern: z.string().min(1),
      path: z
        .string()
        .nullish()
        .transform((path) => path ?? "."),
      literal: z
        .boolean()
        .nullish()
        .transform((literal) => literal ?? true),
    }),
  ),
  run: searchFor,
};
