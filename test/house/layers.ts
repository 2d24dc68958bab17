import path from "node:path";
import { blank, codeLines, importsOf, onlyReexports } from "./source.ts";

/** What one place may import. */
interface Layer {
  /** Packages, with everything below them. */
  readonly packages: readonly string[];
  /** Node's own modules: all, none, or these. */
  readonly builtIns: "all" | readonly string[];
  /** Our own places; where it says "types", nothing of them may be left at run time. */
  readonly ours: Readonly<Partial<Record<Place, "values" | "types">>>;
}

type Place = "core" | "protocol" | "node" | "vscode" | "browser" | "extension" | "worker" | "webview" | "cli";

const SERVER = ["vscode-languageserver", "vscode-languageserver-textdocument"];
const CLIENT = ["vscode", "vscode-languageclient", "vscode-languageserver-protocol"];

/** The import table: imports point from what can do more to what can do less. Entries never import each other. */
const LAYERS = {
  core: { packages: ["zod", "markdown-it", "saxes"], builtIns: [], ours: { core: "values" } },
  protocol: { packages: ["zod"], builtIns: [], ours: { core: "types", protocol: "values" } },
  node: {
    packages: [
      ...SERVER,
      "@secretlint/core",
      "@secretlint/profiler",
      "@secretlint/secretlint-rule-preset-recommend",
      "@secretlint/types",
      "execa",
      "fdir",
      "ignore",
      "openai",
      "p-queue",
      "picomatch",
      "proper-lockfile",
      "web-tree-sitter",
      "zod",
    ],
    builtIns: "all",
    ours: { core: "values", protocol: "values", node: "values" },
  },
  // It runs beside everything else in the editor: no program, no network, nothing that blocks. It parses settings
  // and what the page sends, with zod.
  vscode: {
    packages: [...CLIENT, "zod"],
    builtIns: ["node:crypto", "node:fs/promises", "node:path", "node:timers/promises"],
    ours: { core: "types", protocol: "values", vscode: "values" },
  },
  browser: { packages: ["lit"], builtIns: [], ours: { protocol: "types", browser: "values" } },
  extension: { packages: CLIENT, builtIns: [], ours: { protocol: "values", vscode: "values" } },
  worker: { packages: SERVER, builtIns: "all", ours: { protocol: "values", node: "values" } },
  webview: { packages: ["lit"], builtIns: [], ours: { protocol: "types", browser: "values" } },
  cli: { packages: [], builtIns: "all", ours: { protocol: "values", node: "values" } },
} as const satisfies Record<Place, Layer>;

/** What the pages know of the others: their own messages. */
const PAGE_PROTOCOLS: ReadonlySet<string> = new Set(["src/protocol/panel.ts", "src/protocol/filter.ts"]);

/** What makes the core's answer depend on more than its input. */
const IMPURE: readonly RegExp[] = [
  /\bDate\s*\.\s*now\b/g,
  /\bDate\s*\(\s*\)/g,
  /\bMath\s*\.\s*random\b/g,
  /(?<![.\w$])(?:performance|process|crypto|console|globalThis|navigator)\s*\./g,
  /(?<![.\w$])(?:fetch|set(?:Timeout|Interval|Immediate)|queueMicrotask|require|eval)\s*\(/g,
];

/** Files longer than this are two nouns in one file. Lines that are empty or only comment do not count. */
const MOST_LINES = 250;

/** What breaks the rules in these files, as sentences with their place; keys are paths like `src/core/vote.ts`. */
export function violations(files: ReadonlyMap<string, string>): readonly string[] {
  const found: string[] = [];
  for (const [file, source] of files) found.push(...imports(file, source, files), ...shape(file, source));
  return found.concat(cycles(files));
}

function imports(file: string, source: string, files: ReadonlyMap<string, string>): readonly string[] {
  const place = placeOf(file);
  if (place === null) return [`${file}: belongs to no layer`];
  const layer: Layer = LAYERS[place];
  const found: string[] = [];
  for (const { from, typeOnly, line } of importsOf(source)) {
    const refuse = (what: string) => found.push(`${file}:${line}: ${place} may not import ${what}`);
    // The manifest, for name and version; below src/ there is none, so this can only be an entry.
    if (from === "../package.json" && path.posix.dirname(file) === "src") continue;
    if (from.startsWith(".")) {
      const target = resolve(file, from);
      const other = placeOf(target);
      // An entry is a place of its own, but no place may import one.
      const allowed = other === null ? undefined : layer.ours[other];
      if (!files.has(target)) found.push(`${file}:${line}: ${from} does not exist (imports end in .ts)`);
      else if (allowed === undefined) refuse(target);
      else if (allowed === "types" && !typeOnly) refuse(`values of ${target}, only types`);
      if (place === "browser" && other === "protocol" && !PAGE_PROTOCOLS.has(target)) refuse(target);
    } else if (from.startsWith("node:")) {
      if (layer.builtIns !== "all" && !layer.builtIns.includes(from)) refuse(from);
    } else if (!layer.packages.some((name) => from === name || from.startsWith(`${name}/`))) refuse(from);
  }
  return found;
}

function shape(file: string, source: string): readonly string[] {
  const { codeOnly } = blank(source);
  const found: string[] = [];
  const lineOf = (at: number) => codeOnly.slice(0, at).split("\n").length;
  for (const { index } of codeOnly.matchAll(/\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b|\bexport\s*=/g)) {
    found.push(`${file}:${lineOf(index)}: default export`);
  }
  if (onlyReexports(source)) found.push(`${file}: only re-exports`);
  const lines = codeLines(source);
  if (lines > MOST_LINES) found.push(`${file}: ${lines} lines of code, more than ${MOST_LINES}`);
  if (placeOf(file) !== "core") return found;
  for (const { index, 0: what } of IMPURE.flatMap((pattern) => Array.from(codeOnly.matchAll(pattern)))) {
    found.push(`${file}:${lineOf(index)}: the core may not use ${what.trim()}`);
  }
  return found;
}

/** Each cycle once, as the way round. Types count too: two files that need each other's types are one noun. */
function cycles(files: ReadonlyMap<string, string>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) {
      found.push(`cycle: ${[...way.slice(way.indexOf(file)), file].join(" -> ")}`);
      return;
    }
    if (done.has(file)) return;
    const next = importsOf(files.get(file) ?? "").filter(({ from }) => from.startsWith("."));
    for (const { from } of next) visit(resolve(file, from), [...way, file]);
    done.add(file);
  };
  for (const file of files.keys()) visit(file, []);
  return found;
}

function resolve(file: string, from: string): string {
  return path.posix.join(path.posix.dirname(file), from);
}

/** The place of `src/PLACE/…` or of the entry `src/PLACE.ts`; null for anything else. */
function placeOf(file: string): Place | null {
  const name = /^src\/([a-z]+)(?:\/|\.ts$)/.exec(file)?.[1] ?? "";
  return isPlace(name) ? name : null;
}

function isPlace(name: string): name is Place {
  return Object.hasOwn(LAYERS, name);
}
