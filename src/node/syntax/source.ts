import type { Node } from "web-tree-sitter";
import { codeOnly, type Syntax } from "../../core/code/lexer.ts";
import { namesIn } from "../../core/code/names.ts";
import type { Grammar } from "./grammars/grammar.ts";

/** A source text with what is needed to read pieces of it. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly syntax: Syntax;
  readonly grammar: Grammar;
}

/** The source text of a node. */
export function textOf(node: Node, { text }: Pick<Source, "text">): string {
  return text.slice(node.startIndex, node.endIndex);
}

/** Names in a node's code. */
export function namesOf(node: Node, source: Source): string[] {
  return namesIn(codeOnly(textOf(node, source).split("\n"), source.syntax).join("\n"), true);
}
