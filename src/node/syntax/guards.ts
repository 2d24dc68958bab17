import type { Node } from "web-tree-sitter";
import type { Guard, Lines } from "../../core/code/structure.ts";
import { namesOf, type Source, textOf } from "./source.ts";
import { type Around, type Item, lastLine, sweep } from "./sweep.ts";

/** How a statement starts that leaves its block in any language read here. */
const LEAVES =
  /^(?:return|throw|raise|continue|break|goto|next|redo|fail|yield\s+break|co_return|(?:sys\.|os\._?|process\.|System\.|std::|std::process::|Environment\.|Kernel\.)?(?:exit|_exit|Exit|abort)|os\.Exit|log\.(?:Fatal|Panic)\w*|panic!?|unreachable!?|unimplemented!?|todo!?|bail!|die|halt)(?![\w$])/;
/** Calls by whose name a value is checked, and what such calls are made on. */
const ASSERTS =
  /^(?:[Aa]ssert|[Ii]nvariant|[Rr]equire|[Ee]nsure|[Cc]heck|[Vv]alidate|[Ee]xpect|[Vv]erify|[Tt]hrowIf|must|debug_assert|static_assert)(?=$|[A-Z_\d])|^[A-Z_]*ASSERT/;
const ASSERTERS = /(?:^|\.)(?:Assert|Preconditions|Objects|Guard|Debug|assert)$/;
/** What loads a file in several languages, whatever its name says. */
const LOADS = new Set(["require", "require_once", "require_relative"]);

/** Statements that hold others but are no block: what counts is their last part. */
const WRAPPERS = new Set(["statement_list", "else_clause", "else", "expression_list"]);
/** How far outwards a block is looked for: longer chains of branches are not written by hand. */
const MOST_OUTWARDS = 100;
const COMMENT = /comment/;

/** All guards of a tree, with the lines that each one rules (dominators by structure, not by data flow). */
export function readGuards(items: readonly Item[], source: Source): Guard[] {
  const blocks = new Set(items.flatMap(({ kind, node }) => (kind === "block" ? [node.type] : [])));
  const leaving = new Map<Item, boolean>();
  const repaired = repairsIn(items, source);
  const guards: Guard[] = [];
  for (const item of items) {
    const then = item.kind === "branch" ? item.parts.get("then") : undefined;
    if (then !== undefined) leaving.set(item, leaves(then, blocks, source));
  }
  sweep(items, (item, around) => {
    if (item.kind === "branch") guards.push(...ofBranch(item, around, { leaving, repaired, blocks, source }));
    else if (item.kind === "arm") guards.push(guard(item, "condition", [item], "condition", source));
    else if (item.kind === "loop") guards.push(...ofLoop(item, source));
    else if (item.kind === "try") guards.push(...ofHandler(item));
    else if (item.kind === "assertion" || (item.kind === "call" && asserts(item, source))) {
      const rest = restOfBlock(item, around, new Map());
      if (rest !== null) guards.push(guard(item, "assertion", [rest], item.kind, source));
    }
  });
  return guards.sort((a, b) => a.line - b.line);
}

interface Reading {
  readonly leaving: ReadonlyMap<Item, boolean>;
  readonly repaired: ReadonlySet<Item>;
  readonly blocks: ReadonlySet<string>;
  readonly source: Source;
}

function guard(item: Item, kind: Guard["kind"], protects: readonly Lines[], part: string, source: Source): Guard {
  const condition = item.parts.get(part);
  const names = condition === undefined ? [] : namesOf(condition, source);
  const lines = protects.map(({ line, endLine }) => ({ line, endLine }));
  return { line: item.line, endLine: item.endLine, kind, protects: lines, names };
}

/** A condition rules its own parts; where it leaves the block, or sets what it asks about, all that follows in the block too. */
function ofBranch(item: Item, around: Around, reading: Reading): Guard[] {
  const { source, leaving, repaired, blocks } = reading;
  const then = item.parts.get("then");
  if (then === undefined) return [];
  const found: Guard[] = [];
  const parts: Lines[] = [{ line: then.startPosition.row + 1, endLine: lastLine(then) }];
  if (item.endLine > lastLine(then)) parts.push({ line: lastLine(then) + 1, endLine: item.endLine });
  const rest = restOfBlock(item, around, leaving);
  const goes = leaving.get(item) === true || leavesOtherwise(item, blocks, source);
  if (rest !== null && goes) found.push(guard(item, "early exit", [rest], "condition", source));
  const repairs = rest !== null && !goes && repaired.has(item);
  const ruled = [...parts, ...(repairs ? [rest] : [])].filter(({ endLine }) => endLine > item.line);
  if (ruled.length > 0) found.push(guard(item, "condition", ruled, "condition", source));
  return found;
}

function leavesOtherwise(item: Item, blocks: ReadonlySet<string>, source: Source): boolean {
  const other = item.node.childForFieldName("alternative");
  return other !== null && item.node.type !== "let_declaration" && leaves(other, blocks, source);
}

function ofLoop(item: Item, source: Source): Guard[] {
  const body = item.parts.get("body");
  if (body === undefined) return [];
  const lines = { line: body.startPosition.row + 1, endLine: lastLine(body) };
  return [guard(item, "loop bound", [lines], "condition", source)];
}

/** A handler stands at its own line and protects what it is the handler of. */
function ofHandler(item: Item): Guard[] {
  const handler = item.parts.get("handler");
  if (handler === undefined) return [];
  const line = handler.startPosition.row + 1;
  const endLine = Math.min(item.endLine, handler.startIndex < item.end ? line - 1 : item.endLine);
  const protects = { line: item.line, endLine };
  return [{ line, endLine: lastLine(handler), kind: "handler", protects: [protects], names: [] }];
}

/**
 * The lines behind an item in the block whose statement it is part of; null where it may not run before them. A branch that
 * does not leave, a loop, a closure or a short circuit in between means just that.
 */
function restOfBlock(item: Item, around: Around, leaving: ReadonlyMap<Item, boolean>): Lines | null {
  let end = item.endLine;
  for (const outer of around.outwards(MOST_OUTWARDS)) {
    if (outer.kind === "block") return end < outer.endLine ? { line: end + 1, endLine: outer.endLine } : null;
    if (outer.kind === "branch" && leaving.get(outer) === true) end = outer.endLine;
    else return null;
  }
  return null;
}

/** Branches that give a new value to a name of their own condition. */
function repairsIn(items: readonly Item[], source: Source): ReadonlySet<Item> {
  const repaired = new Set<Item>();
  const names = new Map<Item, ReadonlySet<string>>();
  sweep(items, (item, around) => {
    if (item.kind !== "assigned") return;
    const branch = around.nearest("branch", "barrier", "function");
    const condition = branch?.kind === "branch" ? branch.parts.get("condition") : undefined;
    if (branch === undefined || condition === undefined) return;
    const asked = names.get(branch) ?? new Set(namesOf(condition, source));
    names.set(branch, asked);
    if (namesOf(item.node, source).some((name) => asked.has(name))) repaired.add(branch);
  });
  return repaired;
}

/** True where control never gets past the end of a statement. */
function leaves(node: Node, blocks: ReadonlySet<string>, source: Source): boolean {
  let last: Node | null = node;
  for (let depth = 0; last !== null && depth < 6; depth += 1) {
    if (!blocks.has(last.type) && !WRAPPERS.has(last.type)) break;
    last = lastStatement(last);
  }
  return last !== null && LEAVES.test(source.text.slice(last.startIndex, last.startIndex + 60));
}

function lastStatement(node: Node): Node | null {
  for (let child = node.lastNamedChild; child !== null; child = child.previousNamedSibling)
    if (!COMMENT.test(child.type)) return child;
  return null;
}

function asserts(item: Item, source: Source): boolean {
  const callee = item.parts.get("callee");
  if (callee === undefined) return false;
  const name = textOf(callee, source);
  if (LOADS.has(name)) return false;
  const receiver = item.parts.get("receiver");
  return ASSERTS.test(name) || (receiver !== undefined && ASSERTERS.test(textOf(receiver, source).slice(-60)));
}
