import type { FindingStatus, Severity, SourceSeverity } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { securityBand, severityOf } from "../../severity.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, textAt, wholeAt } from "../json.ts";
import type { FoundRule } from "./rules.ts";

/** Severity of a result with what it was read from, and its level beside it. */
export interface ReadLevel {
  readonly severity: Severity;
  readonly sourceSeverity: SourceSeverity;
  readonly level: string;
  readonly securitySeverity: string | null;
}

/** Severities of a run that were worked out: results have few kinds of them, and 100,000 share what they have in common. */
export interface KnownLevels {
  readonly map: SeverityMap;
  readonly found: Map<string, ReadLevel>;
}

/**
 * Severity of a result: `security-severity` first, which overrides both ways, then an explicit tag (`P0`, `critical`), then the
 * level (C2, ruling 18).
 */
export function readLevel(run: JsonObject, result: JsonObject, rule: FoundRule, levels: KnownLevels): ReadLevel {
  const level = effectiveLevel(run, result, rule);
  const securitySeverity = securityNumber(result) ?? securityNumber(rule.descriptor);
  const tag = explicitTag(result);
  const id = JSON.stringify([level, securitySeverity, tag?.scale, tag?.value]);
  const known = levels.found.get(id) ?? rankOf(level, securitySeverity, tag, levels.map);
  levels.found.set(id, known);
  return known;
}

function rankOf(
  level: string,
  securitySeverity: string | null,
  tag: SourceSeverity | undefined,
  map: SeverityMap,
): ReadLevel {
  const candidates: SourceSeverity[] = [
    ...(securitySeverity === null ? [] : [{ scale: "security-severity", value: securitySeverity }]),
    ...(tag === undefined ? [] : [tag]),
    { scale: "sarif-level", value: level },
    { scale: "word", value: level },
  ];
  for (const sourceSeverity of candidates) {
    const severity = severityOf(sourceSeverity, map);
    if (severity !== null) return { severity, sourceSeverity, level, securitySeverity };
  }
  return { severity: "P2", sourceSeverity: { scale: "sarif-level", value: level }, level, securitySeverity };
}

/** Level as 3.27.10 has it: the result's own; none unless the kind is `fail`; a configuration override; the rule's default; warning. */
function effectiveLevel(run: JsonObject, result: JsonObject, rule: FoundRule): string {
  const own = filledAt(result, "level");
  if (own !== null) return own;
  const kind = filledAt(result, "kind");
  if (kind !== null && kind !== "fail") return "none";
  return overriddenLevel(run, result, rule) ?? filledAt(rule.descriptor, "defaultConfiguration", "level") ?? "warning";
}

function overriddenLevel(run: JsonObject, result: JsonObject, rule: FoundRule): string | null {
  const index = wholeAt(result, "provenance", "invocationIndex") ?? 0;
  for (const override of listAt(run, "invocations", index, "ruleConfigurationOverrides")) {
    const id = textAt(override, "descriptor", "id");
    const position = wholeAt(override, "descriptor", "index");
    const sameId = id !== null && (id === rule.id || id === textAt(rule.descriptor, "id"));
    const samePosition = id === null && position !== null && position === wholeAt(result, "ruleIndex");
    const level = filledAt(override, "configuration", "level");
    if (level !== null && (sameId || samePosition)) return level;
  }
  return null;
}

function securityNumber(holder: JsonObject): string | null {
  const value = at(holder, "properties", "security-severity");
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && securityBand(text) !== null ? text : null;
}

/** P0 comes only from an explicit tag or a security number (C2): a tag on the result itself, never on its rule. */
function explicitTag(result: JsonObject): SourceSeverity | undefined {
  for (const tag of listAt(result, "properties", "tags")) {
    if (typeof tag !== "string") continue;
    if (/^p0$/i.test(tag)) return { scale: "p-scale", value: tag };
    if (/^critical$/i.test(tag)) return { scale: "word", value: tag };
  }
  return undefined;
}

/**
 * Whether the source still holds the result up. Suppressed where at least one suppression is accepted or carries no status; one that is
 * rejected or still under review hides nothing.
 */
export function readStatus(result: JsonObject): FindingStatus {
  const kind = textAt(result, "kind");
  if (kind === "pass" || kind === "notApplicable") return "pass";
  if (textAt(result, "baselineState") === "absent") return "absent";
  const hides = listAt(result, "suppressions").some((suppression) => {
    const status = textAt(suppression, "status");
    return isObject(suppression) && (status === null || status === "accepted");
  });
  return hides ? "suppressed" : "open";
}
