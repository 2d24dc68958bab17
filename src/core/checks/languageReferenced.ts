import type { Atom, CheckResult } from "../check.ts";
import { isIdentifier, lexCode, occurrences, syntaxOf } from "../code/lexer.ts";
import { mentionsOf } from "../code/mentions.ts";
import { callersOf, covers, enclosingFunction, type Lines, type Structure } from "../code/structure.ts";
import { structureOf } from "../code/textStructure.ts";
import { useAt } from "../code/useAt.ts";
import { isTestFile } from "../fileKind.ts";
import type { Finding } from "../finding.ts";
import type { AskLanguage } from "../language.ts";
import type { LanguagePlace } from "../ports.ts";
import { type Check, type CheckContext, citeLines, result } from "./check.ts";
import { isAlive, saysExport, saysInFile, wantedKinds } from "./referenced.ts";

const NAME = "referenced";
const GO = /\.go$/;
/** How many files a server's answer may open. */
const MOST_FILES = 60;

/** Languages in which a test is told by its path alone, so that a use elsewhere is one of the product. */
function isRead(file: string): boolean {
  return GO.test(file) || ["javascript", "python"].includes(syntaxOf(file).name);
}

interface Declared extends Lines {
  readonly column: number;
}

interface Opened {
  readonly file: string;
  readonly code: readonly string[];
  readonly structure: Structure;
}

/**
 * Class 12 through the editor's language servers: "X is unused / never called" is refuted by one reference that they name, that
 * the program re-read, and that is live code of the product outside X itself, by the rules of `checkReferenced`. They know path
 * aliases, re-exports and methods, which a search by name does not. Anything else is `unknown`.
 */
export const checkReferencedByServer: Check = async (finding, atom, context) => {
  const { subject } = atom;
  const { file } = finding.place;
  const { language } = context;
  if (subject === null || file === null || !isIdentifier(subject) || language === undefined)
    return unknown(atom, "There is no name and file to ask about.");
  if (!isRead(file) || isTestFile(file)) return unknown(atom, `${file} is not asked about.`);
  const home = await open(file, context);
  const declared = home === null ? null : declarationOf(finding, subject, home);
  if (declared === null) return unknown(atom, `Which ${subject} is meant cannot be told.`);
  return await ask({ file, subject, declared, atom }, language, context);
};

async function ask(
  about: { readonly file: string; readonly subject: string; readonly declared: Declared; readonly atom: Atom },
  language: AskLanguage,
  context: CheckContext,
): Promise<CheckResult> {
  const { file, subject, declared, atom } = about;
  const { answer, receipt } = await language({ ask: "references", file, line: declared.line, column: declared.column });
  const receipts = receipt === null ? [] : [receipt];
  if (answer.kind === "unknown") return unknown(atom, answer.why, receipts);
  const use = await liveUse(about, answer.places, context);
  if (use === null)
    return unknown(atom, `The language server named no live use of ${subject}; that proves nothing.`, receipts);
  const citations = await citeLines([use], context);
  if (citations.length === 0) return unknown(atom, "The reference could not be re-read.", receipts);
  const text = `${use.file}:${use.line} uses ${subject}, as the language server knows.`;
  return result(NAME, atom, "refuted", text, citations, receipts);
}

/** The one declaration of a name that the finding can mean; null where there is none or more than one. */
function declarationOf(finding: Finding, name: string, { file, code, structure }: Opened): Declared | null {
  const read = GO.test(file) ? [] : mentionsOf(file, code, name);
  const spans: Lines[] = [
    ...[...structure.functions, ...structure.declarations].filter((one) => one.name === name),
    ...structure.constants.flatMap((one) => (one.name === name ? [{ line: one.line, endLine: one.line }] : [])),
    ...read.flatMap(({ kind, line }) => (kind === "declaration" ? [{ line, endLine: line }] : [])),
  ];
  const byLine = new Map<number, Lines>();
  for (const span of spans)
    byLine.set(span.line, { ...span, endLine: Math.max(span.endLine, byLine.get(span.line)?.endLine ?? 0) });
  const { line } = finding.place;
  const fitting = [...byLine.values()].filter((span) => line === null || covers(span, line));
  const [only, second] = fitting;
  if (only === undefined || second !== undefined) return null;
  const at = occurrences(code, name).find((place) => place.line === only.line);
  return at === undefined ? null : { line: only.line, endLine: only.endLine, column: at.column };
}

async function liveUse(
  about: { readonly file: string; readonly declared: Declared; readonly subject: string; readonly atom: Atom },
  places: readonly LanguagePlace[],
  context: CheckContext,
): Promise<LanguagePlace | null> {
  const { file, declared, atom } = about;
  const wanted = wantedKinds(atom);
  const fitting = places.filter(
    (place) =>
      !isTestFile(place.file) &&
      isRead(place.file) &&
      !/\.d\.[cm]?ts$/.test(place.file) &&
      (place.file === file ? !covers(declared, place.line) && !saysExport(atom) : !saysInFile(atom)),
  );
  const files = [...new Set(fitting.map((place) => place.file))].slice(0, MOST_FILES);
  for (const name of files) {
    context.signal.throwIfAborted();
    const opened = await open(name, context);
    if (opened === null) continue;
    const island: readonly [number, number] = name === file ? [declared.line, declared.endLine] : [0, 0];
    const use = fitting.find((place) => place.file === name && isLive(place, opened, wanted, island));
    if (use !== undefined) return use;
  }
  return null;
}

/** A use of a wanted kind in code that something reaches, as far as its own file tells. */
function isLive(
  place: LanguagePlace,
  opened: Opened,
  wanted: readonly string[],
  island: readonly [number, number],
): boolean {
  const { file, code, structure } = opened;
  const kind = useAt(structure, code, place);
  if (kind === null || !wanted.includes(kind)) return false;
  // Of Go only calls are known, and only where a grammar read them.
  if (GO.test(file) && (kind !== "call" || structure.reader !== "grammar")) return false;
  const within = enclosingFunction(structure, place.line);
  if (!GO.test(file) && (within === null || within.owner === null)) return isAlive({ ...place, kind }, opened, island);
  if (within === null || within.public === true || /^(?:main|init|constructor|__init__)$/.test(within.name))
    return true;
  return callersOf(structure, within.name).some(
    ({ line }) => !covers(within, line) && (line < island[0] || line > island[1]),
  );
}

async function open(file: string, context: CheckContext): Promise<Opened | null> {
  const text = await context.repository.text(file);
  if (text === null || text.truncated) return null;
  const { code, sound } = lexCode(text.lines, syntaxOf(file));
  if (!sound) return null;
  const structure = await structureOf(file, text.lines, context.structures);
  return { file, code, structure };
}

function unknown(atom: Atom, text: string, receipts: readonly string[] = []): CheckResult {
  return result(NAME, atom, "unknown", text, [], receipts);
}
