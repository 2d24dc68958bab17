import MarkdownIt from "markdown-it";

type Parser = InstanceType<typeof MarkdownIt>;
type BlockRule = Parameters<Parser["block"]["ruler"]["at"]>[1];
type BlockState = Parameters<BlockRule>[0];

/**
 * Makes a parser find the lines of tables and nothing in them. Rows are split by a reader of our own, which knows bars inside
 * code; a report of 14,500 rows would cost a quarter of a million tokens that nobody looks at. What a table is, and where it
 * ends, stays as in markdown-it.
 */
export function onlyTableLines(parser: Parser): void {
  const plain = new MarkdownIt();
  plain.block.ruler.enableOnly(["table"]);
  const [isTable] = plain.block.ruler.getRules("");
  if (isTable === undefined) throw new Error("markdown-it has no rule for tables");
  const rule: BlockRule = (state, from, to, silent) => {
    if (!isTable(state, from, to, true)) return false;
    if (!silent) pushTable(state, from, to);
    return true;
  };
  // A table ends what markdown-it lets it end.
  parser.block.ruler.at("table", rule, { alt: ["paragraph", "reference"] });
}

function pushTable(state: BlockState, from: number, to: number): void {
  const before = state.parentType;
  state.parentType = "table";
  const terminators = state.md.block.ruler.getRules("blockquote");
  let line = from + 2;
  while (line < to && isRow(state, line) && !terminators.some((rule) => rule(state, line, to, true))) line += 1;
  state.parentType = before;
  const token = state.push("table_open", "table", 1);
  token.map = [from, line];
  state.push("table_close", "table", -1);
  state.line = line;
}

function isRow(state: BlockState, line: number): boolean {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  return indent >= 0 && indent < 4 && !state.isEmpty(line);
}
