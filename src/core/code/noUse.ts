/** Text of a file around a name, without comments and strings. */
export interface NameText {
  /** Up to some hundred characters on both sides. */
  readonly before: string;
  readonly after: string;
  /** What stands between the innermost bracket that is open and the name. */
  readonly since: string;
  /** That bracket, and what stands before it; empty at the top level. */
  readonly bracket: string;
  readonly head: string;
}

/** A value is written to something inside it: that alone reads nothing of it (`Card.displayName = ...`). */
const WRITES_INTO = /^\s*(?:\.\s*[\w$]+|\[[^\]\n]*\])+\s*=(?![=>])/;
/** What a compiler writes for an export: it hands the name on and reads nothing of it. */
const DEFINES_EXPORT = /\bObject\s*\.\s*defineProperty\s*\(\s*(?:module\s*\.\s*)?exports\b[^;]*$/;
const MODIFIERS =
  /^\s*(?:(?:public|private|protected|static|readonly|declare|override|accessor|abstract|async|get|set|\*)\s*)*$/;

const TYPE_PARAMETER = /\b(?:type|interface|class|function)\s+[\w$]+\s*<(?:[^<>(){};]*,)?\s*$/;

/** True for a type parameter, or a member of a class or a type, that happens to have the name: it is another thing. */
export function isMember({ bracket, head, since, before }: NameText): boolean {
  if (TYPE_PARAMETER.test(before)) return true;
  return (
    bracket === "{" &&
    /\b(?:class|interface)\b[^{}();]*$|\btype\s+[\w$]+\s*(?:<[^<>]*>)?\s*=$/.test(head) &&
    MODIFIERS.test(since.split(/[;{}\n]/).at(-1) ?? "")
  );
}

/** True where JavaScript writes a name that is no use of the value: a member of an enum, an alias, a statement of its own, markup. */
export function isNoUse(around: NameText, file: string): boolean {
  const { before, after, since, bracket, head } = around;
  if (bracket === "{" && /\benum\s+[\w$]+$/.test(head)) return true;
  if (bracket === "[" && since.trim() === "" && /^\s+in\s/.test(after)) return true;
  if (/\bimport\s+[\w$]+\s*=\s*$/.test(before) || DEFINES_EXPORT.test(before)) return true;
  if (WRITES_INTO.test(after) || (/(?:^|[;{}])\s*$/.test(before) && /^\s*;/.test(after))) return true;
  return /\.(?:[jt]sx|[cm]?js)$/.test(file) && isMarkup(around);
}

/** Python: written into, a statement of its own, which does nothing, or an annotation without a value. */
export function isNoPythonUse(line: string, after: string): boolean {
  return WRITES_INTO.test(after.split("\n")[0] ?? "") || (line.trim() === "" && /^\s*(?:\n|$)/.test(after));
}

/** Words between tags, and attributes without a value: `<p>all work</p>`, `<input disabled />`. */
function isMarkup({ since, after }: NameText): boolean {
  if (/<[A-Za-z][\w.:$-]*\s(?:[^<>]|=>)*$/.test(since) && /^[\s/>]/.test(after)) return true;
  return /(?<!=)>[^<>;=]*$/.test(since) && /^[^<>;=]*(?:<\/?[A-Za-z>]|\{)/.test(after);
}
