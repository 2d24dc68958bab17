import { parseArgs } from "node:util";
import { PROMPT_IDS } from "../../core/promptIds.ts";
import { isInside, type SourceRoots } from "../../core/sourceRoots.ts";

// The options of all commands, and what several of them read alike.

const OPTIONS = {
  workspace: { type: "string" },
  map: { type: "string", multiple: true },
  format: { type: "string" },
  model: { type: "string" },
  "model-name": { type: "string" },
  record: { type: "string" },
  all: { type: "boolean" },
  "max-findings": { type: "string" },
  "budget-tokens": { type: "string" },
  "cost-mode": { type: "string" },
  fresh: { type: "boolean" },
  prompt: { type: "string", multiple: true },
  out: { type: "string" },
  "no-log": { type: "boolean" },
  "allow-checkers": { type: "boolean" },
  accept: { type: "string", multiple: true },
  remember: { type: "boolean" },
  revoke: { type: "string", multiple: true },
  strategy: { type: "string" },
  intent: { type: "string" },
  visibility: { type: "string" },
  refuters: { type: "string" },
  lens: { type: "string", multiple: true },
  "second-opinion": { type: "boolean" },
  loop: { type: "string" },
  "early-stop": { type: "boolean" },
  "batch-arbiter": { type: "boolean" },
  untouchable: { type: "string", multiple: true },
  discover: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** What stood on a command line, by the long name of its option. */
export type Values = ReturnType<typeof parseOptions>["values"];

/** Splits a command line; throws where it holds an option that no command has, or one without its value. */
export function parseOptions(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
}

/** A command line that cannot be followed; `exit` where a command has a code of its own for a wrong use. */
export interface Wrong {
  readonly kind: "wrong";
  readonly why: string;
  readonly exit?: number;
}

export function wrong(why: string): Wrong {
  return { kind: "wrong", why };
}

/** One of several words, or the first where none is given; null where it is none of them. */
export function oneOf<W extends string>(words: readonly [W, ...W[]], given: string | undefined): W | null {
  return words.find((known) => known === (given ?? words[0])) ?? null;
}

/** A whole number within bounds; null where it is none. */
export function wholeNumber(given: string, fewest: number, most: number): number | null {
  const number = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
  return number >= fewest && number <= most ? number : null;
}

/** The files of `--prompt ID=FILE` by prompt id, made absolute by `resolve`; or what is wrong with one. */
export function readPromptFiles(
  given: readonly string[],
  resolve: (file: string) => string,
): Readonly<Record<string, string>> | string {
  const files: Record<string, string> = {};
  for (const pair of given) {
    const [, id = "", file = ""] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (file === "" || !PROMPT_IDS.some((known) => known === id))
      return `--prompt takes ID=FILE, not '${pair}'. The ids are ${PROMPT_IDS.join(", ")}.`;
    files[id] = resolve(file);
  }
  return files;
}

/** The mappings of `--map FROM=TO`, or what is wrong with one. */
export function readRoots(given: readonly string[]): SourceRoots | string {
  const roots: Record<string, string> = {};
  for (const mapping of given) {
    const cut = mapping.lastIndexOf("=");
    if (cut < 0) return `--map takes FROM=TO, not '${mapping}'.`;
    const to = mapping.slice(cut + 1);
    if (!isInside(to)) return `--map takes a folder inside of the workspace, relative to it, not '${to}'.`;
    roots[mapping.slice(0, cut)] = to;
  }
  return roots;
}
