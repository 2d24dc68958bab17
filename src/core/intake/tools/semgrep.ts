import type { RelatedPlace } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt } from "../json.ts";
import { confidenceOf, cweOf, firstText, makeSpan, present, restOf } from "./fields.ts";
import type { Draft, Problem, ToolFormat } from "./tool.ts";
import { membersOf } from "./tool.ts";

/** Semgrep's `--json`, also of Opengrep. Columns 1-based, end-exclusive. */
export const semgrep: ToolFormat = {
  format: "semgrep",
  title: "Semgrep",
  members: (root) => {
    const list = at(root, "results");
    if (!Array.isArray(list)) return null;
    const ours = list.some((row) => filledAt(row, "check_id") !== null && isObject(at(row, "extra")));
    const empty = list.length === 0 && Array.isArray(at(root, "paths", "scanned")) && Array.isArray(at(root, "errors"));
    return ours || empty ? membersOf(list, "/results") : null;
  },
  read: readResult,
  problems: (root) => listAt(root, "errors").map(problemOf),
};

// What Semgrep writes in place of a value to people who are not signed in.
const HIDDEN = "requires login";
const READ_EXTRA = ["message", "severity", "metadata", "fix", "lines", "is_ignored", "fingerprint"];

function readResult(value: JsonObject): Draft | string {
  const extra = objectAt(value, "extra");
  const metadata = objectAt(extra, "metadata");
  const rule = filledAt(value, "check_id");
  const message = filledAt(extra, "message") ?? rule;
  if (message === null) return "This result of Semgrep has neither a message nor a rule.";
  const severity = filledAt(extra, "severity");
  const print = filledAt(extra, "fingerprint");
  const quote = filledAt(extra, "lines");
  return {
    tool: "Semgrep",
    message: message.trim(),
    severities: severity === null ? [] : [{ scale: "semgrep", value: severity }],
    path: filledAt(value, "path"),
    span: makeSpan(
      at(value, "start", "line"),
      at(value, "end", "line"),
      at(value, "start", "col"),
      at(value, "end", "col"),
    ),
    rule,
    category: filledAt(metadata, "category"),
    status: at(extra, "is_ignored") === true ? "suppressed" : "open",
    quote: quote === HIDDEN ? null : quote,
    fix: filledAt(extra, "fix"),
    helpUri: firstText(
      at(metadata, "source"),
      at(metadata, "shortlink"),
      at(metadata, "source-rule-url"),
      at(metadata, "references", 0),
      at(metadata, "references"),
    ),
    cwe: cweOf(at(metadata, "cwe")),
    finderConfidence: confidenceOf(at(metadata, "confidence")),
    fingerprints: print === null || print === HIDDEN ? {} : { semgrep: print },
    flows: flowOf(extra),
    extra: {
      ...restOf(value, ["check_id", "path", "start", "end", "extra"]),
      ...restOf(extra, READ_EXTRA),
      ...present({ level: severity, metadata, columnKind: "unicodeCodePoints" }),
    },
  };
}

/** The taint trace: source, variables on the way, sink. Each end is `["CliLoc", [place, code]]`, nested deeper for calls. */
function flowOf(extra: JsonObject): RelatedPlace[][] {
  const trace = objectAt(extra, "dataflow_trace");
  const steps = [
    ...endOf(at(trace, "taint_source"), "source"),
    ...listAt(trace, "intermediate_vars").flatMap((each) =>
      placeOf(at(each, "location"), filledAt(each, "content") ?? ""),
    ),
    ...endOf(at(trace, "taint_sink"), "sink"),
  ];
  return steps.length === 0 ? [] : [steps];
}

function endOf(end: unknown, name: string): RelatedPlace[] {
  const [place, code] = listAt(end, 1);
  const nested = Array.isArray(place) ? place : [place, code];
  const words = typeof nested[1] === "string" ? `${name}: ${nested[1]}` : name;
  return placeOf(nested[0], words);
}

function placeOf(place: unknown, message: string): RelatedPlace[] {
  const path = filledAt(place, "path");
  if (path === null) return [];
  const span = makeSpan(
    at(place, "start", "line"),
    at(place, "end", "line"),
    at(place, "start", "col"),
    at(place, "end", "col"),
  );
  return [{ path, span, message }];
}

function problemOf(error: unknown, index: number): Problem {
  const words = firstText(at(error, "message"), at(error, "long_msg"), at(error, "short_msg"), at(error, "type"));
  const path = filledAt(error, "path");
  return {
    pointer: `/errors/${index}`,
    text: [path, words].filter((part) => part !== null).join(": "),
    reason: "Semgrep reports an error of its own, so it may have missed findings.",
  };
}
