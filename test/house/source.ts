// Reads TypeScript just closely enough to tell code from comments and text. Not a parser: it knows strings, templates,
// comments and regular expressions, which is what stands between a search and the truth.

/** The same source twice, every line where it was. */
export interface Blanked {
  /** Comments replaced by spaces. */
  readonly withStrings: string;
  /** The contents of strings, templates and regular expressions replaced too; code inside `${}` is kept. */
  readonly codeOnly: string;
}

type Kind = "code" | "text" | "comment";

/** Blanks out what is not code; line breaks stay, so line numbers hold in both results. */
export function blank(source: string): Blanked {
  const kinds = kindsOf(source);
  const keep = (kept: readonly Kind[]) =>
    Array.from(kinds, (kind, at) => {
      const letter = source[at] ?? "";
      return kept.includes(kind) || letter === "\n" ? letter : " ";
    }).join("");
  return { withStrings: keep(["code", "text"]), codeOnly: keep(["code"]) };
}

/** One import or re-export. */
export interface Import {
  readonly from: string;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** 1-based. */
  readonly line: number;
}

/** Every module named by a file: static, re-exported, dynamic, required, and `import("…")` as a type. */
export function importsOf(source: string): readonly Import[] {
  const { withStrings, codeOnly } = blank(source);
  const found: Import[] = [];
  const add = (at: number, from: string, typeOnly: boolean) => {
    found.push({ from, typeOnly, line: source.slice(0, at).split("\n").length });
  };
  // Between the keyword and `from` there is never a quote, a semicolon or a bracket.
  const statement = /^[ \t]*(?:import|export)\b([^"'`;()=]*?)\bfrom\s*["']([^"'\n]+)["']/gm;
  for (const { index, 1: clause = "", 2: from = "" } of withStrings.matchAll(statement)) {
    if (isCode(codeOnly, index, withStrings)) add(index, from, onlyTypes(clause));
  }
  for (const { index, 1: from = "" } of withStrings.matchAll(/^[ \t]*import\s*["']([^"'\n]+)["']/gm)) {
    if (isCode(codeOnly, index, withStrings)) add(index, from, false);
  }
  for (const { index, 0: all } of codeOnly.matchAll(/\b(?:import|require)\s*\(/g)) {
    const named = /^\s*["'`]([^"'`\n]*)["'`]/.exec(withStrings.slice(index + all.length));
    // A computed module name could be anything, so it is reported under a name that no rule allows.
    add(index, named?.[1] ?? "(computed)", /[:<|&]\s*(?:typeof\s+)?$/.test(codeOnly.slice(0, index)));
  }
  return found;
}

/** True where nothing but imports and `export … from` is left, and at least one of the latter is there. */
export function onlyReexports(source: string): boolean {
  const { withStrings } = blank(source);
  const reexport = /^[ \t]*export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*(?:from\s*["'][^"'\n]+["'])?\s*;?/gm;
  const imports = /^[ \t]*import\b[^"'`;()=]*?(?:\bfrom\s*)?["'][^"'\n]+["']\s*;?/gm;
  const rest = withStrings.replaceAll(reexport, "").replaceAll(imports, "").trim();
  return rest === "" && reexport.test(withStrings);
}

/** Lines that are neither empty nor comment. */
export function codeLines(source: string): number {
  const lines = blank(source).withStrings.split("\n");
  return lines.filter((line) => line.trim() !== "").length;
}

/** The keyword itself must be code, not the inside of a template. */
function isCode(codeOnly: string, at: number, withStrings: string): boolean {
  const keyword = /\S/.exec(withStrings.slice(at))?.index ?? 0;
  return codeOnly[at + keyword] !== " ";
}

function onlyTypes(clause: string): boolean {
  if (/^\s+type\s+(?!from\b)/.test(clause)) return true;
  const braces = /^\s*\{([^}]*)\}\s*$/.exec(clause);
  if (braces === null) return false;
  const names = (braces[1] ?? "").split(",").filter((name) => name.trim() !== "");
  return names.length > 0 && names.every((name) => /^\s*type\s/.test(name));
}

/** One kind a UTF-16 unit. */
function kindsOf(source: string): readonly Kind[] {
  const kinds: Kind[] = Array.from({ length: source.length }, () => "code");
  /** Brace depth inside each open `${`, innermost last. */
  const templates: number[] = [];
  let at = 0;
  const mark = (end: number, kind: Kind) => {
    kinds.fill(kind, at, end);
    at = end;
  };
  while (at < source.length) {
    const letter = source[at] ?? "";
    const pair = source.slice(at, at + 2);
    const depth = templates.at(-1);
    if (pair === "//") mark(endOf(source, /\n|$/g, at), "comment");
    else if (pair === "/*") mark(endOf(source, /\*\/|$/g, at + 2, true), "comment");
    else if (letter === '"' || letter === "'") mark(endOfString(source, at), "text");
    else if (letter === "/" && regexMayStart(source, kinds, at)) mark(endOfRegex(source, at), "text");
    else if (letter === "`" || (letter === "}" && depth === 0)) {
      if (letter === "}") templates.pop();
      const { end, opens } = endOfTemplatePart(source, at + 1);
      // Braces and quotes count as text, so that an expression inside stands alone.
      mark(end, "text");
      if (opens) templates.push(0);
    } else {
      if (depth !== undefined && (letter === "{" || letter === "}")) {
        templates[templates.length - 1] = depth + (letter === "{" ? 1 : -1);
      }
      at += 1;
    }
  }
  return kinds;
}

function endOf(source: string, pattern: RegExp, from: number, inclusive = false): number {
  pattern.lastIndex = from;
  const found = pattern.exec(source);
  if (found === null) return source.length;
  return inclusive ? found.index + found[0].length : found.index;
}

function endOfString(source: string, start: number): number {
  const quote = source[start];
  let at = start + 1;
  while (at < source.length && source[at] !== quote && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, source.length);
}

function endOfTemplatePart(source: string, start: number): { end: number; opens: boolean } {
  let at = start;
  while (at < source.length && source[at] !== "`") {
    if (source.startsWith("${", at)) return { end: at + 2, opens: true };
    at += source[at] === "\\" ? 2 : 1;
  }
  return { end: Math.min(at + 1, source.length), opens: false };
}

function endOfRegex(source: string, start: number): number {
  let at = start + 1;
  let inClass = false;
  while (at < source.length && source[at] !== "\n" && (inClass || source[at] !== "/")) {
    if (source[at] === "[") inClass = true;
    if (source[at] === "]") inClass = false;
    at += source[at] === "\\" ? 2 : 1;
  }
  return Math.min(at + 1, source.length);
}

/** A slash divides after a value and opens a regular expression everywhere else. */
function regexMayStart(source: string, kinds: readonly Kind[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (kinds[before] === "comment" || /\s/.test(source[before] ?? ""))) before -= 1;
  if (before < 0) return true;
  if (kinds[before] === "text") return false;
  if (/[)\]}]/.test(source[before] ?? "")) return false;
  if (!/[\w$]/.test(source[before] ?? "")) return true;
  const word = /[\w$]+$/.exec(source.slice(0, before + 1))?.[0] ?? "";
  return ["return", "typeof", "case", "in", "of", "void", "delete", "await", "yield", "instanceof"].includes(word);
}
