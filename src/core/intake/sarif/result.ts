import type { Claimed } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, textAt } from "../json.ts";
import { BLANK_CLAIM } from "../reader.ts";
import { type KnownLevels, type ReadLevel, readLevel, readStatus } from "./level.ts";
import type { ReadLocation } from "./location.ts";
import { readArtifact, readFlows, readLocation, readRelated } from "./location.ts";
import { messageText, plainLinks } from "./message.ts";
import type { Components, FoundRule } from "./rules.ts";
import { findRule, indexRules } from "./rules.ts";

/** One run with what its results share. */
export interface RunContext {
  readonly run: JsonObject;
  readonly tool: string;
  readonly components: Components;
  readonly levels: KnownLevels;
  /** What was worked out for a rule's descriptor, so that 100,000 results of one rule do it once. */
  readonly cweOfRules: Map<JsonObject, { readonly id: string | null; readonly found: readonly string[] }>;
  /** Paths that were met, so that findings of one file share its text. */
  readonly paths: Map<string, string>;
  /** What a level and a rule's descriptor add to `extra`. */
  readonly extraOfRules: Map<ReadLevel, Map<JsonObject, Readonly<Record<string, unknown>>>>;
}

/** What the results of a run share. */
export function contextOf(run: JsonObject, severityMap: SeverityMap): RunContext {
  const tool = filledAt(run, "tool", "driver", "name")?.trim() ?? "unknown tool";
  return {
    run,
    tool,
    components: indexRules(run),
    levels: { map: severityMap, found: new Map() },
    cweOfRules: new Map(),
    paths: new Map(),
    extraOfRules: new Map(),
  };
}

/** One result as a claim; null where it says neither a message, nor a rule, nor a place. */
export function readResult(context: RunContext, result: JsonObject, pointer: string): Claimed | null {
  const { run } = context;
  const rule = findRule(context.components, result);
  const place = firstPlace(run, result);
  const message = messageText(at(result, "message"), rule) ?? ruleText(rule);
  if (message === null && rule.id === null && place.path === null) return null;
  const level = readLevel(run, result, rule, context.levels);
  return {
    ...BLANK_CLAIM,
    sourceId: filledAt(result, "guid") ?? filledAt(result, "correlationGuid"),
    path: place.path === null ? null : sharedPath(context.paths, place.path),
    span: place.span,
    severity: level.severity,
    sourceSeverity: level.sourceSeverity,
    tool: context.tool,
    rule: rule.id,
    message: message ?? "The source gives no message.",
    category: filledAt(result, "properties", "category") ?? filledAt(rule.descriptor, "properties", "category"),
    status: readStatus(result),
    quote: place.quote,
    fix: readFix(result),
    help: filledAt(rule.descriptor, "help", "text") ?? filledAt(rule.descriptor, "fullDescription", "text"),
    helpUri: filledAt(rule.descriptor, "helpUri"),
    cwe: readCwe(context, result, rule),
    finderConfidence: readConfidence(result),
    fingerprints: readFingerprints(result),
    ...readOthers(run, result, rule),
    pointer,
    extra: readExtra(context, result, rule, place, level),
  };
}

/** Other places of a result. Most have none, and half a million empty lists would be just that. */
function readOthers(run: JsonObject, result: JsonObject, rule: FoundRule): Pick<Claimed, "related" | "flows"> {
  const others = [...listAt(result, "locations").slice(1), ...listAt(result, "relatedLocations")];
  const flows = readFlows(run, result, rule);
  return {
    related: others.length === 0 ? BLANK_CLAIM.related : others.map((location) => readRelated(run, location, rule)),
    flows: flows.length === 0 ? BLANK_CLAIM.flows : flows,
  };
}

function sharedPath(known: Map<string, string>, path: string): string {
  const before = known.get(path);
  if (before === undefined) known.set(path, path);
  return before ?? path;
}

function firstPlace(run: JsonObject, result: JsonObject): ReadLocation {
  const place = readLocation(run, at(result, "locations", 0));
  return place.path === null ? { ...place, ...readArtifact(run, at(result, "analysisTarget")) } : place;
}

function ruleText(rule: FoundRule): string | null {
  const { descriptor } = rule;
  return (
    filledAt(descriptor, "shortDescription", "text") ??
    filledAt(descriptor, "fullDescription", "text") ??
    filledAt(descriptor, "name") ??
    rule.id
  );
}

function readFix(result: JsonObject): string | null {
  for (const fix of listAt(result, "fixes")) {
    const words = filledAt(fix, "description", "text") ?? filledAt(fix, "description", "markdown");
    const inserted = filledAt(fix, "artifactChanges", 0, "replacements", 0, "insertedContent", "text");
    const parts = [words === null ? null : plainLinks(words), inserted].filter((part) => part !== null);
    if (parts.length > 0) return parts.join("\n");
  }
  return null;
}

/** CWE numbers from the id, the tags, the taxa and the rule's relationships, as `CWE-89`. */
function readCwe({ cweOfRules }: RunContext, result: JsonObject, rule: FoundRule): readonly string[] {
  const ofRule = cweOfRules.get(rule.descriptor) ?? cweOfRule(rule);
  cweOfRules.set(rule.descriptor, ofRule);
  const own = [...taggedCwe(result), ...taxaCwe(listAt(result, "taxa"))];
  if (own.length === 0 && ofRule.id === rule.id) return ofRule.found;
  const ofId = numbersOf(rule.id, CWE_WORD).map((number) => `CWE-${number}`);
  return [...new Set([...ofId, ...own, ...ofRule.found])];
}

const CWE_WORD = /\bcwe[-_/ ]?(\d{1,5})\b/gi;

/** What a rule says for all its results; `id` is the one it was worked out for. */
function cweOfRule(rule: FoundRule): { readonly id: string | null; readonly found: readonly string[] } {
  const ofId = numbersOf(rule.id, CWE_WORD).map((number) => `CWE-${number}`);
  const relations = listAt(rule.descriptor, "relationships").map((relation) => at(relation, "target"));
  return { id: rule.id, found: [...new Set([...ofId, ...taggedCwe(rule.descriptor), ...taxaCwe(relations)])] };
}

function taggedCwe(holder: JsonObject): string[] {
  const properties = at(holder, "properties");
  if (properties === undefined) return [];
  const words = [at(properties, "cwe"), ...listAt(properties, "cwe"), ...listAt(properties, "tags")];
  return words.flatMap((text) => numbersOf(text, CWE_WORD)).map((number) => `CWE-${number}`);
}

function taxaCwe(taxa: readonly unknown[]): string[] {
  return taxa.flatMap((taxon) => {
    const id = textAt(taxon, "id");
    const ofCwe = /cwe/i.test(`${textAt(taxon, "toolComponent", "name") ?? ""} ${id ?? ""}`);
    return ofCwe ? numbersOf(id, /^\D*(\d{1,5})\b/g).map((number) => `CWE-${number}`) : [];
  });
}

function numbersOf(text: unknown, pattern: RegExp): number[] {
  if (typeof text !== "string") return [];
  return Array.from(text.matchAll(pattern), (found) => Number(found[1]));
}

function readConfidence(result: JsonObject): number | null {
  const value = at(result, "properties", "confidence") ?? at(result, "properties", "ai/confidence");
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0 || value > 100) return null;
  return value <= 1 ? value * 100 : value;
}

function readFingerprints(result: JsonObject): Readonly<Record<string, string>> {
  const whole = at(result, "fingerprints");
  const partial = at(result, "partialFingerprints");
  if (whole === undefined && partial === undefined) return BLANK_CLAIM.fingerprints;
  const found = new Map<string, string>();
  for (const member of [whole, partial]) {
    for (const [name, value] of Object.entries(isObject(member) ? member : {})) {
      if (typeof value === "string") found.set(found.has(name) ? `partial/${name}` : name, value);
    }
  }
  return Object.fromEntries(found);
}

/** What else a reader of the finding may need; only what is there. What a rule says for all its results is one object for all. */
function readExtra(
  context: RunContext,
  result: JsonObject,
  rule: FoundRule,
  place: ReadLocation,
  level: ReadLevel,
): Readonly<Record<string, unknown>> {
  const properties = at(result, "properties");
  const own = present({
    kind: textAt(result, "kind"),
    rank: at(result, "rank"),
    baselineState: textAt(result, "baselineState"),
    suppressions: at(result, "suppressions"),
    tags: at(properties, "tags"),
    offsets: place.offsets,
    absolutePath: place.absolutePath,
    baseId: place.baseId,
    symbol: place.symbol,
    locationMessage: filledAt(result, "locations", 0, "message", "text"),
    webRequest: at(result, "webRequest"),
    properties,
  });
  const shared = extraOfRule(context, rule, level);
  return Object.keys(own).length === 0 ? shared : { ...shared, ...own };
}

function extraOfRule(context: RunContext, rule: FoundRule, level: ReadLevel): Readonly<Record<string, unknown>> {
  const ofLevel = context.extraOfRules.get(level) ?? new Map<JsonObject, Readonly<Record<string, unknown>>>();
  context.extraOfRules.set(level, ofLevel);
  const known = ofLevel.get(rule.descriptor);
  if (known !== undefined) return known;
  const extra = present({
    level: level.level,
    securitySeverity: level.securitySeverity,
    ruleName: filledAt(rule.descriptor, "name"),
    tags: at(rule.descriptor, "properties", "tags"),
    columnKind: textAt(context.run, "columnKind"),
  });
  ofLevel.set(rule.descriptor, extra);
  return extra;
}

function present(candidates: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name in candidates)
    if (candidates[name] !== null && candidates[name] !== undefined) found[name] = candidates[name];
  return found;
}
