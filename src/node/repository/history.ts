import type { Change, History, SourceText } from "../../core/ports.ts";
import { mergeBase } from "./changes.ts";
import { committedTexts, compareTexts, type TextPair } from "./compareTexts.ts";
import type { Git } from "./git.ts";
import { type GitRun, QUIET_LOG, wholeOutput } from "./gitRun.ts";

interface HistoryOptions {
  readonly git: Git;
  readonly run: GitRun;
  readonly text: (file: string) => Promise<SourceText | null>;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

/** More changed files than this are not compared. */
const MOST_CHANGED = 300;
const LARGEST_LIST = 4 * 1024 * 1024;
/** How long an answer about the working tree or the past is kept. */
const AGE_MS = 10_000;
const LONGEST_PATTERN = 2000;

/** Answers from git about the past of a workspace (port `History`); `forget` drops what is remembered. */
export function createHistory({ git, run, text, clock }: HistoryOptions): History & { forget(): void } {
  const ask = async (argv: readonly string[], signal?: AbortSignal): Promise<string | null> =>
    wholeOutput(await run(argv, { maxBytes: LARGEST_LIST, signal }));
  const change = remember(clock, async () => await changeOf(git, run, text));
  const renamesBy = async (argv: readonly string[]): Promise<Renames> => renamesIn((await ask(argv)) ?? "");
  const staged = remember(
    clock,
    async () => await renamesBy(["diff-index", "--cached", ...RENAMES, "--relative", "HEAD"]),
  );
  const head = remember(clock, async () => await git.head());
  let past: { readonly head: string | null; readonly answer: Promise<Renames> } | null = null;
  // What was renamed in the past stays so while HEAD does; a long history is read once.
  const committed = async (signal?: AbortSignal): Promise<Renames> => {
    const at = await head.get(signal);
    if (past?.head !== at || past === null)
      past = { head: at, answer: renamesBy(["log", "--format=", ...RENAMES, ...QUIET_LOG, "HEAD"]) };
    return await orAborted(past.answer, signal);
  };
  return {
    forget: () => [change, staged, head].forEach(({ forget }) => forget()),
    change: change.get,
    renamed: async (path, signal) => {
      const now = await staged.get(signal);
      const before = await committed(signal);
      return await follow(path, (from) => now.get(from) ?? before.get(from), text);
    },
    everHeld: async (tokens, signal) => {
      const pattern = patternOf(tokens);
      if (pattern === null || !(await isComplete(ask, signal))) return null;
      const found = await ask([...FIRST, `-G${pattern}`], signal);
      return found === null ? null : found.trim() !== "";
    },
    everNamed: async (name, signal) => {
      if (!(await isComplete(ask, signal))) return null;
      const path = `:(top,icase,glob)**/${name.replace(/[*?[\]\\]/g, "\\$&")}`;
      const argv = [...FIRST, "--no-renames", "--diff-filter=A", "--", path];
      const found = wholeOutput(await run(argv, { maxBytes: LARGEST_LIST, signal, magicPaths: true }));
      return found === null ? null : found.trim() !== "";
    },
    ignores: async (path, signal) => {
      const argv = ["check-ignore", "-q", "--no-index", "--", `./${path}`];
      const done = await run(argv, { maxBytes: 4096, signal, magicPaths: true });
      return done?.kind === "ran" && (done.exitCode === 0 || done.exitCode === 1) ? done.exitCode === 0 : null;
    },
  };
}

interface Remembered<T> {
  readonly get: (signal?: AbortSignal) => Promise<T>;
  readonly forget: () => void;
}

/** Keeps an answer for a while. Many wait for one question, so cancelling one of them leaves the question running. */
function remember<T>(clock: () => number, ask: () => Promise<T>): Remembered<T> {
  let known: { readonly at: number; readonly answer: Promise<T> } | null = null;
  return {
    forget: () => (known = null),
    get: async (signal) => {
      signal?.throwIfAborted();
      if (known === null || clock() - known.at >= AGE_MS) known = { at: clock(), answer: ask() };
      const { answer } = known;
      answer.catch(() => (known = null));
      return await orAborted(answer, signal);
    },
  };
}

async function orAborted<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** The newest commit of any branch that does what follows; merges are looked into against their first parent. */
const FIRST = [
  "log",
  "--all",
  "-n",
  "1",
  "--format=%H",
  ...QUIET_LOG,
  "--no-relative",
  "--diff-merges=first-parent",
] as const;

type Ask = (argv: readonly string[], signal?: AbortSignal) => Promise<string | null>;

/** A shallow clone does not know its past. */
async function isComplete(ask: Ask, signal?: AbortSignal): Promise<boolean> {
  return (await ask(["rev-parse", "--is-shallow-repository"], signal))?.trim() === "false";
}

async function changeOf(git: Git, run: GitRun, text: HistoryOptions["text"]): Promise<Change | null> {
  const limits = { maxBytes: LARGEST_LIST };
  const changed = await git.changedFiles();
  if (changed === null) return null;
  const { files } = changed;
  const start = await mergeBase(async (argv) => await run(argv, limits));
  const base = wholeOutput(await run(["rev-parse", "--verify", "--quiet", `${start}^{commit}`], limits))?.trim();
  if (base === undefined || base === "") return null;
  const listed = await run(["diff-index", "--cached", ...RENAMES, "--relative", base], limits);
  const renamed = new Map([...renamesIn(wholeOutput(listed) ?? "")].map(([from, to]) => [to, from]));
  const old = new Set(renamed.values());
  const shown: string[] = [];
  // What a file was called before is shown under its present path.
  for (const file of files.slice(0, MOST_CHANGED)) if (!old.has(file) || (await text(file)) !== null) shown.push(file);
  const before = await committedTexts(
    base,
    shown.map((file) => renamed.get(file) ?? file),
    run,
  );
  const pairs: TextPair[] = [];
  let complete = changed.complete && wholeOutput(listed) !== null && files.length <= MOST_CHANGED;
  for (const [index, file] of shown.entries()) {
    const then = before[index];
    const now = await text(file);
    // What is no text on either side holds no code that could be quoted.
    if (now?.truncated === true || then === undefined || then.kind === "unreadable") complete = false;
    else pairs.push({ file, before: then.kind === "held" ? then.text : null, after: now?.lines.join("\n") ?? null });
  }
  const compared = await compareTexts(pairs, run);
  return { base, complete: complete && compared.complete, files: compared.files };
}

type Renames = ReadonlyMap<string, string>;

const RENAMES = ["--name-status", "-z", "-M", "--diff-filter=R"] as const;

/** Old path to new path of a `--name-status -z` output; the first of several wins. */
function renamesIn(output: string): Renames {
  const renames = new Map<string, string>();
  for (const [, from, to] of output.matchAll(/R\d{1,3}\0([^\0]+)\0([^\0]+)\0/g))
    if (from !== undefined && to !== undefined && !renames.has(from)) renames.set(from, to);
  return renames;
}

async function follow(
  path: string,
  renamed: (from: string) => string | undefined,
  text: HistoryOptions["text"],
): Promise<string | null> {
  const seen = new Set<string>([path]);
  for (let next = renamed(path); next !== undefined && !seen.has(next); next = renamed(next)) {
    seen.add(next);
    if ((await text(next)) !== null) return next;
  }
  return null;
}

/** An extended regular expression for tokens in a row, white space aside; null where it would be too long or empty. */
function patternOf(tokens: readonly string[]): string | null {
  const parts = tokens.map((token, index) => {
    const before = tokens[index - 1];
    const gap = before === undefined ? "" : isWord(before) && isWord(token) ? "[[:space:]]+" : "[[:space:]]*";
    return gap + (token === "'" ? "[\"'`]" : token.replace(/[.^$*+?()[\]{}|\\]/g, "\\$&"));
  });
  const [first = "", last = ""] = [tokens[0], tokens.at(-1)];
  const start = isWord(first) ? "(^|[^[:alnum:]_$])" : "";
  const pattern = `${start}${parts.join("")}${isWord(last) ? "([^[:alnum:]_$]|$)" : ""}`;
  return parts.length === 0 || pattern.length > LONGEST_PATTERN ? null : pattern;
}

function isWord(token: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(token);
}
