import { codeOnly, isIdentifier, syntaxOf } from "../code/lexer.ts";
import { isKeyword, namesIn } from "../code/names.ts";
import { enclosingFunction, type FunctionSpan, type Structure } from "../code/structure.ts";
import { structureOf } from "../code/textStructure.ts";
import type { Finding } from "../finding.ts";
import type { Mask, Repository, SourceText, Structures } from "../ports.ts";

/** What looking at a place works with. */
export interface Adapters {
  readonly repository: Repository;
  readonly structures: Structures;
  readonly mask: Mask;
}

/** A place of the code with what surrounds it. */
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
/** The flagged place with its text; null where the finding has none in this workspace. */
export async function siteOf(task: { readonly finding: Finding }, adapters: Adapters): Promise<Site | null> {
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
  const structure = await structureOf(file, text.lines, structures);
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
