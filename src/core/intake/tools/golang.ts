import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, wholeAt } from "../json.ts";
import { confidenceOf, cweOf, makeSpan, numberedLines, positive, present, restOf, scalarText } from "./fields.ts";
import type { Draft, ToolFormat } from "./tool.ts";
import { membersOf } from "./tool.ts";

/** gosec's `-fmt json`. */
export const gosec: ToolFormat = {
  format: "gosec",
  title: "gosec",
  members: (root) => {
    const list = at(root, "Issues");
    const ours = listAt(root, "Issues").some((row) => filledAt(row, "rule_id") !== null && "details" in objectAt(row));
    const run = isObject(root) && ("Golang errors" in root || "GosecVersion" in root);
    return Array.isArray(list) && (ours || run) ? membersOf(list, "/Issues") : null;
  },
  read: readGosec,
  problems: (root) =>
    Object.entries(objectAt(root, "Golang errors")).map(([file, errors], index) => ({
      pointer: `/Golang errors/${index}`,
      text: `${file}: ${filledAt(errors, 0, "error") ?? "could not be read"}`,
      reason: "gosec could not read this file, so it may have missed findings in it.",
    })),
};

/** golangci-lint's `--out-format json` (v1) and `--output.json.path` (v2). */
export const golangci: ToolFormat = {
  format: "golangci-lint",
  title: "golangci-lint",
  members: (root) => {
    const list = at(root, "Issues");
    const ours = listAt(root, "Issues").some((row) => filledAt(row, "FromLinter") !== null);
    return ours || (isObject(at(root, "Report")) && list !== undefined) ? membersOf(list, "/Issues") : null;
  },
  read: readGolangci,
};

function readGosec(value: JsonObject): Draft | string {
  const message = filledAt(value, "details");
  if (message === null) return "This issue of gosec has no details.";
  const [line, endLine] = (scalarText(at(value, "line")) ?? "").split("-");
  const span = makeSpan(line, endLine, at(value, "column"));
  const suppressions = listAt(value, "suppressions");
  const severity = filledAt(value, "severity");
  return {
    tool: "gosec",
    message,
    severities: severity === null ? [] : [{ scale: "gosec", value: severity }],
    path: filledAt(value, "file"),
    span,
    rule: filledAt(value, "rule_id"),
    status: at(value, "nosec") === true || suppressions.length > 0 ? "suppressed" : "open",
    quote: numberedLines(filledAt(value, "code"), span.line, span.endLine),
    fix: filledAt(value, "autofix"),
    helpUri: filledAt(value, "cwe", "url"),
    cwe: cweOf(at(value, "cwe")),
    finderConfidence: confidenceOf(at(value, "confidence")),
    extra: {
      ...restOf(value, ["details", "line", "column", "file", "rule_id", "code", "autofix", "cwe", "severity"]),
      ...present({ columnKind: span.column === null ? null : "utf8" }),
    },
  };
}

function readGolangci(value: JsonObject): Draft | string {
  const message = filledAt(value, "Text");
  if (message === null) return "This issue of golangci-lint has no text.";
  const linter = filledAt(value, "FromLinter");
  const severity = filledAt(value, "Severity");
  const code = /^([A-Z]{1,4}\d{2,5}): /.exec(message)?.[1];
  const line = positive(at(value, "Pos", "Line")) ?? wholeAt(value, "LineRange", "From");
  const quote = listAt(value, "SourceLines")
    .filter((each) => typeof each === "string")
    .join("\n");
  const inserted = listAt(value, "SuggestedFixes").flatMap((fix) => filledAt(fix, "Message") ?? []);
  const replaced = listAt(value, "Replacement", "NewLines").filter((each) => typeof each === "string");
  return {
    tool: linter === null ? "golangci-lint" : `golangci-lint ${linter}`,
    message,
    severities: [{ scale: "golangci", value: severity ?? "warning" }],
    path: filledAt(value, "Pos", "Filename"),
    span: makeSpan(line, at(value, "LineRange", "To"), at(value, "Pos", "Column")),
    rule: code ?? linter,
    quote: quote.trim() === "" ? null : quote,
    fix: [...inserted, ...replaced].join("\n") || null,
    extra: {
      ...restOf(value, ["Text", "FromLinter", "Severity", "Pos", "SourceLines"]),
      ...present({ columnKind: positive(at(value, "Pos", "Column")) === null ? null : "utf8" }),
    },
  };
}
