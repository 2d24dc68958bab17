import type { Node, QueryMatch } from "web-tree-sitter";
import { valueText } from "../../core/code/constants.ts";
import { codeOnly, syntaxOf } from "../../core/code/lexer.ts";
import type { Call, Declaration, FunctionSpan, Lines, NamedValue, Structure } from "../../core/code/structure.ts";
import type { Grammar } from "./grammars/grammar.ts";
import { readGuards } from "./guards.ts";
import { type Source, textOf } from "./source.ts";
import { type Around, type Item, itemsOf, lastLine, sweep } from "./sweep.ts";

/** What a tree gives; the rest of a structure is the same whoever read it. */
export type Extracted = Pick<Structure, "functions" | "guards" | "calls" | "constants" | "declarations" | "broken">;

const NAME = /^[#~@]{0,2}[\p{L}\p{N}_$]+[?!=]?$|^operator\b/u;
const LONGEST_NAME = 200;
const CHAIN = /^[\p{L}\p{N}_$.@:>?!*&\\-]{1,80}$/u;

/** Reads the matches of a grammar's query over a whole tree. */
export function extract(file: string, text: string, grammar: Grammar, matches: readonly QueryMatch[]): Extracted {
  const source: Source = { file, text, syntax: syntaxOf(file), grammar };
  const items = itemsOf(matches).filter((item) => item.kind !== "function" || nameOf(item, source) !== null);
  const exported = exportsOf(matches);
  const functions = new Map<Item, Mutable>();
  const calls: Call[] = [];
  const constants: NamedValue[] = [];
  const declarations: Declaration[] = [];
  sweep(items, (item, around) => {
    if (item.kind === "function") {
      const span = functionOf(item, around, exported, source);
      if (span !== null) functions.set(item, span);
    } else if (item.kind === "parameter") parameterOf(item, around, functions, source);
    else if (item.kind === "call") calls.push(...callOf(item, around, functions, source));
    else if (item.kind === "constant" || item.kind === "variable") constants.push(...constantOf(item, source));
    else if (item.kind === "type") declarations.push(...declarationOf(item, source));
  });
  return {
    functions: [...functions.values()].sort((a, b) => a.line - b.line),
    guards: readGuards(items, source),
    calls,
    constants,
    declarations,
    broken: brokenIn(matches),
  };
}

interface Mutable extends FunctionSpan {
  readonly parameters: string[];
}

/** What a file exports: where the names of exported declarations stand, and the names in export lists. */
interface Exports {
  readonly places: ReadonlySet<number>;
  readonly names: ReadonlySet<string>;
}

function exportsOf(matches: readonly QueryMatch[]): Exports {
  const nodes = matches.flatMap(({ captures }) => captures.filter(({ name }) => name === "exported"));
  return {
    places: new Set(nodes.map(({ node }) => node.startIndex)),
    names: new Set(nodes.flatMap(({ node }) => (node.parent?.type === "export_specifier" ? [node.text] : []))),
  };
}

function functionOf(item: Item, around: Around, exported: Exports, source: Source): Mutable | null {
  const node = item.parts.get("name");
  const name = nameOf(item, source);
  if (node === undefined || name === null) return null;
  const outer = around.nearest("type", "scope", "function");
  const type = outer === undefined || outer.kind === "function" || isNamespace(outer.node) ? null : outer;
  const given = item.parts.get("owner") ?? type?.parts.get("name");
  const owner = given === undefined ? null : textOf(given, source);
  const places = [node.startIndex, type?.parts.get("name")?.startIndex ?? -1];
  const named = exported.names.has(type === null ? name : (owner ?? "")) && outer?.kind !== "function";
  const head = {
    name,
    text: node.startIndex >= item.start ? source.text.slice(item.start, node.startIndex) : lineBefore(node, source),
    exported: places.some((place) => exported.places.has(place)) || named,
    owner,
  };
  const line = Math.min(node.startPosition.row + 1, item.endLine);
  const reach = source.grammar.public?.(head) ?? null;
  return { name, line, endLine: item.endLine, parameters: [], public: reach, owner };
}

/** A function's name; null where it is no name but computed or a string. */
function nameOf(item: Item, source: Source): string | null {
  const node = item.parts.get("name");
  const name = node === undefined ? "" : textOf(node, source);
  return name.length <= LONGEST_NAME && NAME.test(name) ? name : null;
}

function lineBefore(node: Node, { text }: Source): string {
  return text.slice(text.lastIndexOf("\n", node.startIndex - 1) + 1, node.startIndex);
}

function parameterOf(item: Item, around: Around, functions: ReadonlyMap<Item, Mutable>, source: Source): void {
  // A parameter of a function without a name belongs to nothing that is listed.
  const owner = around.nearest("function", "barrier");
  const span = owner === undefined ? undefined : functions.get(owner);
  const name = textOf(item.node, source);
  if (span !== undefined && !span.parameters.includes(name)) span.parameters.push(name);
}

function callOf(item: Item, around: Around, functions: ReadonlyMap<Item, FunctionSpan>, source: Source): Call[] {
  const node = item.parts.get("callee");
  if (node === undefined) return [];
  const text = textOf(node, source);
  const name = text.length > LONGEST_NAME ? undefined : /([#@]?[\p{L}\p{N}_$]+[?!]?)(?:\s*<.*)?$/su.exec(text)?.[1];
  if (name === undefined) return [];
  const receiver = item.parts.get("receiver");
  const within = around.nearest("function");
  // Where the source is broken, what is called may begin lines before its name.
  const before = text.slice(0, Math.max(0, text.lastIndexOf(name))).split("\n");
  const column = before.at(-1)?.length ?? 0;
  return [
    {
      name,
      receiver: receiver === undefined ? null : receiverText(textOf(receiver, source)),
      line: node.startPosition.row + before.length,
      column: before.length === 1 ? node.startPosition.column + column : column,
      within: within === undefined ? null : (functions.get(within) ?? null),
    },
  ];
}

/** Only a chain of names is kept: anything longer may hold text. */
function receiverText(text: string): string {
  return CHAIN.test(text) ? text : "…";
}

function constantOf(item: Item, source: Source): NamedValue[] {
  const [node, given] = [item.parts.get("name"), item.parts.get("value")];
  if (node === undefined || given === undefined) return [];
  const head = source.text.slice(item.start, node.startIndex);
  if (item.kind === "variable" && source.grammar.constant?.test(head) !== true) return [];
  if (given.endIndex - given.startIndex > 300) return [];
  const code = codeOnly(textOf(given, source).split("\n"), source.syntax).join(" ");
  const value = valueText(code.trim());
  return value === null ? [] : [{ name: textOf(node, source), line: node.startPosition.row + 1, value }];
}

function declarationOf(item: Item, source: Source): Declaration[] {
  const node = item.parts.get("name");
  if (node === undefined) return [];
  const line = node.startPosition.row + 1;
  return [{ name: textOf(node, source), line, endLine: Math.max(line, item.endLine), kind: kindOf(item.node) }];
}

function kindOf({ type }: Node): Declaration["kind"] {
  if (/namespace|^mod_item|module/.test(type)) return "namespace";
  if (/enum/.test(type)) return "enum";
  if (/interface|trait/.test(type)) return "interface";
  return /type_alias|type_declaration/.test(type) ? "type" : "class";
}

/** A namespace owns no function as a class does; a module of Ruby does. */
function isNamespace(node: Node): boolean {
  return kindOf(node) === "namespace" && node.type !== "module";
}

function brokenIn(matches: readonly QueryMatch[]): Lines[] {
  return matches
    .flatMap(({ captures }) => captures.filter(({ name }) => name === "broken"))
    .map(({ node }) => ({ line: node.startPosition.row + 1, endLine: lastLine(node) }));
}
