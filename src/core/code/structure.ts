import type { ImportedName } from "./imports.ts";

/** A stretch of lines, 1-based and inclusive. */
export interface Lines {
  readonly line: number;
  readonly endLine: number;
}

/** A named function or method: from the line that names it to the end of its body. */
export interface FunctionSpan extends Lines {
  readonly name: string;
  /** In order; of a destructured one the names it binds. */
  readonly parameters: readonly string[];
  /** True where other files can reach it by the language's own rules, null where reading one file does not tell. */
  readonly public: boolean | null;
  /** The class, or what a language has in its place; null for a plain function. */
  readonly owner: string | null;
}

/** Something that can keep the flow, or a value, from other lines. */
export interface Guard extends Lines {
  readonly kind: "condition" | "early exit" | "assertion" | "loop bound" | "handler";
  /** The lines that run only after it, or under it; lines on which it has no bearing are in none of them. */
  readonly protects: readonly Lines[];
  /** Names in its condition, members too. */
  readonly names: readonly string[];
}

/** A call, `new` and the use of a component or macro included. */
export interface Call {
  readonly name: string;
  /** What it is called on, as far as that is a chain of names; "…" for anything else, null where there is nothing. */
  readonly receiver: string | null;
  readonly line: number;
  /** 0-based column of the name, in UTF-16 units. */
  readonly column: number;
  /** The named function around it. */
  readonly within: FunctionSpan | null;
}

/** A name that is given its value once. */
export interface NamedValue {
  readonly name: string;
  readonly line: number;
  /** As it is written: numbers, truth values and arithmetic on them and on names. Never text: that may be a secret. */
  readonly value: string;
}

/** A class, interface, enumeration, namespace or type. */
export interface Declaration extends Lines {
  readonly name: string;
  readonly kind: "class" | "interface" | "enum" | "namespace" | "type";
}

/** What one source file is made of. Every list is in the order of its lines. */
export interface Structure {
  readonly file: string;
  /** The language's name, for a person. */
  readonly language: string;
  /** `grammar`: parsed; `text`: read by patterns, because of `why`. */
  readonly reader: "grammar" | "text";
  /** Why no grammar read it; null where one did. */
  readonly why: string | null;
  /** False where some part was not understood: then that something is absent here means nothing. */
  readonly sound: boolean;
  /** The parts that were not understood. */
  readonly broken: readonly Lines[];
  readonly functions: readonly FunctionSpan[];
  readonly guards: readonly Guard[];
  readonly calls: readonly Call[];
  readonly constants: readonly NamedValue[];
  readonly declarations: readonly Declaration[];
  /** Of JavaScript, TypeScript and Python. */
  readonly imports: readonly ImportedName[];
}

/** True where a line lies in a stretch. */
export function covers(stretch: Lines, line: number): boolean {
  return stretch.line <= line && line <= stretch.endLine;
}

/** The innermost named function around a line; null at top level or where reading did not find one. */
export function enclosingFunction(structure: Pick<Structure, "functions">, line: number): FunctionSpan | null {
  let best: FunctionSpan | null = null;
  for (const candidate of structure.functions)
    if (covers(candidate, line) && (best === null || candidate.line >= best.line)) best = candidate;
  return best;
}

/** The guards that a line lies behind or under, in the order of their lines; the line itself is none. */
export function guardsBefore(structure: Structure, line: number): Guard[] {
  return structure.guards.filter(
    (guard) => guard.line !== line && guard.protects.some((stretch) => covers(stretch, line)),
  );
}

/** The guards that stand inside some lines; of one that leaves, only that it leaves. */
export function guardsWithin(structure: Structure, lines: Lines): Guard[] {
  const inside = structure.guards.filter((guard) => covers(lines, guard.line));
  const leaving = new Set(inside.flatMap(({ kind, line }) => (kind === "early exit" ? [line] : [])));
  return inside.filter(({ kind, line }) => kind !== "condition" || !leaving.has(line));
}

/** True where nothing in a stretch was left unread, so that what was not found there is not there by name. */
export function isSound(structure: Structure, lines: Lines): boolean {
  if (structure.sound) return true;
  if (structure.broken.length === 0) return false;
  return structure.broken.every((broken) => broken.endLine < lines.line || broken.line > lines.endLine);
}

/** The calls of a name in a file, on a receiver or not: where it is called by name, whatever it means there. */
export function callersOf(structure: Structure, name: string): Call[] {
  return structure.calls.filter((call) => call.name === name);
}

/** The calls on some lines. */
export function calleesOn(structure: Structure, lines: readonly number[]): Call[] {
  const wanted = new Set(lines);
  return structure.calls.filter((call) => wanted.has(call.line));
}
