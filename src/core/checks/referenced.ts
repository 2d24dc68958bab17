import type { Atom, CheckResult } from "../check.ts";
import { importsOf } from "../code/imports.ts";
import { endOfStatement, neverRuns } from "../code/deadCode.ts";
import { depths, isIdentifier, lexCode, syntaxOf } from "../code/lexer.ts";
import { type Mention, mentionsOf } from "../code/mentions.ts";
import { type CodePlace, declaredIn, resolveModule } from "../code/modules.ts";
import { enclosingFunction, type Structure } from "../code/structure.ts";
import { structureOf } from "../code/textStructure.ts";
import { isTestFile } from "../fileKind.ts";
import type { Finding } from "../finding.ts";
import { type Check, type CheckContext, citeLines, result } from "./check.ts";

const NAME = "referenced";
/** How many candidate files are opened before the check gives up as unknown. */
const MOST_FILES = 200;

/**
 * Class 12, "X is unused / never called": refuted by one live reference outside its definition, in code that is not a
 * test, in the same file or through an import that resolves to it. A name that may be bound twice, a finding that
 * points elsewhere than at the declaration, or no reference at all: `unknown`.
 */
export const checkReferenced: Check = async (finding, atom, context) => {
  const subject = atom.subject;
  const { file } = finding.place;
  if (subject === null || file === null || !isIdentifier(subject))
    return unknown(atom, "There is no name and file to look at.");
  if (!["javascript", "python"].includes(syntaxOf(file).name))
    return unknown(atom, "Uses in this language are not read.");
  const call = { verb: "grep", pattern: subject, path: ".", literal: true } as const;
  const search = await context.verbs.run(call, "check", context.signal);
  context.receipt(search.receipt);
  const receipt = search.receipt.id;
  const home = await readHome(finding, file, subject, context);
  if (typeof home === "string") return unknown(atom, home, receipt);
  const wanted = wantedKinds(atom);
  const here = saysExport(atom) ? undefined : home.find((mention) => wanted.includes(mention.kind));
  const files = [...new Set(search.hits.map((hit) => hit.file))].filter(
    (other) => other !== file && !isTestFile(other) && !/\.d\.[cm]?ts$|\.pyi$/.test(other),
  );
  const local = saysInFile(atom);
  const reference =
    here !== undefined
      ? { file, line: here.line }
      : local
        ? null
        : await usedElsewhere(subject, file, wanted, files.slice(0, MOST_FILES), context);
  if (reference === null) {
    const cut = files.length > MOST_FILES || search.receipt.truncated ? " (the search was cut short)" : "";
    return unknown(
      atom,
      `No live reference to ${subject} was found by reading${cut}; that alone proves nothing.`,
      receipt,
    );
  }
  const citations = await citeLines([reference], context);
  if (citations.length === 0) return unknown(atom, "The reference could not be re-read.", receipt);
  return result(NAME, atom, "refuted", `${reference.file}:${reference.line} uses ${subject}.`, citations, [receipt]);
};

/** Mentions in the defining file outside the thing's own body; or the reason why they cannot be told apart. */
async function readHome(
  finding: Finding,
  file: string,
  name: string,
  context: CheckContext,
): Promise<readonly Mention[] | string> {
  const text = await context.repository.text(file);
  if (text === null || text.truncated) return `${file} could not be read whole.`;
  if (isTestFile(file)) return `${file} holds tests.`;
  const { code, sound } = lexCode(text.lines, syntaxOf(file));
  if (!sound) return `${file} was not understood to its end.`;
  const mentions = mentionsOf(file, code, name);
  const declared = mentions.filter((mention) => mention.kind === "declaration");
  const [only] = declared;
  if (only === undefined) return `${file} declares no ${name} of its own.`;
  if (declared.length > 1 || mentions.some((mention) => mention.kind === "binding"))
    return `${name} may be bound more than once in ${file}: which one is meant cannot be told by reading.`;
  if (declaredIn(file, code, name)?.line !== only.line) return `${name} is not declared at the top level of ${file}.`;
  const structure = await structureOf(file, text.lines, context.structures);
  const body = enclosingFunction(structure, only.line);
  const bodyEnd = body?.name === name && body.line === only.line ? body.endLine : only.line;
  const end = Math.max(bodyEnd, endOfStatement(depths(code), code, only.line));
  const { line } = finding.place;
  if (line !== null && (line < only.line || line > end))
    return `The finding points at line ${line}, ${name} is declared at line ${only.line}.`;
  const own = [only.line, end] as const;
  return mentions.filter((mention) => outside(mention.line, own) && isAlive(mention, { file, structure, code }, own));
}

/** Mention kinds that answer a claim: only calls where it says "never called", since handing a function on does not show that. */
export function wantedKinds(atom: Pick<Atom, "text">): readonly Mention["kind"][] {
  return /\b(?:called|invoked)\b/i.test(atom.text) ? ["call"] : ["call", "use"];
}

/** True where the claim is about an export, or about uses “anywhere else”: a use in the same file does not answer it. */
export function saysExport(atom: Pick<Atom, "text">): boolean {
  return /\bexport(?:s|ed)?\b|\banywhere\s+else\b/i.test(atom.text);
}

/** True where the claim is about the finding's own file only. */
export function saysInFile(atom: Pick<Atom, "text">): boolean {
  return /\bin\s+(?:this|the)\s+(?:file|module)\b/i.test(atom.text);
}

/** A use at the top level, in exported code, or in a function that is itself used outside the two: no island of dead code. */
export function isAlive(
  mention: Mention,
  home: { readonly file: string; readonly structure: Structure; readonly code: readonly string[] },
  island: readonly [number, number],
): boolean {
  if (neverRuns(home.code, mention.line, mention.column)) return false;
  const within = enclosingFunction(home.structure, mention.line);
  if (within?.owner != null && !ownerAlive(within.owner, home, island)) return false;
  if (within === null || /^export\b/.test(home.code[within.line - 1] ?? "")) return true;
  if (declaredIn(home.file, home.code, within.name)?.line !== within.line) return true;
  return mentionsOf(home.file, home.code, within.name).some(
    ({ kind, line }) =>
      (kind === "call" || kind === "use") && outside(line, [within.line, within.endLine]) && outside(line, island),
  );
}

function outside(line: number, [from, to]: readonly [number, number]): boolean {
  return line < from || line > to;
}

/** False where a method belongs to a class of this file that is neither exported nor named outside itself. */
function ownerAlive(
  owner: string,
  home: { readonly file: string; readonly code: readonly string[] },
  island: readonly [number, number],
): boolean {
  const declared = declaredIn(home.file, home.code, owner);
  if (declared === null || /^export\b/.test(home.code[declared.line - 1] ?? "")) return true;
  const end = endOfStatement(depths(home.code), home.code, declared.line);
  return mentionsOf(home.file, home.code, owner).some(
    ({ kind, line }) => kind !== "declaration" && outside(line, [declared.line, end]) && outside(line, island),
  );
}

async function usedElsewhere(
  name: string,
  home: string,
  wanted: readonly Mention["kind"][],
  files: readonly string[],
  context: CheckContext,
): Promise<CodePlace | null> {
  for (const file of files) {
    context.signal.throwIfAborted();
    const text = await context.repository.text(file);
    if (text === null || text.truncated) continue;
    const { code, sound } = lexCode(text.lines, syntaxOf(file));
    if (!sound) continue;
    for (const imported of importsOf(file, text.lines)) {
      if (imported.imported !== name || imported.typeOnly) continue;
      if ((await resolveModule(file, imported.specifier, context.repository)) !== home) continue;
      const mentions = mentionsOf(file, code, imported.local).filter(
        ({ line }) => line < imported.line || line > imported.endLine,
      );
      if (mentions.some((mention) => mention.kind === "declaration" || mention.kind === "binding")) continue;
      const use = mentions.find(({ kind, line, column }) => wanted.includes(kind) && !neverRuns(code, line, column));
      if (use !== undefined) return { file, line: use.line };
    }
  }
  return null;
}

function unknown(atom: Atom, text: string, receipt?: string): CheckResult {
  return result(NAME, atom, "unknown", text, [], receipt === undefined ? [] : [receipt]);
}
