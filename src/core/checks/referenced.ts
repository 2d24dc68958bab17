import { codeOnly, isIdentifier, occurrences, syntaxOf } from "../code/lexer.ts";
import { type CodePlace, declaredIn, importsOf, resolveModule } from "../code/modules.ts";
import { enclosingFunction } from "../code/outline.ts";
import type { Repository } from "../ports.ts";
import { type Check, citeLines, result } from "./check.ts";

const NAME = "referenced";
/** How many candidate files are opened before the check gives up as unknown. */
const MOST_FILES = 200;

/** True for paths that hold tests: a use there keeps nothing alive in production. */
export function isTestFile(file: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec|specs|testdata|fixtures)\/|(?:\.|_|-)(?:test|spec)\.\w+$|(?:^|\/)test_\w+\.py$/i.test(
    file,
  );
}

/**
 * Class 12, "X is unused / never called": refuted by one live reference outside its definition, in code that is not a
 * test, through an import that resolves to the defining file, or in the same file. No reference found proves nothing.
 */
export const checkReferenced: Check = async (finding, atom, context) => {
  const subject = atom.subject;
  const file = finding.place.file;
  if (subject === null || file === null || !isIdentifier(subject))
    return result(NAME, atom, "unknown", "There is no name and file to look at.");
  const search = await context.verbs.run(
    { verb: "grep", pattern: subject, path: ".", literal: true },
    "check",
    context.signal,
  );
  context.receipt(search.receipt);
  const files = [...new Set(search.hits.map((hit) => hit.file))];
  const reference = await liveReference(subject, file, files.slice(0, MOST_FILES), context.repository);
  if (reference === null) {
    const cut = files.length > MOST_FILES || search.receipt.truncated ? " (the search was cut short)" : "";
    return result(
      NAME,
      atom,
      "unknown",
      `No live reference to ${subject} was found by reading${cut}; that alone proves nothing.`,
      [],
      [search.receipt.id],
    );
  }
  const citations = await citeLines([reference], context);
  if (citations.length === 0)
    return result(NAME, atom, "unknown", "The reference could not be re-read.", [], [search.receipt.id]);
  return result(NAME, atom, "refuted", `${reference.file}:${reference.line} uses ${subject}.`, citations, [
    search.receipt.id,
  ]);
};

async function liveReference(
  name: string,
  home: string,
  files: readonly string[],
  repository: Repository,
): Promise<CodePlace | null> {
  for (const file of [home, ...files.filter((candidate) => candidate !== home)]) {
    if (isTestFile(file)) continue;
    const text = await repository.text(file);
    if (text === null || text.truncated) continue;
    const code = codeOnly(text.lines, syntaxOf(file));
    const line =
      file === home
        ? useAtHome(name, home, text.lines, code)
        : await useElsewhere(name, home, file, text.lines, code, repository);
    if (line !== null) return { file, line };
  }
  return null;
}

/** A use in the defining file that is not the declaration, not inside the thing itself, not a property and not an export list. */
function useAtHome(name: string, file: string, lines: readonly string[], code: readonly string[]): number | null {
  const declared = declaredIn(file, code, name);
  if (declared === null) return null;
  const own = enclosingFunction(file, lines, declared.line);
  const use = occurrences(code, name).find(({ line, column }) => {
    const text = code[line - 1] ?? "";
    const inside = own !== null && own.name === name && line >= own.line && line <= own.endLine;
    return line !== declared.line && !inside && isUse(text, column, name) && !/^\s*export\s*\{/.test(text);
  });
  return use?.line ?? null;
}

async function useElsewhere(
  name: string,
  home: string,
  file: string,
  lines: readonly string[],
  code: readonly string[],
  repository: Repository,
): Promise<number | null> {
  for (const imported of importsOf(file, lines)) {
    if (imported.imported !== name || (await resolveModule(file, imported.specifier, repository)) !== home) continue;
    if (declaredIn(file, code, imported.local) !== null) continue;
    const use = occurrences(code, imported.local).find(
      ({ line, column }) => line > imported.line && isUse(code[line - 1] ?? "", column, imported.local),
    );
    if (use !== undefined) return use.line;
  }
  return null;
}

/** An occurrence that reads the name: no property access, object key, parameter or new binding of the same name. */
function isUse(text: string, column: number, name: string): boolean {
  const before = text.slice(0, column);
  const after = text.slice(column + name.length);
  if (/[.?]\s*$/.test(before) && !/\.\.\.\s*$/.test(before)) return false;
  if (/^\s*:(?!:)/.test(after) && !/\?[^:]*$/.test(before)) return false;
  if (/\b(?:const|let|var|function|class|import|def|type|interface)\s+\{?[^=]*$/.test(before)) return false;
  return (
    /^\s*[(.[,;)\]}<!=+\-*/?&|]|^\s*$|^\s+(?:as|satisfies|instanceof|in|of|and|or|if|else)\b/.test(after) &&
    !/^\s*=(?![=>])/.test(after)
  );
}
