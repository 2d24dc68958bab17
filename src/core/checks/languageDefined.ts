import type { Atom, CheckResult } from "../check.ts";
import { fileNamedIn } from "../claim.ts";
import { type ImportedName, importsOf } from "../code/imports.ts";
import { isIdentifier, lexCode, occurrences, syntaxOf } from "../code/lexer.ts";
import { mentionsOf } from "../code/mentions.ts";
import { declaredIn } from "../code/modules.ts";
import { identifierAt } from "../code/useAt.ts";
import type { Finding } from "../finding.ts";
import type { AskLanguage } from "../language.ts";
import type { LanguageAnswer, LanguagePlace, LanguageQuestion } from "../ports.ts";
import { type Check, type CheckContext, citeLines, result } from "./check.ts";
import { mayBeUnbound, type Named, speaksOtherwise } from "./nameScope.ts";

const NAME = "defined";

interface Look extends Named {
  readonly language: AskLanguage;
  readonly receipts: string[];
}

/**
 * Class 11 through the editor's language servers: "X is not imported / defined" is refuted where the file imports X, or a scope
 * of it binds X before the finding's line, and the servers lead from there to a declaration of a value in the workspace that
 * the program re-read. They follow path aliases and packages, which reading one file does not. A problem that they report there
 * and that names X, or a hover that calls it a type: `unknown`, like everything else.
 */
export const checkDefinedByServer: Check = async (finding, atom, context) => {
  const look = await prepare(finding, atom, context);
  if (look === null) return result(NAME, atom, "unknown", "There is nothing to ask a language server about.");
  const { file, subject, lines, code } = look;
  if (syntaxOf(file).name === "python" && code.some((line) => new RegExp(`^\\s*del\\b.*\\b${subject}\\b`).test(line)))
    return unknown(look, `A del statement names ${subject}.`);
  const imported = importsOf(file, lines).find((name) => name.local === subject);
  if (imported === undefined) return await askScope(look);
  if (imported.typeOnly || imported.imported === "*")
    return unknown(look, `${subject} is imported as no single value.`);
  const unbound = await mayBeUnbound(look, { ...imported, imported: true });
  return unbound === null ? await askImport(look, imported) : unknown(look, unbound);
};

async function prepare(finding: Finding, atom: Atom, context: CheckContext): Promise<Look | null> {
  const { subject } = atom;
  const { file, line } = finding.place;
  const { language } = context;
  if (subject === null || file === null || language === undefined || !isIdentifier(subject)) return null;
  if (!["javascript", "python"].includes(syntaxOf(file).name) || /\bexport/i.test(atom.text)) return null;
  if (speaksOtherwise(atom) !== null) return null;
  const named = fileNamedIn(atom);
  if (named !== null && named !== file && !file.endsWith(`/${named}`)) return null;
  const text = await context.repository.text(file);
  if (text === null || text.truncated) return null;
  const { code, sound } = lexCode(text.lines, syntaxOf(file));
  if (!sound) return null;
  return { atom, subject, file, at: line, lines: text.lines, code, context, language, receipts: [] };
}

/** The declaration behind an import: at the top level of another file of the workspace, by the name that was imported. */
async function askImport(look: Look, imported: ImportedName): Promise<CheckResult> {
  const { file, subject, code } = look;
  const at = occurrences(code, subject).find(({ line }) => line >= imported.line && line <= imported.endLine);
  if (at === undefined) return unknown(look, `The import of ${subject} was not found again.`);
  const places = await definitionsAt(look, at);
  for (const place of places) {
    if (!(await exportsValue(place, imported.imported, look.context))) continue;
    const text = `${file}:${at.line} imports ${subject}, and the language server leads from there to ${place.file}:${place.line}.`;
    return await refuted(look, text, [{ file, line: at.line }, place]);
  }
  return unknown(look, `No language server led to a value behind the import of ${subject}; that proves nothing.`);
}

/** A binding in a scope around the finding's line, before it. Python binds at run time, so nothing follows from it there. */
async function askScope(look: Look): Promise<CheckResult> {
  const { file, subject, code, at } = look;
  const here = at === null ? undefined : occurrences(code, subject).find(({ line }) => line === at);
  const asked = /\b(?:un)?(?:defined|declared|resolved)\b|\bcannot find\b/i.test(look.atom.text);
  if (here === undefined || !asked || syntaxOf(file).name !== "javascript")
    return unknown(look, `${subject} is not bound where a language server could be asked.`);
  for (const place of await definitionsAt(look, here)) {
    if (place.file !== file || place.line > here.line || (place.line === here.line && place.column >= here.column))
      continue;
    const mention = mentionsOf(file, code, subject).find(
      ({ line, column }) => line === place.line && column === place.column,
    );
    const before = (code[place.line - 1] ?? "").slice(0, place.column);
    if ((mention?.kind !== "declaration" && mention?.kind !== "binding") || NO_VALUE.test(before)) continue;
    return await refuted(look, `${file}:${place.line} binds ${subject}, as the language server knows.`, [place]);
  }
  return unknown(look, `No language server named a binding of ${subject} before line ${here.line}.`);
}

/** What declares a name without a value at run time. */
const NO_VALUE = /\b(?:interface|type|namespace|module|infer|declare)\b/;

/** Where the name at a place is defined; empty where a problem that names it is reported, or where it is a type only. */
async function definitionsAt(look: Look, at: { line: number; column: number }): Promise<readonly LanguagePlace[]> {
  const { subject } = look;
  const definition = await ask(look, { ask: "definition", ...at });
  if (definition.kind === "unknown" || definition.places.length === 0) return [];
  const hover = await ask(look, { ask: "hover", ...at });
  if (hover.kind === "known" && hover.texts.some((text) => isTypeOnly(text))) return [];
  for (const line of new Set([at.line, look.at ?? at.line])) {
    const problems = await ask(look, { ask: "diagnostics", line, column: 0 });
    if (problems.kind === "known" && problems.texts.some((text) => identifiersIn(text).includes(subject))) return [];
  }
  return definition.places;
}

/** "(alias) type Cents = number", "interface Line": the words with which servers introduce what is no value. */
function isTypeOnly(hover: string): boolean {
  return /^\s*(?:\(alias\)\s*)?(?:interface|type|namespace)\s/m.test(hover) || /^\s*\(type parameter\)/m.test(hover);
}

function identifiersIn(text: string): readonly string[] {
  return text.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

async function exportsValue(place: LanguagePlace, name: string, context: CheckContext): Promise<boolean> {
  if (/\.d\.[cm]?ts$|\.pyi$/.test(place.file)) return false;
  const text = await context.repository.text(place.file);
  if (text === null || text.truncated) return false;
  const { code, sound } = lexCode(text.lines, syntaxOf(place.file));
  const there = identifierAt(code, place.line, place.column);
  const line = code[place.line - 1] ?? "";
  if (!sound || there === null) return false;
  const wanted = name === "default" ? /^export\s+default\b/.test(line) : there === name;
  return wanted && declaredIn(place.file, code, there)?.line === place.line;
}

async function ask(look: Look, question: Omit<LanguageQuestion, "file">): Promise<LanguageAnswer> {
  const { answer, receipt } = await look.language({ ...question, file: look.file });
  if (receipt !== null) look.receipts.push(receipt);
  return answer;
}

async function refuted(
  look: Look,
  text: string,
  places: readonly { readonly file: string; readonly line: number }[],
): Promise<CheckResult> {
  const cited = places.map(({ file, line }) => ({ file, line }));
  const citations = await citeLines(cited, look.context);
  if (citations.length < cited.length) return unknown(look, `${text} But a line could not be re-read.`);
  return result(NAME, look.atom, "refuted", text, citations, look.receipts);
}

function unknown(look: Look, text: string): CheckResult {
  return result(NAME, look.atom, "unknown", text, [], look.receipts);
}
