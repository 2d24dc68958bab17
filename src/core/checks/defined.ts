import type { Atom, CheckResult } from "../check.ts";
import { fileNamedIn } from "../claim.ts";
import { importsOf } from "../code/imports.ts";
import { isIdentifier, lexCode, syntaxOf } from "../code/lexer.ts";
import { type CodePlace, declaredIn, findExport, resolveModule } from "../code/modules.ts";
import { isQuotable } from "../citation.ts";
import type { Finding } from "../finding.ts";
import { type Check, type CheckContext, citeFirstLine, citeLines, result } from "./check.ts";
import { mayBeUnbound, type Named, speaksOtherwise } from "./nameScope.ts";

const NAME = "defined";

/** What the check looks at: the name, the file the finding is about, and the receipt of having searched it. */
interface Look extends Named {
  readonly receipt: string;
}

/**
 * Class 11, "X is not imported / defined / exported": refuted where the file imports X and the module it names exports
 * it, or where the file declares X itself. Existence refutes absence; not finding it proves nothing.
 */
export const checkDefined: Check = async (finding, atom, context) => {
  const look = await prepare(finding, atom, context);
  if ("check" in look) return look;
  const exported = /\bexport/i.test(atom.text);
  const named = fileNamedIn(atom);
  const home = named === null ? look.file : await namedFile(named, look);
  if (home === null) return unknown(look, `It speaks about ${named}, the finding about ${look.file}.`);
  if (exported) return await checkExported(look, home);
  if (home !== look.file) return unknown(look, `It speaks about ${home}, the finding about ${look.file}.`);
  return await checkBound(look);
};

async function prepare(finding: Finding, atom: Atom, context: CheckContext): Promise<Look | CheckResult> {
  const { subject } = atom;
  const { file, line } = finding.place;
  const nothing = (text: string, receipts: readonly string[] = []): CheckResult =>
    result(NAME, atom, "unknown", text, [], receipts);
  if (subject === null || file === null || !isIdentifier(subject))
    return nothing("There is no name and file to look at.");
  const otherwise = speaksOtherwise(atom);
  if (otherwise !== null) return nothing(otherwise);
  const language = syntaxOf(file);
  if (language.name !== "javascript" && language.name !== "python")
    return nothing("Imports of this language are not read.");
  const search = { verb: "grep", pattern: subject, path: file, literal: true } as const;
  const read = await context.verbs.run(search, "check", context.signal);
  context.receipt(read.receipt);
  const text = await context.repository.text(file);
  if (read.error !== null || text === null || text.truncated)
    return nothing(`${file} could not be read whole.`, [read.receipt.id]);
  const { code, sound } = lexCode(text.lines, language);
  if (!sound) return nothing(`${file} was not understood to its end.`, [read.receipt.id]);
  return { atom, subject, file, at: line, lines: text.lines, code, context, receipt: read.receipt.id };
}

/** The workspace file that a claim names: the finding's own, or a relative specifier seen from it; null for any other. */
async function namedFile(named: string, look: Look): Promise<string | null> {
  if (/^\.{1,2}\//.test(named)) return await resolveModule(look.file, named, look.context.repository);
  return look.file === named || look.file.endsWith(`/${named}`) ? look.file : null;
}

async function checkBound(look: Look): Promise<CheckResult> {
  const { file, subject, atom, context } = look;
  const imported = importsOf(file, look.lines).find((name) => name.local === subject);
  if (imported === undefined) return await checkDeclared(look);
  const at = `${file}:${imported.line}`;
  if (imported.typeOnly) return unknown(look, `${at} imports ${subject} as a type only.`);
  if (look.code.some((line) => new RegExp(`^\\s*del\\b.*\\b${subject}\\b`).test(line)))
    return unknown(look, `${at} imports ${subject}, and a del statement names it.`);
  const unbound = await mayBeUnbound(look, { ...imported, imported: true });
  if (unbound !== null) return unknown(look, `${at} imports ${subject}, but ${unbound}`);
  const module = await resolveModule(file, imported.specifier, context.repository);
  if (module === null)
    return unknown(
      look,
      `${at} imports ${subject} from ${imported.specifier}, which is no single file that could be read.`,
    );
  const namespace = imported.imported === "*";
  const first = namespace ? (await citeFirstLine(module, context))[0] : undefined;
  const target = namespace ? (first ?? null) : await findExport(module, imported.imported, context.repository);
  if (target === null || /\.d\.[cm]?ts$|\.pyi$/.test(target.file))
    return unknown(look, `${at} imports ${subject}, but no export of it was found in ${module}.`);
  const whole = namespace ? `and ${module} exists` : `and ${target.file}:${target.line} exports it`;
  const line = lineThatNames(look, imported.line, imported.endLine);
  return await refuted(look, `${file}:${line} imports ${subject}, ${whole}.`, [{ file, line }, target], atom);
}

/** Of a statement over several lines, the one that names the subject, where it holds enough to be quoted: what a reader wants to see. */
function lineThatNames(look: Look, from: number, to: number): number {
  const name = new RegExp(`(?<![\\w$])${look.subject.replaceAll("$", "\\$")}(?![\\w$])`);
  for (let line = from; line <= to; line += 1)
    if (name.test(look.code[line - 1] ?? "") && isQuotable(look.lines[line - 1] ?? "")) return line;
  return from;
}

async function checkDeclared(look: Look): Promise<CheckResult> {
  const { file, subject, atom, at } = look;
  const nothing = `No import or declaration of ${subject} was found in ${file} by reading it; that alone proves nothing.`;
  if (!/\b(?:un)?(?:defined|declared|resolved)\b|\bcannot find\b/i.test(atom.text)) return unknown(look, nothing);
  const own = declaredIn(file, look.code, subject);
  if (own === null) return unknown(look, nothing);
  // A name that is only declared further down may well be undefined where the finding points.
  if (at !== null && at < own.line)
    return unknown(look, `${own.file}:${own.line} declares ${subject}, but only after line ${at}.`);
  const unbound = await mayBeUnbound(look, { line: own.line, endLine: own.line, imported: false });
  if (unbound !== null) return unknown(look, `${own.file}:${own.line} declares ${subject}, but ${unbound}`);
  return await refuted(look, `${own.file}:${own.line} declares ${subject}.`, [own], atom);
}

async function checkExported(look: Look, home: string): Promise<CheckResult> {
  const text = syntaxOf(home).name === "python" ? await look.context.repository.text(home) : null;
  // In Python `__all__` and the leading underscore say what a module exports, whatever it holds.
  if (text !== null && (look.subject.startsWith("_") || text.lines.some((line) => /\b__all__\b/.test(line))))
    return unknown(look, `${home} may hold ${look.subject} without exporting it.`);
  const target = await findExport(home, look.subject, look.context.repository);
  if (target === null)
    return unknown(look, `No export of ${look.subject} was found in ${home} by reading it; that alone proves nothing.`);
  const through = target.file === home ? "" : `, and ${home} hands it on`;
  return await refuted(look, `${target.file}:${target.line} exports ${look.subject}${through}.`, [target], look.atom);
}

/** A refutation stands only on lines that could be re-read; a citation that does not resolve turns it into `unknown`. */
async function refuted(look: Look, text: string, places: readonly CodePlace[], atom: Atom): Promise<CheckResult> {
  const citations = await citeLines(places, look.context);
  if (citations.length < places.length) return unknown(look, `${text} But a line could not be re-read.`);
  return result(NAME, atom, "refuted", text, citations, [look.receipt]);
}

function unknown(look: Look, text: string): CheckResult {
  return result(NAME, look.atom, "unknown", text, [], [look.receipt]);
}
