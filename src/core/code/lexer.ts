/** How a language writes comments and strings; enough to tell code from text. */
export interface Syntax {
  readonly name: "javascript" | "python" | "c-like" | "other";
  readonly lineComments: readonly string[];
  readonly blockComment: { readonly open: string; readonly close: string } | null;
  /** Marks of strings, longest first. */
  readonly quotes: readonly string[];
  /** True where a single quote only ever holds one character, so that a lone one (a lifetime, a prime) opens nothing. */
  readonly characterQuotes: boolean;
}

const SLASHES = { open: "/*", close: "*/" };
const syntax = (
  name: Syntax["name"],
  lineComments: readonly string[],
  blockComment: Syntax["blockComment"],
  quotes: readonly string[],
  characterQuotes = false,
): Syntax => ({ name, lineComments, blockComment, quotes, characterQuotes });

const JAVASCRIPT = syntax("javascript", ["//"], SLASHES, ["`", '"', "'"]);
const PYTHON = syntax("python", ["#"], null, ['"""', "'''", '"', "'"]);
const C_FAMILY = syntax("c-like", ["//"], SLASHES, ['"', "'"], true);
const GO = syntax("c-like", ["//"], SLASHES, ["`", '"', "'"], true);
const TEXT_BLOCKS = syntax("c-like", ["//"], SLASHES, ['"""', '"', "'"], true);
const SCRIPTS = syntax("c-like", ["//", "#"], SLASHES, ['"', "'"]);
const STYLES = syntax("other", [], SLASHES, ['"', "'"]);
const MARKUP = syntax("other", [], { open: "<!--", close: "-->" }, []);
const DASHES = syntax("other", ["--"], SLASHES, ['"', "'"]);
const OTHER = syntax("other", ["#"], null, ['"', "'"]);

const BY_EXTENSION: readonly (readonly [RegExp, Syntax])[] = [
  [/\.[cm]?[jt]sx?$/, JAVASCRIPT],
  [/\.pyi?$/, PYTHON],
  [/\.go$/, GO],
  [/\.(?:c|cc|cpp|cxx|h|hh|hpp|rs)$/, C_FAMILY],
  [/\.(?:java|kt|kts|cs|scala|swift)$/, TEXT_BLOCKS],
  [/\.(?:php|dart)$/, SCRIPTS],
  [/\.(?:css|scss|less)$/, STYLES],
  [/\.(?:html?|xml|svg|vue|svelte|md|markdown)$/, MARKUP],
  [/\.(?:sql|lua|hs)$/, DASHES],
];

/** The syntax of a file by its extension. */
export function syntaxOf(file: string): Syntax {
  return BY_EXTENSION.find(([pattern]) => pattern.test(file))?.[1] ?? OTHER;
}

/** Code with comments and the inside of strings blanked. `sound` is false where something was still open at the end. */
export interface Lexed {
  readonly code: readonly string[];
  readonly sound: boolean;
}

/**
 * The lines with every comment and the inside of every string and regular expression blanked, columns kept: what is left is
 * code. Code inside a template literal's `${}` stays. A text that was not understood to its end is not `sound`.
 */
export function lexCode(lines: readonly string[], language: Syntax): Lexed {
  const state: State = { open: null, templates: [], braces: 0, before: "" };
  const code = lines.map((line) => lexLine(line, language, state));
  return { code, sound: state.open === null && state.templates.length === 0 };
}

/** The code of `lexCode` alone. */
export function codeOnly(lines: readonly string[], language: Syntax): readonly string[] {
  return lexCode(lines, language).code;
}

interface State {
  /** The mark that ends what is open: a comment or a string. */
  open: { readonly until: string; readonly comment: boolean } | null;
  /** Braces that were open around each `${` that is open now. */
  readonly templates: number[];
  braces: number;
  /** Code before the current line that is not blank: tells a division from a regular expression. */
  before: string;
}

function lexLine(line: string, language: Syntax, state: State): string {
  let code = "";
  while (code.length < line.length) {
    const step =
      state.open === null ? lexStep(line, code, language, state) : lexOpen(line, code.length, language, state);
    code += step;
  }
  if (state.open !== null && !carries(line, state.open, language)) state.open = null;
  if (code.trim() !== "") state.before = code;
  return code;
}

/** Whether what is open goes on in the next line. */
function carries(line: string, open: NonNullable<State["open"]>, language: Syntax): boolean {
  if (open.comment || open.until === "`" || open.until.length === 3) return true;
  return language.name !== "c-like" && (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1;
}

/** Blanks up to the end of what is open, or to the end of the line. */
function lexOpen(line: string, at: number, language: Syntax, state: State): string {
  const { until, comment } = state.open ?? { until: "", comment: true };
  const escapes = !comment && !(until === "`" && language.name !== "javascript");
  const holes = until === "`" && language.name === "javascript";
  for (let next = at; next < line.length; next += 1) {
    if (escapes && line[next] === "\\") next += 1;
    else if (holes && line.startsWith("${", next)) {
      state.open = null;
      state.templates.push(state.braces);
      state.braces = 0;
      return " ".repeat(next + 2 - at);
    } else if (line.startsWith(until, next)) {
      state.open = null;
      return " ".repeat(next - at) + (comment ? " ".repeat(until.length) : until);
    }
  }
  return " ".repeat(line.length - at);
}

/** One step through code: a character, or the start of a comment or string, or a whole regular expression. */
function lexStep(line: string, done: string, language: Syntax, state: State): string {
  const at = done.length;
  if (language.lineComments.some((mark) => line.startsWith(mark, at))) return " ".repeat(line.length - at);
  const block = language.blockComment;
  if (block !== null && line.startsWith(block.open, at)) {
    state.open = { until: block.close, comment: true };
    return " ".repeat(block.open.length);
  }
  const quote = language.quotes.find((mark) => line.startsWith(mark, at));
  if (quote !== undefined) {
    if (quote === "'" && language.characterQuotes && !/^'(?:\\[^']*|[^'\\])'/.test(line.slice(at))) return "'";
    state.open = { until: quote, comment: false };
    return quote;
  }
  const character = line[at] ?? "";
  if (character === "/" && language.name === "javascript") return regularExpressionAt(line, done, state) ?? "/";
  if (character === "{") state.braces += 1;
  if (character !== "}") return character;
  const outer = state.braces === 0 ? state.templates.pop() : undefined;
  if (outer === undefined) {
    state.braces -= 1;
    return "}";
  }
  state.braces = outer;
  state.open = { until: "`", comment: false };
  return " ";
}

/** The blanked form of a regular expression that starts at the end of `done`; null where the slash divides or closes a tag. */
function regularExpressionAt(line: string, done: string, state: State): string | null {
  const before = (done.trim() === "" ? state.before : done).trimEnd();
  const word = /[\w$]+$/.exec(before)?.[0];
  const begins =
    word === undefined
      ? !/[)\]}"'`<]$/.test(before) && !/[^=]>$/.test(before)
      : /^(?:return|typeof|case|in|of|delete|void|throw|new|instanceof|else|do|yield|await)$/.test(word);
  if (!begins) return null;
  const [literal, body = "", flags = ""] =
    /^\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([a-z]*)/.exec(line.slice(done.length)) ?? [];
  return literal === undefined ? null : `/${" ".repeat(body.length)}/${" ".repeat(flags.length)}`;
}

/** Every place where a whole identifier stands in code: 1-based line and 0-based column. */
export function occurrences(code: readonly string[], name: string): { line: number; column: number }[] {
  const found: { line: number; column: number }[] = [];
  code.forEach((text, index) => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      if (!isNameCharacter(text[at - 1]) && !isNameCharacter(text[at + name.length]))
        found.push({ line: index + 1, column: at });
    }
  });
  return found;
}

/** How many brackets are open at the start of each line; 0 is the top level of a file. */
export function depths(code: readonly string[]): number[] {
  let depth = 0;
  return code.map((text) => {
    const here = depth;
    for (const character of text) {
      if ("([{".includes(character)) depth += 1;
      else if (")]}".includes(character)) depth -= 1;
    }
    return here;
  });
}

function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

/** True for a text that can be an identifier. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}
