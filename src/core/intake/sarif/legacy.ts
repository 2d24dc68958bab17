import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, textAt } from "../json.ts";

/** Raises a run of SARIF 1.0.0 or of a 2.0.0 draft to the shape of 2.1.0, as far as the members read here go. */
export function upgradeRun(run: JsonObject): JsonObject {
  const rules = at(run, "rules") ?? at(run, "resources", "rules");
  const listed = Array.isArray(rules) ? rules : Object.entries(isObject(rules) ? rules : {}).map(nameRule);
  const results = at(run, "results");
  return {
    ...run,
    tool: { driver: { ...objectAt(run, "tool"), rules: listed.map(upgradeRule) } },
    results: Array.isArray(results) ? results.map(upgradeResult) : results,
  };
}

function nameRule([id, rule]: [string, unknown]): JsonObject {
  return { ...(isObject(rule) ? rule : {}), id: textAt(rule, "id") ?? id };
}

function asText(value: unknown): unknown {
  return typeof value === "string" ? { text: value } : value;
}

function upgradeRule(rule: unknown): JsonObject {
  const source = isObject(rule) ? rule : {};
  const strings = Object.entries(objectAt(source, "messageStrings"));
  const formats = Object.entries(objectAt(source, "messageFormats"));
  return {
    ...source,
    shortDescription: asText(at(source, "shortDescription")),
    fullDescription: asText(at(source, "fullDescription")),
    help: asText(at(source, "help")),
    helpUri: textAt(source, "helpUri") ?? textAt(source, "helpLocation", "uri"),
    messageStrings: Object.fromEntries([...strings, ...formats].map(([id, value]) => [id, asText(value)])),
    defaultConfiguration: {
      level: oldLevel(textAt(source, "defaultLevel") ?? textAt(source, "configuration", "defaultLevel")),
    },
  };
}

function upgradeResult(result: unknown): unknown {
  if (!isObject(result)) return result;
  const level = textAt(result, "level");
  const kind = level === "pass" || level === "open" || level === "notApplicable" ? level : textAt(result, "kind");
  return {
    ...result,
    ruleId: filledAt(result, "ruleId") ?? filledAt(result, "ruleKey"),
    message: upgradeMessage(result),
    level: oldLevel(level),
    ...(kind === null ? {} : { kind }),
    locations: listAt(result, "locations").map(upgradeLocation),
    relatedLocations: listAt(result, "relatedLocations").map(upgradeLocation),
    codeFlows: listAt(result, "codeFlows").map(upgradeFlow),
    suppressions: listAt(result, "suppressionStates").map((state) => ({ kind: state })),
    fixes: [],
  };
}

function upgradeMessage(result: JsonObject): unknown {
  const message = at(result, "message");
  if (typeof message === "string") return { text: message };
  const formatted = at(result, "formattedRuleMessage");
  if (message !== undefined || !isObject(formatted)) return message;
  return { id: textAt(formatted, "formatId"), arguments: listAt(formatted, "arguments") };
}

/** 1.0.0 writes the verdict into the level; 2.1.0 has a kind for that. */
function oldLevel(level: string | null): string | null {
  return level === "pass" || level === "open" || level === "notApplicable" ? "none" : level;
}

function upgradeLocation(location: unknown): unknown {
  const physical =
    [at(location, "resultFile"), at(location, "physicalLocation"), at(location, "analysisTarget")].find(isObject) ?? {};
  const artifact = at(physical, "artifactLocation") ?? at(physical, "fileLocation") ?? physical;
  const name = filledAt(location, "fullyQualifiedLogicalName");
  const message = at(location, "message");
  return {
    physicalLocation: {
      artifactLocation: { uri: textAt(artifact, "uri"), uriBaseId: textAt(artifact, "uriBaseId") },
      region: at(physical, "region"),
    },
    ...(name === null ? {} : { logicalLocations: [{ fullyQualifiedName: name }] }),
    message: typeof message === "string" ? { text: message } : message,
  };
}

function upgradeFlow(flow: unknown): unknown {
  const threads = at(flow, "threadFlows") === undefined ? [flow] : listAt(flow, "threadFlows");
  return {
    threadFlows: threads.map((thread) => ({
      locations: listAt(thread, "locations").map((step) => ({
        location: upgradeLocation(at(step, "location") ?? step),
      })),
    })),
  };
}
