import type { FindingStatus } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, wholeAt } from "../json.ts";
import { cweOf, firstText, makeSpan, present, restOf } from "./fields.ts";
import type { Draft, ToolFormat } from "./tool.ts";
import { rowsOf } from "./tool.ts";

/** Code-scanning alerts as GitHub's REST interface lists them. */
export const codeScanning: ToolFormat = {
  format: "code-scanning",
  title: "GitHub alerts (code scanning, Dependabot, secret scanning)",
  members: (root) => rowsOf(root, (row) => isObject(at(row, "rule")) && isObject(at(row, "most_recent_instance"))),
  read: readAlert,
};

/** Dependabot's alerts: hard facts about the manifest they name. */
export const dependabot: ToolFormat = {
  format: "dependabot",
  title: codeScanning.title,
  members: (root) => rowsOf(root, (row) => isObject(at(row, "dependency")) && isObject(at(row, "security_advisory"))),
  read: readDependabot,
};

/** Secret-scanning alerts: hard facts. The list names no place, and the secret itself is left where it stands. */
export const secretScanning: ToolFormat = {
  format: "secret-scanning",
  title: codeScanning.title,
  members: (root) => rowsOf(root, (row) => filledAt(row, "secret_type") !== null && "state" in row),
  read: readSecret,
};

const STATES: ReadonlyMap<string, FindingStatus> = new Map([
  ["dismissed", "suppressed"],
  ["auto_dismissed", "suppressed"],
  ["fixed", "absent"],
  ["closed", "absent"],
  ["resolved", "absent"],
  ["false_positive", "suppressed"],
  ["wont_fix", "suppressed"],
  ["used_in_tests", "suppressed"],
  ["revoked", "absent"],
]);

function statusOf(value: JsonObject): FindingStatus {
  return STATES.get(filledAt(value, "resolution") ?? "") ?? STATES.get(filledAt(value, "state") ?? "") ?? "open";
}

function numberOf(value: JsonObject): string | null {
  const number = wholeAt(value, "number");
  return number === null ? null : String(number);
}

function readAlert(value: JsonObject): Draft | string {
  const rule = objectAt(value, "rule");
  const instance = objectAt(value, "most_recent_instance");
  const message = firstText(
    at(instance, "message", "text"),
    at(rule, "description"),
    at(rule, "full_description"),
    at(rule, "name"),
    at(rule, "id"),
  );
  if (message === null) return "This alert has neither a message nor a rule.";
  const place = objectAt(instance, "location");
  const severity = filledAt(rule, "severity");
  const ranks = [filledAt(rule, "security_severity_level"), severity].filter((each) => each !== null);
  return {
    tool: filledAt(value, "tool", "name") ?? "code scanning",
    message,
    severities: ranks.map((each) => ({ scale: "code-scanning", value: each })),
    sourceId: numberOf(value),
    path: filledAt(place, "path"),
    span: makeSpan(at(place, "start_line"), at(place, "end_line"), at(place, "start_column"), at(place, "end_column")),
    rule: filledAt(rule, "id") ?? filledAt(rule, "name"),
    category: firstText(...listAt(rule, "tags").filter((tag) => typeof tag === "string" && !tag.includes("/"))),
    status: statusOf(value),
    help: firstText(at(rule, "help"), at(rule, "full_description"), at(rule, "description")),
    helpUri: filledAt(rule, "help_uri") ?? filledAt(value, "html_url"),
    cwe: cweOf(listAt(rule, "tags")),
    extra: {
      ...restOf(value, ["rule", "tool", "most_recent_instance", "number"]),
      ...present({
        level: severity,
        tags: at(rule, "tags"),
        rule,
        toolVersion: at(value, "tool", "version"),
        instance,
      }),
    },
  };
}

function readDependabot(value: JsonObject): Draft | string {
  const advisory = objectAt(value, "security_advisory");
  const vulnerability = objectAt(value, "security_vulnerability");
  const name = firstText(at(value, "dependency", "package", "name"), at(vulnerability, "package", "name"));
  const id = firstText(at(advisory, "ghsa_id"), at(advisory, "cve_id"));
  if (name === null && id === null) return "This alert names neither a package nor an advisory.";
  const summary = firstText(at(advisory, "summary"), at(advisory, "description")) ?? "known vulnerability";
  const ids = [at(advisory, "ghsa_id"), at(advisory, "cve_id")].filter((each) => typeof each === "string");
  const severity = firstText(at(vulnerability, "severity"), at(advisory, "severity"));
  const fixed = filledAt(vulnerability, "first_patched_version", "identifier");
  return {
    tool: "Dependabot",
    message: `${name ?? "a dependency"}: ${summary}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`,
    severities: severity === null ? [] : [{ scale: "code-scanning", value: severity }],
    sourceId: numberOf(value),
    path: filledAt(value, "dependency", "manifest_path"),
    rule: id,
    category: "vulnerable dependency",
    status: statusOf(value),
    fix: fixed === null ? null : `Fixed in ${fixed}.`,
    help: filledAt(advisory, "description"),
    helpUri: filledAt(value, "html_url"),
    cwe: cweOf(listAt(advisory, "cwes").map((each) => at(each, "cwe_id"))),
    extra: restOf(value, ["security_advisory", "number"]),
  };
}

function readSecret(value: JsonObject): Draft | string {
  const type = filledAt(value, "secret_type");
  if (type === null) return "This alert names no kind of secret.";
  return {
    tool: "GitHub secret scanning",
    message: `${filledAt(value, "secret_type_display_name") ?? type} in the repository`,
    severities: [{ scale: "code-scanning", value: "error" }],
    sourceId: numberOf(value),
    rule: type,
    category: "secret",
    status: statusOf(value),
    helpUri: filledAt(value, "html_url"),
    extra: restOf(value, ["secret", "secret_type", "secret_type_display_name", "number"]),
  };
}
