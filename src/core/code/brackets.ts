/** Where each bracket of a text closes, and what a line's indentation is: counted once, so that no reading of bodies is quadratic. */
export interface Brackets {
  /** The place that closes the brace or round bracket at this place; null where it stays open. */
  closing(line: number, column: number): { readonly line: number; readonly column: number } | null;
  /** Column of the first character of a 0-based line; -1 where it is blank. */
  indent(line: number): number;
  /** The last 0-based line of the body that a line's indentation opens. */
  indentedEnd(line: number): number;
}

/** Reads the brackets of code without comments and strings; lines are 0-based here. Braces and round brackets are matched each for itself. */
export function readBrackets(code: readonly string[]): Brackets {
  const closings = new Map<string, { line: number; column: number }>();
  const open = { "{": [] as string[], "(": [] as string[] };
  const indents: number[] = [];
  code.forEach((text, line) => {
    indents.push(text.search(/\S/));
    for (let column = 0; column < text.length; column += 1) {
      const character = text[column];
      if (character === "{" || character === "(") open[character].push(`${line}:${column}`);
      else if (character === "}" || character === ")") {
        const opened = open[character === "}" ? "{" : "("].pop();
        if (opened !== undefined) closings.set(opened, { line, column });
      }
    }
  });
  const ends = indentedEnds(code, indents);
  return {
    closing: (line, column) => closings.get(`${line}:${column}`) ?? null,
    indent: (line) => indents[line] ?? -1,
    indentedEnd: (line) => ends[line] ?? line,
  };
}

/** For each line the last one that is indented deeper, closing brackets of a list included. */
function indentedEnds(code: readonly string[], indents: readonly number[]): number[] {
  const ends = code.map((_text, index) => index);
  const open: number[] = [];
  let last = -1;
  code.forEach((text, index) => {
    const indent = indents[index] ?? -1;
    if (indent < 0) return;
    const depth = /^\s*[)\]]/.test(text) ? Infinity : indent;
    while (open.length > 0 && depth <= (indents[open.at(-1) ?? 0] ?? 0)) ends[open.pop() ?? 0] = last;
    open.push(index);
    last = index;
  });
  for (const index of open) ends[index] = last;
  return ends;
}
