import { occurrences, syntaxOf } from "./lexer.ts";
import { isMember, isNoPythonUse, isNoUse, type NameText } from "./noUse.ts";

/**
 * What one occurrence of a name is: a `call` or other `use` of the value; a `declaration` or anything that may bind the same
 * name anew (`binding`); or `other`: a property, an object key, an import or export list.
 */
export interface Mention {
  readonly line: number;
  readonly column: number;
  readonly kind: "call" | "use" | "declaration" | "binding" | "other";
}

/**
 * Every occurrence of a name in a file's code, classified by reading. Unsure is `binding`: a reader that finds one besides the
 * declaration cannot tell which of the two a use means.
 */
export function mentionsOf(file: string, code: readonly string[], name: string): Mention[] {
  const brackets = matchBrackets(code);
  const starts = lineStarts(code);
  const classify = syntaxOf(file).name === "python" ? pythonKind : javascriptKind;
  return occurrences(code, name).map(({ line, column }) => {
    const at = (starts[line - 1] ?? 0) + column;
    const text = brackets.text;
    const pairs = brackets.pairs.filter(({ open, close }) => open < at && at < close);
    const enclosing = pairs.map((pair) => describePair(text, pair));
    const around: Around = {
      file,
      before: text.slice(Math.max(0, at - 400), at),
      after: text.slice(at + name.length, at + name.length + 400),
      since: text.slice(Math.max((pairs.at(-1)?.open ?? -1) + 1, at - 400), at),
      bracket: enclosing.at(-1)?.bracket ?? "",
      head: enclosing.at(-1)?.before ?? "",
      line: (code[line - 1] ?? "").slice(0, column),
      enclosing,
      calledPair: callAfter(brackets, at + name.length),
    };
    return { line, column, kind: classify(around) };
  });
}

interface Pair {
  readonly open: number;
  readonly close: number;
}

/** A bracket pair with the text on both sides of it. */
interface Enclosing {
  readonly bracket: string;
  readonly before: string;
  readonly after: string;
}

interface Around extends NameText {
  readonly file: string;
  /** The line up to the name. */
  readonly line: string;
  /** Innermost last. */
  readonly enclosing: readonly Enclosing[];
  /** The argument list right behind the name; null where there is none. */
  readonly calledPair: Enclosing | null;
}

function matchBrackets(code: readonly string[]): { text: string; pairs: Pair[] } {
  const text = code.join("\n");
  const open: number[] = [];
  const pairs: Pair[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if ("([{".includes(character)) open.push(at);
    else if (")]}".includes(character)) {
      const from = open.pop();
      if (from !== undefined) pairs.push({ open: from, close: at });
    }
  }
  return { text, pairs: pairs.toSorted((a, b) => a.open - b.open) };
}

function describePair(text: string, { open, close }: Pair): Enclosing {
  return {
    bracket: text[open] ?? "",
    before: text.slice(Math.max(0, open - 200), open).trimEnd(),
    after: text.slice(close + 1, close + 200).trimStart(),
  };
}

function callAfter(brackets: { text: string; pairs: readonly Pair[] }, end: number): Enclosing | null {
  const gap = /^\s*(?:<[^<>()]*>)?\s*(?:\?\.)?\s*\(/.exec(brackets.text.slice(end, end + 200));
  if (gap === null) return null;
  const pair = brackets.pairs.find(({ open }) => open === end + gap[0].length - 1);
  return pair === undefined ? null : describePair(brackets.text, pair);
}

function lineStarts(code: readonly string[]): number[] {
  let at = 0;
  return code.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

const JS_KEYWORD = /\b(?:const|let|var|function\s*\*?|class|enum|interface|type|namespace|infer)\s+$/;

/** Only exported, silenced or asked for its type: no use of the value. */
const HANDED_ON =
  /\b(?:export\s+default|export\s*=|(?:module\.)?exports(?:\.[\w$]+|\[[^\]]*\])*\s*=|void|typeof|break|continue)\s+$/;
/** Written to in place: that alone reads nothing. */
const CHANGED = /^\s*(?:\+\+|--|(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)=)/;

function javascriptKind(around: Around): Mention["kind"] {
  const { before, after, enclosing } = around;
  if (/#$|(?:^|[^.])\.\s*$|\?\.\s*$/.test(before)) return "other";
  if (JS_KEYWORD.test(before)) return "declaration";
  if (/\bimport\s+(?:type\s+)?$|\*\s+as\s+$/.test(before)) return "other";
  const inner = enclosing.at(-1);
  if (inner?.bracket === "{" && /\b(?:import|export)(?:\s+type)?(?:\s+[\w$]+\s*,)?$/.test(inner.before)) return "other";
  if (HANDED_ON.test(before) || (inner?.bracket === "{" && HANDED_ON.test(`${inner.before} `))) return "other";
  if (enclosing.some(mayBind) || /^\s*=>/.test(after) || inDeclarationList(around)) return "binding";
  if (/^\s*=(?![=>])/.test(after) || isMember(around)) return "binding";
  if (isNoUse(around, around.file)) return "other";
  if (CHANGED.test(after) || /(?:\+\+|--)\s*$/.test(before)) return "other";
  if (around.calledPair !== null && /^[{:]/.test(around.calledPair.after)) return "binding";
  if (/^\s*\??:/.test(after) && !/\?[^:?]*$/.test(before)) return "other";
  return around.calledPair !== null || /(?:<|\bnew\s+)$/.test(before) ? "call" : "use";
}

/** True for brackets that may hold parameters or a destructuring pattern. */
function mayBind({ bracket, before, after }: Enclosing): boolean {
  if (/\b(?:const|let|var)$/.test(before)) return true;
  if (bracket === "[" && /[\w$)\]]$/.test(before)) return false;
  if (bracket !== "(") return /^=(?![=>])/.test(after);
  if (/\bcatch$/.test(before)) return true;
  if (/\b(?:if|while|switch|with|return|await|typeof)$/.test(before)) return false;
  if (/\bfor(?:\s+await)?$/.test(before)) return false;
  return /^(?:=>|[{:])/.test(after) || /\bfunction\b\s*\*?\s*[\w$]*\s*(?:<[^<>()]*>)?$/.test(before);
}

/** `let a, name` and `const a = 1, name = 2`: a comma on the level of a declaration. */
function inDeclarationList({ before, enclosing }: Around): boolean {
  if (!/,\s*$/.test(before) || (enclosing.at(-1)?.bracket ?? "{") !== "{") return false;
  const statement = before.split(/[;{}]/).at(-1) ?? "";
  return /^\s*,\s*$/.test(statement) || /\b(?:const|let|var)\s/.test(statement);
}

function pythonKind(around: Around): Mention["kind"] {
  const { before, after, line, enclosing } = around;
  if (/\.\s*$/.test(before)) return "other";
  if (/\b(?:def|class)\s+$/.test(before)) return "declaration";
  if (/^\s*(?:from\b.*)?\bimport\b/.test(line) || /\bimport\s*$/.test(enclosing.at(-1)?.before ?? ""))
    return /\bas\s+$/.test(before) ? "binding" : "other";
  if (/\b(?:as|global|nonlocal|del|case)\s+$/.test(before) || /\bcase\b/.test(line)) return "binding";
  if (/\bfor\s+(?:(?!\bin\b)[^:])*$/.test(before) || /\blambda\b[^:]*$/.test(before)) return "binding";
  if (enclosing.some((pair) => /\bdef\s+\w+$/.test(pair.before))) return "binding";
  if (/^\s*:=/.test(after)) return "binding";
  const loose = enclosing.length === 0;
  const rest = after.split("\n")[0] ?? "";
  if (loose && /^\s*(?::[^=]*)?(?:[-+*/%&|^@]|\/\/|\*\*|<<|>>)?=(?!=)/.test(rest)) return assigned(around);
  if (loose && line.trim() === "" && /^\s*:\s*\S/.test(rest)) return "binding";
  if (/^\s*=(?!=)/.test(rest) || (loose && isNoPythonUse(line, after))) return "other";
  if (/^[^=!<>(]*,?[^=!<>(]*=(?!=)/.test(rest) && loose && /^\s*,/.test(rest)) return "binding";
  return around.calledPair !== null || /@\s*$/.test(line) ? "call" : "use";
}

/** An assignment at the first column of a module declares; anywhere else it binds. */
function assigned({ line, after }: Around): "declaration" | "binding" {
  return line === "" && /^\s*(?::[^=]*)?=/.test(after) ? "declaration" : "binding";
}
