import { C, CPP } from "./c.ts";
import { CSHARP } from "./csharp.ts";
import { GO } from "./go.ts";
import type { Grammar } from "./grammar.ts";
import { JAVA } from "./java.ts";
import { JAVASCRIPT, TSX, TYPESCRIPT } from "./javascript.ts";
import { PHP } from "./php.ts";
import { PYTHON } from "./python.ts";
import { RUBY } from "./ruby.ts";
import { RUST } from "./rust.ts";

/** The languages that are parsed. A new one is one file beside this, one line here, and its `.wasm` in `.scripts/build.mjs`. */
export const GRAMMARS: readonly Grammar[] = [
  TYPESCRIPT,
  TSX,
  JAVASCRIPT,
  PYTHON,
  GO,
  JAVA,
  C,
  CPP,
  CSHARP,
  RUST,
  PHP,
  RUBY,
];

/** The grammar of a file by its extension; null where there is none. */
export function grammarOf(file: string): Grammar | null {
  const extension = /\.([^./]+)$/.exec(file)?.[1]?.toLowerCase();
  return GRAMMARS.find(({ extensions }) => extension !== undefined && extensions.includes(extension)) ?? null;
}
