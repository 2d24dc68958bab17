import type { Atom, CheckResult } from "../check.ts";
import { codeOnly, isIdentifier, syntaxOf } from "../code/lexer.ts";
import { type CodePlace, declaredIn, findExport, importsOf, resolveModule } from "../code/modules.ts";
import type { Finding } from "../finding.ts";
import { type Check, type CheckContext, citeLines, result } from "./check.ts";

const NAME = "defined";

/**
 * Class 11, "X is not imported / defined / exported": refuted where the file imports X and the module it names exports
 * it, or where the file declares X itself. Existence refutes absence; not finding it proves nothing.
 */
export const checkDefined: Check = async (finding, atom, context) => {
  const subject = atom.subject;
  const file = finding.place.file;
  if (subject === null || file === null || !isIdentifier(subject))
    return unknown(atom, "There is no name and file to look at.");
  if (!["javascript", "python"].includes(syntaxOf(file).name))
    return unknown(atom, "Imports of this language are not read.");
  const read = await context.verbs.run(
    { verb: "grep", pattern: subject, path: file, literal: true },
    "check",
    context.signal,
  );
  context.receipt(read.receipt);
  const text = await context.repository.text(file);
  if (read.error !== null || text === null || text.truncated)
    return unknown(atom, `${file} could not be read whole.`, read.receipt.id);
  if (/\bexported\b/i.test(atom.text))
    return await checkExported(finding, atom, subject, file, context, read.receipt.id);
  return await checkBound(atom, subject, file, text.lines, context, read.receipt.id);
};

async function checkBound(
  atom: Atom,
  subject: string,
  file: string,
  lines: readonly string[],
  context: CheckContext,
  receipt: string,
): Promise<CheckResult> {
  const imported = importsOf(file, lines).find((name) => name.local === subject);
  if (imported !== undefined) {
    if (imported.typeOnly) return unknown(atom, `${file}:${imported.line} imports ${subject} as a type only.`, receipt);
    const module = await resolveModule(file, imported.specifier, context.repository);
    if (module === null)
      return unknown(
        atom,
        `${file}:${imported.line} imports ${subject} from ${imported.specifier}, which is outside the workspace.`,
        receipt,
      );
    const target =
      imported.imported === "*"
        ? { file: module, line: 1 }
        : await findExport(module, imported.imported, context.repository);
    if (target === null)
      return unknown(
        atom,
        `${file}:${imported.line} imports ${subject}, but no export of it was found in ${module}.`,
        receipt,
      );
    return await refuted(
      atom,
      `${file}:${imported.line} imports ${subject}, and ${target.file}:${target.line} exports it.`,
      [{ file, line: imported.line }, target],
      context,
      receipt,
    );
  }
  const own = /\bimport(?:ed)?\b/i.test(atom.text) ? null : declaredIn(file, codeOnly(lines, syntaxOf(file)), subject);
  if (own !== null) return await refuted(atom, `${own.file}:${own.line} declares ${subject}.`, [own], context, receipt);
  return unknown(
    atom,
    `No import or declaration of ${subject} was found in ${file} by reading it; that alone proves nothing.`,
    receipt,
  );
}

async function checkExported(
  finding: Finding,
  atom: Atom,
  subject: string,
  file: string,
  context: CheckContext,
  receipt: string,
): Promise<CheckResult> {
  const named = /\b(?:from|by|in)\s+[`'"“]?([\w./-]+\.\w+)/i.exec(atom.text)?.[1];
  if (named !== undefined && !file.endsWith(named))
    return unknown(atom, `It speaks about ${named}, the finding about ${finding.place.file}.`, receipt);
  const target = await findExport(file, subject, context.repository);
  if (target === null)
    return unknown(
      atom,
      `No export of ${subject} was found in ${file} by reading it; that alone proves nothing.`,
      receipt,
    );
  return await refuted(atom, `${target.file}:${target.line} exports ${subject}.`, [target], context, receipt);
}

/** A refutation stands only on lines that could be re-read; a citation that does not resolve turns it into `unknown`. */
async function refuted(
  atom: Atom,
  text: string,
  places: readonly CodePlace[],
  context: CheckContext,
  receipt: string,
): Promise<CheckResult> {
  const citations = await citeLines(places, context);
  if (citations.length < places.length) return unknown(atom, `${text} But a line could not be re-read.`, receipt);
  return result(NAME, atom, "refuted", text, citations, [receipt]);
}

function unknown(atom: Atom, text: string, receipt?: string): CheckResult {
  return result(NAME, atom, "unknown", text, [], receipt === undefined ? [] : [receipt]);
}
