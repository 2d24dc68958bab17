import type { CheckResult } from "../check.ts";
import { citeLines } from "../checks/check.ts";
import { codeOnly, isIdentifier, syntaxOf } from "../code/lexer.ts";
import type { CodePlace } from "../code/modules.ts";
import { isKeyword, namesIn } from "../code/names.ts";
import { enclosingFunction, type FunctionSpan, type Structure } from "../code/structure.ts";
import { readStructure } from "../code/textStructure.ts";
import { maskLines } from "../lines.ts";
import type { Mask, Repository, SourceText, Structures } from "../ports.ts";
import type { RoundTask } from "../reviewer.ts";
import type { Answer, Citation } from "../round.ts";

/** What the built-in reviewer works with. */
export interface Adapters {
  readonly repository: Repository;
  readonly structures: Structures;
  readonly mask: Mask;
}

/** What the built-in reviewer sees of the flagged place. */
export interface Site {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  readonly text: SourceText;
  /** Code of the file, comments and strings blanked. */
  readonly code: readonly string[];
  readonly structure: Structure;
  readonly within: FunctionSpan | null;
}

/** Most flagged lines that are looked at. */
const MOST_FLAGGED = 20;
/** Longest piece of code that a sentence quotes. */
const MOST_QUOTED = 90;

/** The flagged place with its text; null where the finding has none in this workspace. */
export async function siteOf(task: Pick<RoundTask, "finding">, adapters: Adapters): Promise<Site | null> {
  const { file, line, endLine } = task.finding.place;
  return file === null || line === null ? null : await siteAt(file, line, endLine, adapters);
}

/** Any place of the workspace, seen the same way. */
export async function siteAt(
  file: string,
  line: number,
  endLine: number | null,
  { repository, structures }: Adapters,
): Promise<Site | null> {
  const text = await repository.text(file);
  if (text === null || line > text.lines.length) return null;
  const structure = (await structures.of(file)) ?? readStructure(file, text.lines);
  return {
    file,
    line,
    endLine: Math.min(endLine ?? line, line + MOST_FLAGGED - 1, text.lines.length),
    text,
    code: codeOnly(text.lines, syntaxOf(file)),
    structure,
    within: enclosingFunction(structure, line),
  };
}

/** The flagged lines, 1-based. */
export function flaggedLines(site: Site): number[] {
  return Array.from({ length: site.endLine - site.line + 1 }, (_unused, index) => site.line + index);
}

/** Identifiers on some lines, in order, keywords left out; members behind a dot only with `members`. */
export function namesOn(code: readonly string[], lines: readonly number[], members = false): string[] {
  return namesIn(lines.map((line) => code[line - 1] ?? "").join("\n"), members);
}

/** Names of code that a claim speaks about: quoted, called with brackets, or spelt as only code is. */
export function namesInClaim(message: string): string[] {
  const found = message.matchAll(
    /[`'"“]([A-Za-z_$][\w$]*)(?:\(\))?[`'"”]|\b([A-Za-z_$][\w$]*)(?=\()|\b([a-z]+[A-Z]\w*|[A-Za-z]+_\w+)\b/g,
  );
  const names = [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  return [...new Set(names)].filter((name) => isIdentifier(name) && !isKeyword(name));
}

/** The code at a place as a sentence quotes it: trimmed, masked, cut. */
export async function quoteAt(place: CodePlace, adapters: Adapters): Promise<string> {
  const text = await adapters.repository.text(place.file);
  const line = (text === null ? "" : (maskLines(text.lines, adapters.mask)[place.line - 1] ?? "")).trim();
  const short = line.length <= MOST_QUOTED ? line : `${line.slice(0, MOST_QUOTED - 1)}…`;
  return short.includes("`") || short === ""
    ? `${place.file}:${place.line}`
    : `${place.file}:${place.line} \`${short}\``;
}

/** The check that confirmed a part of the claim that carries weight: the only ground on which this reviewer says VALID (ruling 6). */
export function confirmedBy(checks: readonly CheckResult[]): CheckResult | undefined {
  return checks.find((check) => check.atom?.weight === true && check.verdict === "confirmed");
}

/** An answer of the built-in reviewer: it names the lines it looked at and stays undecided unless a check confirmed something. */
export async function answerFrom(
  task: Pick<RoundTask, "checks">,
  crux: string,
  sentences: readonly (string | null)[],
  places: readonly CodePlace[],
  adapters: Adapters,
): Promise<Answer> {
  const confirmed = confirmedBy(task.checks);
  const distinct = [...new Map(places.map((place) => [`${place.file}:${place.line}`, place])).values()];
  const citations: Citation[] = await citeLines(distinct, adapters);
  const reasoning = sentences.filter((sentence) => sentence !== null && sentence !== "").join(" ");
  if (confirmed === undefined) return { verdict: "UNCERTAIN", crux, reasoning, citations };
  return { verdict: "VALID", crux: confirmed.text, reasoning, citations: [...confirmed.citations, ...citations] };
}

/** `a.ts:1, b.ts:2 and 3 more`. */
export function listPlaces(places: readonly CodePlace[], most = 4): string {
  const shown = places.slice(0, most).map((place) => `${place.file}:${place.line}`);
  const rest = places.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
