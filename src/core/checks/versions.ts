import type { Atom, CheckResult } from "../check.ts";
import { codeOnly, syntaxOf } from "../code/lexer.ts";
import type { CodePlace } from "../code/modules.ts";
import { type Check, type CheckContext, citeLines, result } from "./check.ts";
import { type DeclaredVersion, declaredMinimum } from "./declaredVersion.ts";
import { guardOf } from "./versionGuards.ts";
import { compareVersions, type Feature, FEATURES, GO_LOOP_VARIABLE, type Runtime } from "./versionTable.ts";

const NAME = "version";
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  node: "node",
  "node.js": "node",
  nodejs: "node",
  python: "python",
  go: "go",
};
const RUNTIME = "(node(?:\\.?js)?|python|go)";
const MISSING =
  "(?:is|are)\\s+(?:not|n['’]t)\\s+(?:yet\\s+)?(?:available|supported|defined|present|implemented)\\s+(?:in|by|on)";

/** “X is not available in older Node versions”, “... in Node 16”. */
const LACKS = new RegExp(
  `^(?:the\\s+)?\`?([\\w.*/ -]{2,50}?)(?:\\(\\))?\`?\\s+${MISSING}\\s+(?:(?:older|old|earlier|(?:the\\s+)?(?:minimum|oldest|lowest)(?:\\s+supported)?|all\\s+supported|the\\s+supported)\\s+(?:versions?\\s+of\\s+)?${RUNTIME}(?:\\s+versions?)?|${RUNTIME}\\s+v?(\\d+(?:\\.\\d+){0,2}))$`,
  "i",
);
/** “Loop variable `v` captured by the closure”. */
const CAPTURED =
  /^(?:the\s+)?(?:loop|range|iteration)\s+variable\s+`?(\w+)`?\s+(?:is\s+)?captured\s+by\s+(?:the\s+|a\s+)?(?:closure|goroutine|func(?:tion)?(?:\s+literal)?)$/i;

/** What a clause says about a version (class 14); null where it says anything else, or about a feature that the table does not hold. */
export function versionClaimOf(clause: string): { readonly subject: string } | null {
  const text = clause.trim().replace(/[.!]+$/, "");
  const captured = CAPTURED.exec(text)?.[1];
  if (captured !== undefined) return { subject: captured };
  const lacks = LACKS.exec(text);
  return lacks?.[1] !== undefined && featureOf(lacks[1], runtimeOf(lacks)) !== undefined ? { subject: lacks[1] } : null;
}

function runtimeOf(match: RegExpExecArray): Runtime | undefined {
  return RUNTIMES[(match[2] ?? match[3] ?? "").toLowerCase()];
}

function featureOf(name: string, runtime: Runtime | undefined): Feature | undefined {
  const wanted = name.toLowerCase().trim();
  return FEATURES.find((feature) => feature.runtime === runtime && feature.names.includes(wanted));
}

/**
 * Class 14: the reviewed table against the lowest version that the project declares. "Not available in Node 16" is settled by the table
 * where 16 has it, and confirmed only where the project declares a version that lacks it and the file uses it.
 */
export const checkVersion: Check = async (finding, atom, context) => {
  const { file } = finding.place;
  const text = atom.text.trim().replace(/[.!]+$/, "");
  if (file === null) return unknown(atom, "There is no file to look at.");
  const captured = CAPTURED.exec(text)?.[1];
  if (captured !== undefined) return await checkLoopVariable(captured, file, atom, context);
  const match = LACKS.exec(text);
  const runtime = match === null ? undefined : runtimeOf(match);
  const feature = match === null ? undefined : featureOf(match[1] ?? "", runtime);
  if (match === null || runtime === undefined || feature === undefined)
    return unknown(atom, "The table does not hold this feature.");
  const named = match[4];
  if (named !== undefined && compareVersions(named, feature.since) >= 0) {
    const said = `${match[1]} came with ${runtime} ${feature.since}, and ${named} is not older.`;
    return await refuted(atom, said, [], context);
  }
  const declared = await declaredMinimum(runtime, file, context.repository);
  if (declared === null)
    return unknown(atom, `The project declares no lowest ${runtime} version that is plain to read.`);
  const { minimum, at } = declared;
  const place = `${at.file}:${at.line} declares ${runtime} ${minimum} or later; ${match[1]} came with ${feature.since}`;
  if (compareVersions(minimum, feature.since) >= 0)
    return named === undefined ? await refuted(atom, `${place}.`, [at], context) : unknown(atom, `${place}.`);
  // "Node 16" is every 16.x: some of them may have it.
  const partly = named !== undefined && !named.includes(".") && feature.since.startsWith(`${named}.`);
  if (partly && !feature.since.endsWith(".0")) return unknown(atom, `${place}.`);
  if (named !== undefined && compareVersions(minimum, `${named}.999.999`) > 0) return unknown(atom, `${place}.`);
  return await confirmed(feature, file, declared, place, atom, context);
};

async function confirmed(
  feature: Feature,
  file: string,
  { at }: DeclaredVersion,
  place: string,
  atom: Atom,
  context: CheckContext,
): Promise<CheckResult> {
  const text = await context.repository.text(file);
  const lines = text?.lines ?? [];
  const code = codeOnly(lines, syntaxOf(file));
  const manifest = (await context.repository.text(at.file))?.lines ?? [];
  const guard = guardOf(feature, file, { lines, code }, manifest);
  if (guard !== null) return unknown(atom, `${place}, but ${guard}.`);
  const line = code.findIndex((one) => feature.used.test(one)) + 1;
  if (line === 0) return unknown(atom, `${place}, but no use of it was found in ${file}.`);
  const citations = await citeLines([at, { file, line }], context);
  if (citations.length < 2) return unknown(atom, `${place}, but a line could not be re-read.`);
  return result(NAME, atom, "confirmed", `${place}, and ${file}:${line} uses it.`, citations);
}

async function checkLoopVariable(name: string, file: string, atom: Atom, context: CheckContext): Promise<CheckResult> {
  const text = await context.repository.text(file);
  if (!file.endsWith(".go") || text === null) return unknown(atom, "Only Go changed this with a version.");
  // A build constraint can set another language version for one file.
  if (text.lines.some((line) => /^\/\/(?:go:build|\s*\+build)\b/.test(line)))
    return unknown(atom, `${file} has a build constraint.`);
  // `for _, v = range` assigns to a variable from outside the loop, of which there is one in every version.
  const assigned = new RegExp(`\\bfor\\b[^{:]*\\b${name}\\b[^{:]*(?<![:=!<>])=(?!=)`);
  if (codeOnly(text.lines, syntaxOf(file)).some((line) => assigned.test(line)))
    return unknown(atom, `${file} has a loop that assigns to a ${name} from outside it.`);
  const declared = await declaredMinimum("go", file, context.repository);
  if (declared === null || compareVersions(declared.minimum, GO_LOOP_VARIABLE) < 0)
    return unknown(atom, `Each iteration has its own variable only from go ${GO_LOOP_VARIABLE} on.`);
  const { at, minimum } = declared;
  const said = `${at.file}:${at.line} declares go ${minimum}: from ${GO_LOOP_VARIABLE} on each iteration has its own variable.`;
  return await refuted(atom, said, [at], context);
}

async function refuted(
  atom: Atom,
  text: string,
  places: readonly CodePlace[],
  context: CheckContext,
): Promise<CheckResult> {
  const citations = await citeLines(places, context);
  if (citations.length < places.length) return unknown(atom, `${text} But a line could not be re-read.`);
  return result(NAME, atom, "refuted", text, citations);
}

function unknown(atom: Atom, text: string): CheckResult {
  return result(NAME, atom, "unknown", text);
}
