import type { Claimed } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, listAt, objectAt, textAt } from "../json.ts";
import { BLANK_CLAIM } from "../reader.ts";
import { readLevel, readStatus } from "./level.ts";
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
  readonly severityMap: SeverityMap;
}

/** What the results of a run share. */
export function contextOf(run: JsonObject, severityMap: SeverityMap): RunContext {
  const tool = filledAt(run, "tool", "driver", "name")?.trim() ?? "unknown tool";
  return { run, tool, components: indexRules(run), severityMap };
}

/** One result as a claim; null where it says neither a message, nor a rule, nor a place. */
export function readResult(context: RunContext, result: JsonObject, pointer: string): Claimed | null {
  const { run } = context;
  const rule = findRule(context.components, result);
  const place = firstPlace(run, result);
  const message = messageText(at(result, "message"), rule) ?? ruleText(rule);
  if (message === null && rule.id === null && place.path === null) return null;
  const level = readLevel(run, result, rule, context.severityMap);
  return {
    ...BLANK_CLAIM,
    sourceId: filledAt(result, "guid") ?? filledAt(result, "correlationGuid"),
    path: place.path,
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
    cwe: readCwe(result, rule),
    finderConfidence: readConfidence(result),
    fingerprints: readFingerprints(result),
    related: [...listAt(result, "locations").slice(1), ...listAt(result, "relatedLocations")].map((location) =>
      readRelated(run, location, rule),
    ),
    flows: readFlows(run, result, rule),
    pointer,
    extra: readExtra(context, result, rule, place, level),
  };
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
function readCwe(result: JsonObject, rule: FoundRule): string[] {
  const properties = [objectAt(result, "properties"), objectAt(rule.descriptor, "properties")];
  const words = properties.flatMap((holder) => [[at(holder, "cwe")], listAt(holder, "cwe"), listAt(holder, "tags")]);
  const found = [rule.id, ...words.flat()].flatMap((text) => numbersOf(text, /\bcwe[-_/ ]?(\d{1,5})\b/gi));
  const relations = listAt(rule.descriptor, "relationships").map((relation) => at(relation, "target"));
  for (const taxon of [...listAt(result, "taxa"), ...relations]) {
    const id = textAt(taxon, "id");
    const ofCwe = /cwe/i.test(`${textAt(taxon, "toolComponent", "name") ?? ""} ${id ?? ""}`);
    if (ofCwe) found.push(...numbersOf(id, /^\D*(\d{1,5})\b/g));
  }
  return [...new Set(found)].map((number) => `CWE-${number}`);
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

function readFingerprints(result: JsonObject): Record<string, string> {
  const found = new Map<string, string>();
  for (const member of ["fingerprints", "partialFingerprints"]) {
    for (const [name, value] of Object.entries(objectAt(result, member))) {
      if (typeof value === "string") found.set(found.has(name) ? `partial/${name}` : name, value);
    }
  }
  return Object.fromEntries(found);
}

/** What else a reader of the finding may need; only what is there. */
function readExtra(
  context: RunContext,
  result: JsonObject,
  rule: FoundRule,
  place: ReadLocation,
  level: { readonly level: string; readonly securitySeverity: string | null },
): Record<string, unknown> {
  const candidates: Record<string, unknown> = {
    level: level.level,
    securitySeverity: level.securitySeverity,
    kind: textAt(result, "kind"),
    rank: at(result, "rank"),
    baselineState: textAt(result, "baselineState"),
    suppressions: at(result, "suppressions"),
    ruleName: filledAt(rule.descriptor, "name"),
    tags: at(result, "properties", "tags") ?? at(rule.descriptor, "properties", "tags"),
    offsets: place.offsets,
    columnKind: textAt(context.run, "columnKind"),
    absolutePath: place.absolutePath,
    symbol: place.symbol,
    locationMessage: filledAt(result, "locations", 0, "message", "text"),
    webRequest: at(result, "webRequest"),
    properties: at(result, "properties"),
  };
  return Object.fromEntries(Object.entries(candidates).filter(([, value]) => value !== null && value !== undefined));
}
