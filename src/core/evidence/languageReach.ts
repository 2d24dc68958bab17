import { codeOnly, occurrences, syntaxOf } from "../code/lexer.ts";
import type { CodePlace } from "../code/modules.ts";
import { covers } from "../code/structure.ts";
import { structureOf } from "../code/textStructure.ts";
import { identifierAt, useAt } from "../code/useAt.ts";
import type { AskLanguage } from "../language.ts";
import type { LanguagePlace } from "../ports.ts";
import type { Stretch } from "./pack.ts";
import type { Adapters, Site } from "./site.ts";
import { stretch } from "./values.ts";

/** A place from which a language server says a function is reached. */
export interface NamedUse extends CodePlace {
  readonly kind: "call" | "handed on";
}

/** How many files a server's answer may open. */
const MOST_FILES = 40;

/**
 * Uses of the function around a site that the editor's language servers name and that the program re-read as uses: they know
 * path aliases, re-exports and methods through interfaces. Empty where there are no servers; that is no sign of absence.
 */
export async function usesByServer(
  site: Site,
  language: AskLanguage | undefined,
  adapters: Adapters,
): Promise<NamedUse[]> {
  const { within, file } = site;
  const at = within === null ? undefined : occurrences(site.code, within.name).find(({ line }) => line === within.line);
  if (language === undefined || within === null || at === undefined) return [];
  const calls = await placesOf(language, { ask: "incomingCalls", file, ...at });
  const references = await placesOf(language, { ask: "references", file, ...at });
  const outside = [...calls, ...references].filter((place) => place.file !== file || !covers(within, place.line));
  const called = new Set(calls.map(idOf));
  const uses = new Map<string, NamedUse>();
  for (const name of [...new Set(outside.map((place) => place.file))].slice(0, MOST_FILES))
    for (const use of await usesIn(
      name,
      outside.filter((place) => place.file === name),
      called,
      adapters,
    )) {
      const id = `${use.file}:${use.line}`;
      if (uses.get(id)?.kind !== "call") uses.set(id, use);
    }
  return [...uses.values()];
}

async function placesOf(
  language: AskLanguage,
  question: Parameters<AskLanguage>[0],
): Promise<readonly LanguagePlace[]> {
  const { answer } = await language(question);
  return answer.kind === "known" ? answer.places : [];
}

function idOf({ file, line, column }: LanguagePlace): string {
  return `${file}:${line}:${column}`;
}

async function usesIn(
  file: string,
  places: readonly LanguagePlace[],
  called: ReadonlySet<string>,
  adapters: Adapters,
): Promise<NamedUse[]> {
  const text = await adapters.repository.text(file);
  if (text === null) return [];
  const code = codeOnly(text.lines, syntaxOf(file));
  const structure = await structureOf(file, text.lines, adapters.structures);
  return places.flatMap((place) => {
    // Whatever a server says: where no name stands in code, nothing is used.
    if (identifierAt(code, place.line, place.column) === null) return [];
    const kind = called.has(idOf(place)) ? "call" : useAt(structure, code, place);
    return kind === null ? [] : [{ file, line: place.line, kind: kind === "call" ? "call" : "handed on" }];
  });
}

/** Lines shown of an implementation, and how many are shown. */
const LINES = 12;
const MOST_SHOWN = 3;

/** What stands behind a flagged interface or its member: without a body of its own, the bodies elsewhere decide. */
export async function implementationStretches(
  site: Site,
  language: AskLanguage | undefined,
  { repository }: Adapters,
): Promise<Stretch[]> {
  const { file, structure, line, code } = site;
  const type = structure.declarations.findLast((one) => one.kind === "interface" && covers(one, line));
  const column = /[A-Za-z_$][\w$]*(?=\s*[?(<:])/.exec(code[line - 1] ?? "")?.index;
  const at = type?.line === line ? occurrences(code, type.name).find((one) => one.line === line)?.column : column;
  if (language === undefined || type === undefined || at === undefined) return [];
  const places = await placesOf(language, { ask: "implementations", file, line, column: at });
  const found: Stretch[] = [];
  for (const place of places.filter((one) => one.file !== file || !covers(type, one.line)).slice(0, MOST_SHOWN)) {
    const text = await repository.text(place.file);
    if (text === null) continue;
    const lines = { line: place.line, endLine: Math.min(text.lines.length, place.line + LINES - 1) };
    found.push(stretch("definition", place.file, lines, `implements ${type.name}`));
  }
  return found;
}
