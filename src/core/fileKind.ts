import type { SourceText } from "./ports.ts";

/** Lines at the top of a file in which generators leave their mark. */
const HEAD_LINES = 12;
/** Characters of a line that no person writes. */
const MINIFIED_LINE = 1000;

const GENERATED_PATH =
  /(?:^|\/)(?:generated|__generated__|gen|autogen|dist|build|out|target|obj|\.next|\.nuxt|coverage|node_modules)\/|(?:\.(?:pb|gen|generated|g|designer)|_pb2(?:_grpc)?|_generated|\.pb\.gw)\.\w+$/i;
const VENDORED_PATH =
  /(?:^|\/)(?:vendor|vendored|third[-_]?party|external|node_modules|bower_components|jspm_packages)\//i;
const MINIFIED_PATH = /\.min\.(?:js|css|mjs|cjs)$/i;
const GENERATED_MARK =
  /\b(?:code\s+)?generated\b[^\n]{0,80}\b(?:by|from|with)\b|@generated\b|\bdo\s+not\s+(?:edit|modify)\b|\bauto-?generated\b|\bthis\s+file\s+(?:is|was)\s+(?:automatically\s+)?generated\b/i;
const VENDORED_MARK = /\bvendored\b|\bthird[- ]party\s+(?:copy|code|library)\b|^\s*\/\*!\s*\S+\s+v?\d+\.\d+/i;

/** Files whose style is not decided here. */
export type ForeignKind = "generated" | "vendored" | "minified";

/** One reason to take a file for generated, vendored or minified; `line` (1-based) where it stands in the file itself. */
export interface Signal {
  readonly kind: ForeignKind;
  readonly says: string;
  readonly line: number | null;
}

/** True for a path at which builds and generators put files. */
export function isGeneratedPath(file: string): boolean {
  return GENERATED_PATH.test(file) || MINIFIED_PATH.test(file);
}

/**
 * What speaks for a file being generated, vendored or minified (class 17): `.gitattributes`, its path, a mark in its head, lines that
 * nobody writes. One kind needs two signals before anything follows from it. `attributes` is the text of `.gitattributes`.
 */
export function foreignSignals(file: string, text: SourceText, attributes: readonly string[]): Signal[] {
  const signals: Signal[] = [];
  const add = (kind: ForeignKind, says: string, line: number | null = null): void =>
    void signals.push({ kind, says, line });
  if (attributeOf(file, "linguist-generated", attributes)) add("generated", ".gitattributes marks it as generated");
  if (attributeOf(file, "linguist-vendored", attributes)) add("vendored", ".gitattributes marks it as vendored");
  if (GENERATED_PATH.test(file)) add("generated", "its path is one of generated files");
  if (VENDORED_PATH.test(file)) add("vendored", "its path is one of vendored files");
  if (MINIFIED_PATH.test(file)) add("minified", "its name is one of minified files");
  const head = text.lines.slice(0, HEAD_LINES);
  const generated = head.findIndex((line) => isComment(line) && GENERATED_MARK.test(line));
  if (generated >= 0) add("generated", `line ${generated + 1} says so`, generated + 1);
  const vendored = head.findIndex((line) => isComment(line) && VENDORED_MARK.test(line));
  if (vendored >= 0) add("vendored", `line ${vendored + 1} says so`, vendored + 1);
  const long = text.lines.findIndex((line) => line.length > MINIFIED_LINE);
  if (long >= 0 && text.lines.length < 50)
    add("minified", `line ${long + 1} has ${text.lines[long]?.length} characters`);
  return signals;
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*|#|--|;|<!--|"""|'''|%)/.test(line);
}

/** True where the last matching line of `.gitattributes` sets an attribute. Patterns: names, `*`, `**`, folders. */
function attributeOf(file: string, attribute: string, attributes: readonly string[]): boolean {
  let set = false;
  for (const line of attributes) {
    const [pattern, ...values] = line.trim().split(/\s+/);
    if (pattern === undefined || pattern === "" || pattern.startsWith("#") || !globMatches(pattern, file)) continue;
    for (const value of values) {
      if (value === attribute || value === `${attribute}=true`) set = true;
      else if (value === `-${attribute}` || value === `!${attribute}` || value === `${attribute}=false`) set = false;
    }
  }
  return set;
}

function globMatches(pattern: string, file: string): boolean {
  if (pattern.length > 200 || pattern.split("*").length > 8) return false;
  const anchored = pattern.replace(/^\//, "");
  const source = anchored
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => GLOB[part] ?? part.replace(/[.+^${}()|[\]\\]/g, "\\$&"))
    .join("");
  const subject = anchored.includes("/") || pattern.startsWith("/") ? file : file.slice(file.lastIndexOf("/") + 1);
  return new RegExp(`^${source}$`).test(subject);
}

const GLOB: Readonly<Record<string, string>> = { "**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]" };

/** True for paths that hold tests: a use there keeps nothing alive in production. */
export function isTestFile(file: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|specs|e2e|testdata|fixtures|__fixtures__|stories|cypress)\/|(?:\.|_|-)(?:test|spec|stories|cy|test-d)\.\w+$|(?:^|\/)(?:test_\w+|conftest)\.py$/i.test(
    file,
  );
}

const FRAMEWORK =
  /(?:from\s+|require\(\s*|import\s+)["'](?:node:test|vitest|@jest\/globals|jest|mocha|chai|ava|tap|@playwright\/test|cypress|@testing-library\/[\w-]+|jasmine|bun:test)["']|^\s*(?:import|from)\s+(?:pytest|unittest|nose|hypothesis)\b|^\s*import\s+(?:static\s+)?org\.(?:junit|testng)\b|^\s*(?:import\s+)?"testing"|^\s*#\[cfg\(test\)\]|^\s*using\s+(?:NUnit|Xunit)\b/;

/** The 1-based line on which a file takes in a test framework; null where it does not. */
export function testFrameworkLine(lines: readonly string[]): number | null {
  const at = lines.findIndex((line) => FRAMEWORK.test(line));
  return at < 0 ? null : at + 1;
}
