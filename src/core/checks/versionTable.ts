/** What a version claim can be about. */
export type Runtime = "node" | "python" | "go";

/** A feature and the version of its runtime that first has it, as the release notes of that runtime say. */
export interface Feature {
  readonly runtime: Runtime;
  /** What reports call it, lower case, without quotes, arguments and a leading object. */
  readonly names: readonly string[];
  readonly since: string;
  /** How code uses it. */
  readonly used: RegExp;
  /** True for syntax that a compiler may translate: its presence in TypeScript says nothing about what runs. */
  readonly syntax?: boolean;
}

const feature = (runtime: Runtime, since: string, used: RegExp, ...names: readonly string[]): Feature => ({
  runtime,
  since,
  used,
  names: names.map((name) => name.toLowerCase()),
});
const syntax = (runtime: Runtime, since: string, used: RegExp, ...names: readonly string[]): Feature => ({
  ...feature(runtime, since, used, ...names),
  syntax: true,
});

/**
 * Reviewed by hand against the release notes of Node.js (with the V8 version of each line), Python ("What's New") and Go. Only features that
 * came with one version and were not carried back to an older line stand here.
 */
export const FEATURES: readonly Feature[] = [
  syntax("node", "14.0", /\?\.(?!\d)/, "optional chaining"),
  syntax("node", "14.0", /\?\?(?!=)/, "nullish coalescing"),
  syntax("node", "15.0", /(?:\?\?|\|\||&&)=/, "logical assignment"),
  feature("node", "15.0", /\.replaceAll\(/, "replaceAll", "String.prototype.replaceAll"),
  feature("node", "15.0", /\bPromise\.any\(/, "Promise.any"),
  // Other things have an `at` too.
  feature("node", "16.6", /\]\.at\(/, "Array.prototype.at"),
  feature("node", "16.9", /\bObject\.hasOwn\(/, "Object.hasOwn", "hasOwn"),
  feature("node", "17.0", /\bstructuredClone\(/, "structuredClone"),
  feature("node", "18.0", /\.findLast(?:Index)?\(/, "findLast", "findLastIndex", "Array.prototype.findLast"),
  feature("node", "20.0", /\.toSorted\(/, "toSorted", "Array.prototype.toSorted"),
  feature("node", "20.0", /\.toReversed\(/, "toReversed", "Array.prototype.toReversed"),
  feature("node", "20.0", /\.toSpliced\(/, "toSpliced", "Array.prototype.toSpliced"),
  feature("node", "21.0", /\bObject\.groupBy\(/, "Object.groupBy"),
  feature("node", "21.0", /\bMap\.groupBy\(/, "Map.groupBy"),
  feature("node", "22.0", /\bPromise\.withResolvers\b/, "Promise.withResolvers", "withResolvers"),
  feature("node", "22.0", /\bArray\.fromAsync\(/, "Array.fromAsync", "fromAsync"),
  feature("node", "22.0", /\.isSubsetOf\(/, "Set.prototype.isSubsetOf", "isSubsetOf"),
  syntax("python", "3.8", /:=/, "walrus operator", "assignment expression"),
  feature("python", "3.8", /\bmath\.prod\(/, "math.prod"),
  feature("python", "3.9", /\.removeprefix\(/, "removeprefix", "str.removeprefix"),
  feature("python", "3.9", /\.removesuffix\(/, "removesuffix", "str.removesuffix"),
  feature("python", "3.9", /\bzoneinfo\b/, "zoneinfo"),
  feature("python", "3.9", /\bgraphlib\b/, "graphlib"),
  feature("python", "3.9", /\bfunctools\.cache\b(?!d)/, "functools.cache"),
  syntax("python", "3.10", /^\s*match\b.*:\s*$/, "match statement", "structural pattern matching"),
  feature("python", "3.10", /\bitertools\.pairwise\(|\bpairwise\(/, "itertools.pairwise", "pairwise"),
  feature("python", "3.11", /\btomllib\b/, "tomllib"),
  syntax("python", "3.11", /\bexcept\s*\*/, "except*"),
  feature("python", "3.11", /\bExceptionGroup\b/, "ExceptionGroup"),
  feature("python", "3.11", /\bTaskGroup\(/, "asyncio.TaskGroup", "TaskGroup"),
  feature("python", "3.11", /\basyncio\.timeout\(/, "asyncio.timeout"),
  feature("python", "3.11", /\bStrEnum\b/, "StrEnum", "enum.StrEnum"),
  feature("python", "3.12", /\bitertools\.batched\(|\bbatched\(/, "itertools.batched", "batched"),
  feature("go", "1.16", /\bos\.ReadFile\(/, "os.ReadFile"),
  feature("go", "1.16", /\bio\.ReadAll\(/, "io.ReadAll"),
  feature("go", "1.18", /\bstrings\.Cut\(/, "strings.Cut"),
  feature("go", "1.20", /\berrors\.Join\(/, "errors.Join"),
  feature("go", "1.21", /"log\/slog"/, "log/slog"),
  feature("go", "1.21", /\bclear\(/, "clear builtin"),
];

/** The Go version from which each iteration of a loop has its own variable. */
export const GO_LOOP_VARIABLE = "1.22";

/** Compares dotted versions; missing parts are 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
