import type { Atom } from "../check.ts";
import { filesNamedIn } from "../claim.ts";
import { syntaxOf } from "../code/lexer.ts";
import { mentionsOf } from "../code/mentions.ts";
import { covers, enclosingFunction } from "../code/structure.ts";
import { structureOf } from "../code/textStructure.ts";
import type { CheckContext } from "./check.ts";

/** A name that a claim calls undefined, in one file. `at`: 1-based line that the finding is about; null for the file. */
export interface Named {
  readonly atom: Atom;
  readonly subject: string;
  readonly file: string;
  readonly at: number | null;
  readonly lines: readonly string[];
  readonly code: readonly string[];
  readonly context: CheckContext;
}

/** Why a binding of the name at the top of the file would not answer the claim, as a sentence; null where it would. */
export function speaksOtherwise({ text }: Pick<Atom, "text">): string | null {
  if (/\bis\s+undefined\s+in\b/i.test(text)) return "It may speak of the value, which a declaration does not settle.";
  if (/(?:^|\s)(?:method|type)\s+[`'"“‘]?[A-Za-z_$]/i.test(text))
    return "It speaks of a method or a type, which a value of that name does not settle.";
  return filesNamedIn({ text }).length > 1 ? "It speaks about more than one file." : null;
}

/**
 * Why a name that is bound at the top level in these 1-based lines may still be undefined where the finding points, as a sentence:
 * it is used before them, or a scope around the place binds it anew. Null where neither is seen.
 */
export async function mayBeUnbound(
  { atom, subject, file, at, lines, code, context }: Named,
  { line, endLine, imported }: { readonly line: number; readonly endLine: number; readonly imported: boolean },
): Promise<string | null> {
  const python = syntaxOf(file).name === "python";
  const mentions = mentionsOf(file, code, subject).filter((one) => one.line < line || one.line > endLine);
  const first = at ?? mentions[0]?.line ?? null;
  // JavaScript binds its imports before anything runs.
  if ((python || !imported) && first !== null && first < line) return `${subject} may be used before line ${line}.`;
  if (!/\b(?:un)?(?:defined|declared|resolved)\b|\bcannot find\b/i.test(atom.text)) return null;
  const structure = await structureOf(file, lines, context.structures);
  const anew = mentions.find((one) => {
    if (one.kind !== "binding" && one.kind !== "declaration") return false;
    const within = enclosingFunction(structure, one.line);
    return at === null || within === null || covers(within, at);
  });
  return anew === undefined ? null : `${file}:${anew.line} may bind ${subject} anew.`;
}
