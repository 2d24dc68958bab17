import type { FindingStatus, RelatedPlace, Span } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt } from "../json.ts";
import { confidenceOf, cweOf, firstText, fromZero, makeSpan, present, restOf } from "./fields.ts";
import type { Draft, Member, ToolFormat } from "./tool.ts";
import { membersOf } from "./tool.ts";

/** GitLab's security reports: SAST, secret detection, dependency and container scanning share one shape. */
export const gitlab: ToolFormat = {
  format: "gitlab",
  title: "GitLab security reports",
  members: (root) => {
    const list = at(root, "vulnerabilities");
    if (!Array.isArray(list)) return null;
    const ours = list.some((row) => Array.isArray(at(row, "identifiers")) && isObject(at(row, "location")));
    if (!ours && !isObject(at(root, "scan", "scanner"))) return null;
    const owner = {
      scanner: at(root, "scan", "scanner"),
      type: at(root, "scan", "type"),
      remediations: at(root, "remediations"),
    };
    return membersOf(list, "/vulnerabilities", owner);
  },
  read: readVulnerability,
};

/** SonarQube's generic issue import (both of its shapes) and the issues that its web interface exports. Columns 0-based. */
export const sonarqube: ToolFormat = {
  format: "sonarqube",
  title: "SonarQube",
  members: (root) => {
    const list = at(root, "issues");
    if (!Array.isArray(list)) return null;
    const generic = list.some((row) => isObject(at(row, "primaryLocation")));
    const exported = list.some((row) => filledAt(row, "component") !== null && filledAt(row, "rule") !== null);
    if (!generic && !exported) return null;
    return membersOf(list, "/issues", {
      rules: byName(at(root, "rules"), "id"),
      components: byName(at(root, "components"), "key"),
    });
  },
  read: (value, member) => ("component" in value ? readExported(value, member) : readGeneric(value, member)),
};

function byName(list: unknown, name: string): JsonObject {
  const named = (Array.isArray(list) ? list : []).flatMap((each: unknown) => {
    const key = filledAt(each, name);
    return key === null ? [] : [[key, each] as const];
  });
  return Object.fromEntries(named);
}

function readVulnerability(value: JsonObject, { owner }: Member): Draft | string {
  const name = filledAt(value, "name");
  const message = firstText(at(value, "message"), name, at(value, "description"));
  if (message === null) return "This vulnerability has no message, no name and no description.";
  const place = objectAt(value, "location");
  const ids = listAt(value, "identifiers");
  const typed = (pattern: RegExp): unknown => ids.find((each) => pattern.test(filledAt(each, "type") ?? ""));
  // A published advisory names a vulnerable dependency better than the scanner's own number for it.
  const rule = typed(/^(?:cve|ghsa|osvdb|usn)$/i) ?? typed(/^(?!(?:cwe|owasp)$)/i) ?? ids[0];
  const severity = filledAt(value, "severity");
  const id = filledAt(value, "id");
  const dependency = objectAt(place, "dependency");
  const print = filledAt(value, "cve");
  return {
    tool: firstText(at(value, "scanner", "name"), at(owner, "scanner", "name")) ?? "GitLab",
    message,
    severities: severity === null ? [] : [{ scale: "gitlab", value: severity }],
    sourceId: id,
    path: filledAt(place, "file"),
    span: makeSpan(at(place, "start_line"), at(place, "end_line")),
    rule: filledAt(rule, "value") ?? filledAt(rule, "name"),
    category: filledAt(value, "category") ?? filledAt(owner, "type"),
    status: listAt(value, "flags").some((flag) => /false-positive/i.test(filledAt(flag, "type") ?? ""))
      ? "suppressed"
      : "open",
    fix: filledAt(value, "solution") ?? remedyOf(owner, id),
    help: filledAt(value, "description"),
    helpUri: firstText(at(rule, "url"), ...listAt(value, "links").map((link) => at(link, "url"))),
    cwe: cweOf(ids.filter((each) => /^cwe$/i.test(filledAt(each, "type") ?? "")).map((each) => at(each, "value"))),
    finderConfidence: confidenceOf(at(value, "confidence")),
    // Newer reports make a random id in every run; the old comparison key is stable.
    fingerprints: print === null ? {} : { "gitlab/cve": print },
    extra: {
      ...restOf(value, [
        "message",
        "name",
        "severity",
        "location",
        "solution",
        "description",
        "confidence",
        "cve",
        "id",
      ]),
      ...present({
        title: name,
        symbol: filledAt(place, "method"),
        class: filledAt(place, "class"),
        package: filledAt(dependency, "package", "name"),
        version: filledAt(dependency, "version"),
        image: filledAt(place, "image"),
        commit: at(place, "commit"),
      }),
    },
  };
}

function remedyOf(owner: JsonObject, id: string | null): string | null {
  const remedy = listAt(owner, "remediations").find((each) =>
    listAt(each, "fixes").some((fix) => id !== null && filledAt(fix, "id") === id),
  );
  return filledAt(remedy, "summary");
}

function readGeneric(value: JsonObject, { owner }: Member): Draft | string {
  const primary = objectAt(value, "primaryLocation");
  const ruleId = filledAt(value, "ruleId");
  const rule = ruleId === null ? {} : objectAt(owner, "rules", ruleId);
  const message = firstText(at(primary, "message"), at(rule, "name"), ruleId);
  if (message === null) return "This issue has neither a message nor a rule.";
  const severity = firstText(
    at(value, "severity"),
    at(value, "impacts", 0, "severity"),
    at(rule, "severity"),
    at(rule, "impacts", 0, "severity"),
  );
  return {
    tool: firstText(at(value, "engineId"), at(rule, "engineId")) ?? "SonarQube",
    message,
    severities: severity === null ? [] : [{ scale: "sonarqube", value: severity }],
    path: filledAt(primary, "filePath"),
    span: columnsFromZero(objectAt(primary, "textRange"), "startColumn", "endColumn"),
    rule: ruleId,
    category: firstText(at(value, "type"), at(rule, "type"), at(rule, "cleanCodeAttribute")),
    help: filledAt(rule, "description"),
    cwe: cweOf(at(rule, "cwe"), at(rule, "description")),
    related: listAt(value, "secondaryLocations").map((each): RelatedPlace => ({
      path: filledAt(each, "filePath"),
      span: columnsFromZero(objectAt(each, "textRange"), "startColumn", "endColumn"),
      message: filledAt(each, "message") ?? "",
    })),
    extra: restOf(value, ["primaryLocation", "secondaryLocations", "ruleId", "severity", "engineId", "type"]),
  };
}

/** Lines from 1, columns from 0: as 1-based columns, end-exclusive as they were. */
function columnsFromZero(range: JsonObject, start: string, end: string): Span {
  const endLine = at(range, "endLine");
  return makeSpan(at(range, "startLine"), endLine, fromZero(at(range, start)), fromZero(at(range, end)));
}

const RESOLUTIONS: ReadonlyMap<string, FindingStatus> = new Map([
  ["FALSE-POSITIVE", "suppressed"],
  ["WONTFIX", "suppressed"],
  ["ACCEPTED", "suppressed"],
  ["FIXED", "absent"],
  ["REMOVED", "absent"],
]);

function readExported(value: JsonObject, { owner }: Member): Draft | string {
  const rule = filledAt(value, "rule");
  const message = filledAt(value, "message") ?? rule;
  const component = filledAt(value, "component");
  if (message === null) return "This issue has neither a message nor a rule.";
  const known = component === null ? null : filledAt(objectAt(owner, "components", component), "path");
  const range = objectAt(value, "textRange");
  const span = columnsFromZero(range, "startOffset", "endOffset");
  const severity = firstText(at(value, "severity"), at(value, "impacts", 0, "severity"));
  const hash = filledAt(value, "hash");
  return {
    tool: "SonarQube",
    message,
    severities: severity === null ? [] : [{ scale: "sonarqube", value: severity }],
    sourceId: filledAt(value, "key"),
    path: known ?? component?.replace(/^.*:/, "") ?? null,
    span: span.line === null ? makeSpan(at(value, "line")) : span,
    rule,
    category: filledAt(value, "type"),
    status:
      RESOLUTIONS.get(filledAt(value, "resolution") ?? "") ?? (at(value, "status") === "CLOSED" ? "absent" : "open"),
    cwe: cweOf(at(value, "tags")),
    fingerprints: hash === null ? {} : { sonarqube: hash },
    flows: listAt(value, "flows")
      .map((flow) => listAt(flow, "locations").map((each) => flowStep(each, owner)))
      .filter((steps) => steps.length > 0),
    extra: {
      ...restOf(value, [
        "message",
        "component",
        "rule",
        "severity",
        "key",
        "flows",
        "textRange",
        "line",
        "type",
        "hash",
        "tags",
      ]),
      ...present({ tags: at(value, "tags") }),
    },
  };
}

function flowStep(each: unknown, owner: JsonObject): RelatedPlace {
  const component = filledAt(each, "component");
  const known = component === null ? null : filledAt(objectAt(owner, "components", component), "path");
  return {
    path: known ?? component?.replace(/^.*:/, "") ?? null,
    span: columnsFromZero(objectAt(each, "textRange"), "startOffset", "endOffset"),
    message: filledAt(each, "msg") ?? "",
  };
}
