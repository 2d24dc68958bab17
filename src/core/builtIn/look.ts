import { codeOnly, isIdentifier, occurrences, syntaxOf } from "../code/lexer.ts";
import { type CodePlace, declaredIn, findExport, importsOf, resolveModule } from "../code/modules.ts";
import { enclosingFunction, type FunctionSpan, functionsOf } from "../code/outline.ts";
import { citeLines } from "../checks/check.ts";
import type { Mask, Repository, SourceText } from "../ports.ts";
import type { RoundTask } from "../reviewer.ts";
import type { Answer, Citation } from "../round.ts";

/** What the built-in reviewer sees of the flagged place. */
export interface Site {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  readonly text: SourceText;
  /** Code of the file, comments and strings blanked. */
  readonly code: readonly string[];
  readonly within: FunctionSpan | null;
}

/** The flagged place with its text; null where the finding has none in this workspace. */
export async function siteOf(task: Pick<RoundTask, "finding">, repository: Repository): Promise<Site | null> {
  const { file, line, endLine } = task.finding.place;
  if (file === null || line === null) return null;
  const text = await repository.text(file);
  if (text === null || line > text.lines.length) return null;
  return {
    file,
    line,
    endLine: endLine ?? line,
    text,
    code: codeOnly(text.lines, syntaxOf(file)),
    within: enclosingFunction(file, text.lines, line),
  };
}

/** A place that calls a function: where, and inside which function. */
export interface Caller extends CodePlace {
  readonly within: FunctionSpan | null;
}

/** Callers of a function found by searching for its name followed by a bracket; `complete` false where the search was cut. */
export interface Callers {
  readonly callers: readonly Caller[];
  readonly searched: boolean;
  readonly complete: boolean;
}

/** Most callers that are opened. */
const MOST_CALLERS = 12;

/** Looks for calls of a function in the whole workspace through the evidence desk, so that the search leaves a receipt. */
export async function callersOf(name: string, site: Site, task: RoundTask, repository: Repository): Promise<Callers> {
  const run = await task.desk.run({ verb: "grep", pattern: name, path: ".", literal: true });
  if ("refused" in run || run.error !== null) return { callers: [], searched: false, complete: false };
  const callers: Caller[] = [];
  const files = [...new Set(run.hits.map((hit) => hit.file))];
  for (const file of files) {
    const text = await repository.text(file);
    if (text === null) continue;
    const code = codeOnly(text.lines, syntaxOf(file));
    for (const { line, column } of occurrences(code, name)) {
      const before = (code[line - 1] ?? "").slice(0, column);
      const after = (code[line - 1] ?? "").slice(column + name.length);
      const declared = file === site.file && site.within !== null && line === site.within.line;
      if (declared || !/^\s*(?:<[^>]*>)?\s*\(/.test(after) || /\b(?:function\*?|def|func|fn)\s+$/.test(before))
        continue;
      callers.push({ file, line, within: enclosingFunction(file, text.lines, line) });
    }
  }
  return {
    callers: callers.slice(0, MOST_CALLERS),
    searched: true,
    complete: callers.length <= MOST_CALLERS && !run.receipt.truncated,
  };
}

/** A constant and the literal it stands for. */
export interface Constant extends CodePlace {
  readonly name: string;
  readonly value: string;
}

const LITERAL =
  /=\s*(-?\d[\w.]*(?:\s*[*+/-]\s*\d[\w.]*)*|"[^"]*"|'[^']*'|true|false|null|None|True|False)\s*(?:as const)?\s*[;,]?\s*(?:\/\/.*|#.*)?$/;

/** Constants named on some lines, resolved to their literal in the same file or through an import (R0.10). */
export async function constantsOn(site: Site, lines: readonly number[], repository: Repository): Promise<Constant[]> {
  const found = new Map<string, Constant>();
  for (const name of namesOn(site, lines)) {
    const place = await definitionOf(name, site, repository);
    const text = place === null ? null : await repository.text(place.file);
    const value = place === null ? undefined : LITERAL.exec(text?.lines[place.line - 1] ?? "")?.[1];
    if (place !== null && value !== undefined) found.set(name, { ...place, name, value });
  }
  return [...found.values()];
}

/** Where a name used in the file is defined: in the file itself, or in the module it is imported from. */
export async function definitionOf(name: string, site: Site, repository: Repository): Promise<CodePlace | null> {
  const imported = importsOf(site.file, site.text.lines).find((candidate) => candidate.local === name);
  if (imported === undefined) return declaredIn(site.file, site.code, name);
  const module = await resolveModule(site.file, imported.specifier, repository);
  return module === null ? null : await findExport(module, imported.imported, repository);
}

/** A function that flagged lines call, with its definition in this workspace. */
export interface Callee {
  readonly name: string;
  readonly file: string;
  readonly span: FunctionSpan;
}

/** Functions called on some lines whose definition could be found. */
export async function calleesOn(site: Site, lines: readonly number[], repository: Repository): Promise<Callee[]> {
  const callees: Callee[] = [];
  for (const name of namesOn(site, lines)) {
    const called = lines.some((line) =>
      new RegExp(`(?<![\\w$])${escapeName(name)}\\s*\\(`).test(site.code[line - 1] ?? ""),
    );
    const place = called && name !== site.within?.name ? await definitionOf(name, site, repository) : null;
    const text = place === null ? null : await repository.text(place.file);
    if (place === null || text === null) continue;
    const span = functionsOf(place.file, text.lines).find(
      (candidate) => candidate.line === place.line && candidate.name === name,
    );
    if (span !== undefined) callees.push({ name, file: place.file, span });
  }
  return callees;
}

function namesOn(site: Site, lines: readonly number[]): string[] {
  const names = new Set<string>();
  for (const line of lines) {
    for (const match of (site.code[line - 1] ?? "").matchAll(/(?<![.\w$])[A-Za-z_$][\w$]*/g))
      if (isIdentifier(match[0])) names.add(match[0]);
  }
  return [...names];
}

function escapeName(name: string): string {
  return name.replaceAll("$", "\\$");
}

/** An answer of the built-in reviewer: it names the lines it looked at and stays undecided unless a check confirmed something. */
export async function answerFrom(
  task: Pick<RoundTask, "checks">,
  crux: string,
  sentences: readonly string[],
  places: readonly CodePlace[],
  adapters: { readonly repository: Repository; readonly mask: Mask },
): Promise<Answer> {
  const confirmed = task.checks.find((check) => check.atom?.weight === true && check.verdict === "confirmed");
  const distinct = [...new Map(places.map((place) => [`${place.file}:${place.line}`, place])).values()];
  const citations: Citation[] = await citeLines(distinct, adapters);
  if (confirmed === undefined) return { verdict: "UNCERTAIN", crux, reasoning: sentences.join(" "), citations };
  return {
    verdict: "VALID",
    crux: confirmed.text,
    reasoning: sentences.join(" "),
    citations: [...confirmed.citations, ...citations],
  };
}

/** `a.ts:1, b.ts:2 and 3 more`. */
export function listPlaces(places: readonly CodePlace[], most = 4): string {
  const shown = places.slice(0, most).map((place) => `${place.file}:${place.line}`);
  const rest = places.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
