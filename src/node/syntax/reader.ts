import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Language, Parser, Query, type QueryMatch, type Tree } from "web-tree-sitter";
import { type Extracted, extract } from "./extract.ts";
import type { Grammar } from "./grammars/grammar.ts";
import { grammarOf } from "./grammars/grammars.ts";

/** What a grammar made of a text, or why none read it; `sound` false where it tried and the text made no sense to it. */
export type Parsed =
  | { readonly kind: "parsed"; readonly language: string; readonly sound: boolean; readonly parts: Extracted }
  | { readonly kind: "unread"; readonly why: string; readonly sound: boolean };

/** Reads source texts by their grammars. */
export interface SyntaxReader {
  /** Parses one text, its lines joined by "\n". Never throws. Grammars are loaded when a file first needs them. */
  read(file: string, text: string): Promise<Parsed>;
}

export interface SyntaxReaderOptions {
  /** Absolute path of a `.wasm` file by its name; null where it is not installed. */
  readonly locate?: (wasm: string) => string | null;
  /** Milliseconds that only grow; by default those that this thread was at work, so that a busy machine cuts nothing short. */
  readonly clock?: () => number;
  /** How long parsing and querying one file may take. */
  readonly timeLimitMs?: number;
}

/** How long one file may keep the process busy. */
const TIME_LIMIT_MS = 200;
/** How many times as long the first file of a grammar may: the engine compiles a grammar while it is first used. */
const FIRST_TAKES = 8;
/** Characters of the largest file that is parsed: what fits into the time. */
const LARGEST = 400_000;

/** What every query finds besides. */
const BROKEN = "\n(ERROR) @broken\n(MISSING) @broken";

interface Loaded {
  readonly language: Language;
  readonly query: Query;
}

/**
 * A reader over the tree-sitter runtime. What is loaded stays: the runtime cannot give a grammar's memory back (0.27.1 has
 * no `Language.delete`), and loading one anew would take it twice. Trees are freed at once.
 */
export function createSyntaxReader(options: SyntaxReaderOptions = {}): SyntaxReader {
  const { locate = locateWasm, clock = busyTime, timeLimitMs = TIME_LIMIT_MS } = options;
  const loaded = new Map<string, Promise<Loaded | string>>();
  const warm = new Set<Grammar>();
  let runtime: Promise<Parser | string> | null = null;

  const load = async (grammar: Grammar): Promise<Loaded | string> => {
    try {
      const file = locate(`${grammar.wasm}.wasm`);
      if (file === null) return `the grammar of ${grammar.language} is not installed`;
      const language = await Language.load(new Uint8Array(await readFile(file)));
      return { language, query: new Query(language, grammar.query + BROKEN) };
    } catch (error) {
      return `the grammar of ${grammar.language} could not be loaded (${reasonOf(error)})`;
    }
  };
  const remembered = async (grammar: Grammar): Promise<Loaded | string> => {
    const known = loaded.get(grammar.wasm) ?? load(grammar);
    loaded.set(grammar.wasm, known);
    return await known;
  };
  return {
    async read(file, text) {
      const grammar = grammarOf(file);
      if (grammar === null) return unread("there is no grammar for this language");
      if (text.length > LARGEST) return unread(`the file is larger than ${LARGEST / 1000} kB`);
      runtime ??= startRuntime(locate);
      const parser = await runtime;
      if (typeof parser === "string") return unread(parser);
      const tools = await remembered(grammar);
      if (typeof tools === "string") return unread(tools);
      const until = clock() + timeLimitMs * (warm.has(grammar) ? 1 : FIRST_TAKES);
      warm.add(grammar);
      return parse({ file, text, grammar }, parser, tools, () => clock() > until);
    },
  };
}

function busyTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function unread(why: string): Parsed {
  return { kind: "unread", why, sound: true };
}

async function startRuntime(locate: (wasm: string) => string | null): Promise<Parser | string> {
  try {
    const file = locate("web-tree-sitter.wasm");
    if (file === null) return "the parser is not installed";
    await Parser.init({ locateFile: () => file });
    return new Parser();
  } catch (error) {
    return `the parser could not be started (${reasonOf(error)})`;
  }
}

/** Without a wait in between: one parser serves all files, and what it holds must not be mixed. */
function parse(
  { file, text, grammar }: { readonly file: string; readonly text: string; readonly grammar: Grammar },
  parser: Parser,
  { language, query }: Loaded,
  late: () => boolean,
): Parsed {
  let tree: Tree | null = null;
  try {
    parser.setLanguage(language);
    tree = parser.parse(text, null, { progressCallback: late });
    if (tree === null) return unread("parsing it took too long");
    const root = tree.rootNode;
    const matches = matchesOf(query, tree, late);
    if (matches === null) return unread("parsing it took too long");
    const parts = extract(file, text, grammar, matches);
    // Of a text that makes no sense as a whole, whole functions may still be there.
    if (root.isError && parts.functions.length === 0)
      return { kind: "unread", why: `it is no ${grammar.language} that could be parsed`, sound: false };
    return { kind: "parsed", language: grammar.language, sound: !root.hasError, parts };
  } catch (error) {
    return unread(`the parser failed (${reasonOf(error)})`);
  } finally {
    tree?.delete();
    parser.reset();
  }
}

function matchesOf(query: Query, tree: Tree, late: () => boolean): QueryMatch[] | null {
  const matches = query.matches(tree.rootNode, { progressCallback: late });
  // A query that is cut short gives what it has, without saying so.
  return late() ? null : matches;
}

/** Beside the bundle as it is shipped; in the packages where the sources run. */
function locateWasm(wasm: string): string | null {
  const own = fileURLToPath(import.meta.url);
  const shipped = path.join(path.dirname(own), "grammars", wasm);
  if (existsSync(shipped)) return shipped;
  const require = createRequire(own);
  for (const folder of ["web-tree-sitter", "@vscode/tree-sitter-wasm/wasm", "tree-sitter-c"]) {
    try {
      return require.resolve(`${folder}/${wasm}`);
    } catch {
      // Not in this package.
    }
  }
  return null;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
