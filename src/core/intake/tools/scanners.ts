import type { RelatedPlace } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt } from "../json.ts";
import { confidenceOf, cweOf, firstText, makeSpan, present, restOf } from "./fields.ts";
import type { Draft, Member, ToolFormat } from "./tool.ts";
import { membersOf, rowsOf } from "./tool.ts";

/** Infer's `report.json`. */
export const infer: ToolFormat = {
  format: "infer",
  title: "Infer",
  members: (root) =>
    rowsOf(
      root,
      (row) => "bug_type" in row && "qualifier" in row && ("bug_trace" in row || "procedure" in row || "hash" in row),
    ),
  read: readInfer,
};

/** Brakeman's `-f json`. */
export const brakeman: ToolFormat = {
  format: "brakeman",
  title: "Brakeman",
  members: (root) => {
    if (!Array.isArray(at(root, "warnings")) || !isObject(at(root, "scan_info"))) return null;
    const ignored = { ignored: true };
    return [
      ...membersOf(at(root, "warnings"), "/warnings"),
      ...membersOf(at(root, "ignored_warnings"), "/ignored_warnings", ignored),
    ];
  },
  read: readBrakeman,
  problems: (root) =>
    listAt(root, "errors").map((error, index) => ({
      pointer: `/errors/${index}`,
      text: firstText(at(error, "error"), at(error, "message")) ?? "an error without words",
      reason: "Brakeman reports an error of its own, so it may have missed findings.",
    })),
};

/** gitleaks' `-f json`: hard facts. The secret itself is left where it stands. */
export const gitleaks: ToolFormat = {
  format: "gitleaks",
  title: "gitleaks",
  members: (root) => rowsOf(root, (row) => "RuleID" in row && "Secret" in row && "File" in row),
  read: readGitleaks,
};

function readInfer(value: JsonObject): Draft | string {
  const message = firstText(at(value, "qualifier"), at(value, "bug_type_hum"), at(value, "bug_type"));
  if (message === null) return "This bug of Infer has no text.";
  const severity = filledAt(value, "severity") ?? filledAt(value, "kind");
  const steps = listAt(value, "bug_trace").filter(isObject).map(inferStep);
  const prints = ["hash", "key", "node_key"].flatMap((name) => {
    const print = filledAt(value, name);
    return print === null ? [] : [[`infer/${name}`, print] as const];
  });
  return {
    tool: "Infer",
    message,
    severities: severity === null ? [] : [{ scale: "infer", value: severity }],
    path: filledAt(value, "file"),
    span: makeSpan(at(value, "line"), null, at(value, "column")),
    rule: filledAt(value, "bug_type"),
    category: filledAt(value, "category"),
    status: filledAt(value, "censored_reason") === null && at(value, "suppressed") !== true ? "open" : "suppressed",
    fix: filledAt(value, "suggestion"),
    help: filledAt(value, "bug_type_hum"),
    fingerprints: Object.fromEntries(prints),
    flows: steps.length === 0 ? [] : [steps],
    extra: restOf(value, [
      "qualifier",
      "file",
      "line",
      "column",
      "severity",
      "bug_type",
      "bug_trace",
      "hash",
      "key",
      "node_key",
    ]),
  };
}

function inferStep(step: JsonObject): RelatedPlace {
  return {
    path: filledAt(step, "filename"),
    span: makeSpan(at(step, "line_number"), null, at(step, "column_number")),
    message: filledAt(step, "description") ?? "",
  };
}

function readBrakeman(value: JsonObject, { owner }: Member): Draft | string {
  const message = filledAt(value, "message");
  if (message === null) return "This warning of Brakeman has no message.";
  const confidence = filledAt(value, "confidence");
  const print = filledAt(value, "fingerprint");
  const type = filledAt(value, "warning_type");
  const place = [filledAt(value, "location", "class"), filledAt(value, "location", "method")].filter(
    (part) => part !== null,
  );
  const rendered = listAt(value, "render_path").filter(isObject);
  return {
    tool: "Brakeman",
    message,
    severities: confidence === null ? [] : [{ scale: "brakeman-confidence", value: confidence }],
    path: filledAt(value, "file"),
    span: makeSpan(at(value, "line")),
    rule: filledAt(value, "check_name") ?? type,
    category: type,
    status: at(owner, "ignored") === true ? "suppressed" : "open",
    helpUri: filledAt(value, "link"),
    cwe: cweOf(at(value, "cwe_id")),
    finderConfidence: confidenceOf(confidence),
    fingerprints: print === null ? {} : { brakeman: print },
    flows:
      rendered.length === 0
        ? []
        : [
            rendered.map((each) => ({
              path: filledAt(each, "file"),
              span: makeSpan(at(each, "line")),
              message: filledAt(each, "name") ?? "",
            })),
          ],
    extra: {
      // `code` is Brakeman's own rendering of the expression, which need not stand in the file like that.
      ...restOf(value, ["message", "file", "line", "link", "warning_type", "check_name", "cwe_id", "fingerprint"]),
      ...present({ symbol: filledAt(value, "location", "method"), where: place.join("#") }),
    },
  };
}

function readGitleaks(value: JsonObject): Draft | string {
  const rule = filledAt(value, "RuleID");
  const message = filledAt(value, "Description") ?? rule;
  if (message === null) return "This row of gitleaks has neither a description nor a rule.";
  const print = filledAt(value, "Fingerprint");
  return {
    tool: "gitleaks",
    message,
    severities: [{ scale: "gitleaks", value: "error" }],
    path: filledAt(value, "File"),
    span: makeSpan(at(value, "StartLine"), at(value, "EndLine"), at(value, "StartColumn")),
    rule,
    category: "secret",
    fingerprints: print === null ? {} : { gitleaks: print },
    // The secret, its match and its line are not carried on: nothing that shows a finding needs them.
    extra: restOf(value, [
      "RuleID",
      "Description",
      "File",
      "StartLine",
      "EndLine",
      "Fingerprint",
      "Secret",
      "Match",
      "Line",
    ]),
  };
}
