import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, wholeAt } from "../json.ts";
import { confidenceOf, cweOf, firstText, fromZero, makeSpan, numberedLines, present, restOf } from "./fields.ts";
import type { Draft, ToolFormat } from "./tool.ts";
import { membersOf, rowsOf } from "./tool.ts";

/** Ruff's `json` and `json-lines`. Columns are 1-based, end-exclusive, in code points. */
export const ruff: ToolFormat = {
  format: "ruff",
  title: "Ruff",
  members: (root) =>
    rowsOf(root, (row) => "filename" in row && "code" in row && wholeAt(row, "location", "row") !== null),
  read: readRuff,
};

/** mypy's `--output json`: one object a line, columns 0-based. */
export const mypy: ToolFormat = {
  format: "mypy",
  title: "mypy",
  members: (root) =>
    rowsOf(root, (row) =>
      ["file", "line", "column", "message", "hint", "code"].every((name) => Object.hasOwn(row, name)),
    ),
  read: readMypy,
};

/** Pyright's `--outputjson`: lines and characters 0-based, as in the language server protocol. */
export const pyright: ToolFormat = {
  format: "pyright",
  title: "Pyright",
  members: (root) => {
    const list = at(root, "generalDiagnostics");
    return Array.isArray(list) ? membersOf(list, "/generalDiagnostics") : null;
  },
  read: readPyright,
};

/** Bandit's `-f json`. */
export const bandit: ToolFormat = {
  format: "bandit",
  title: "Bandit",
  members: (root) => {
    const list = at(root, "results");
    if (!Array.isArray(list)) return null;
    const ours = list.some((row) => filledAt(row, "test_id") !== null && filledAt(row, "issue_text") !== null);
    return ours || isObject(at(root, "metrics", "_totals")) ? membersOf(list, "/results") : null;
  },
  read: readBandit,
  problems: (root) =>
    listAt(root, "errors").map((error, index) => ({
      pointer: `/errors/${index}`,
      text: `${filledAt(error, "filename") ?? "a file"}: ${filledAt(error, "reason") ?? "no reason given"}`,
      reason: "Bandit could not read this file, so it says nothing about it.",
    })),
};

function readRuff(value: JsonObject): Draft | string {
  const message = filledAt(value, "message");
  const path = filledAt(value, "filename");
  if (message === null) return "This row of Ruff has no message.";
  if (path === null) return "This row of Ruff names no file.";
  const inNotebook = wholeAt(value, "cell");
  const severity = filledAt(value, "severity");
  const edits = listAt(value, "fix", "edits");
  const fixes = [filledAt(value, "fix", "message"), ...edits.map((edit) => filledAt(edit, "content"))];
  return {
    tool: "Ruff",
    message,
    // Before severities were written, each row was what made the run fail.
    severities: [{ scale: "ruff", value: severity ?? "error" }],
    path,
    span: makeSpan(
      at(value, "location", "row"),
      at(value, "end_location", "row"),
      at(value, "location", "column"),
      at(value, "end_location", "column"),
    ),
    rule: filledAt(value, "code"),
    fix: fixes.filter((part) => part !== null).join("\n") || null,
    helpUri: filledAt(value, "url"),
    extra: {
      ...restOf(value, ["message", "filename", "location", "end_location", "code", "url", "severity"]),
      ...present({ level: severity, cell: inNotebook, columnKind: "unicodeCodePoints" }),
    },
  };
}

function readMypy(value: JsonObject): Draft | string {
  const message = filledAt(value, "message");
  const path = filledAt(value, "file");
  if (message === null) return "This row of mypy has no message.";
  if (path === null) return "This row of mypy names no file.";
  const severity = filledAt(value, "severity") ?? "error";
  const code = filledAt(value, "code");
  return {
    tool: "mypy",
    message,
    severities: [{ scale: "mypy", value: severity }],
    path,
    span: makeSpan(
      at(value, "line"),
      at(value, "end_line"),
      fromZero(at(value, "column")),
      fromZero(at(value, "end_column")),
    ),
    rule: code,
    help: filledAt(value, "hint"),
    helpUri: mypyPage(code),
    extra: {
      ...restOf(value, ["message", "file", "line", "end_line", "column", "end_column", "code", "hint", "severity"]),
      level: severity,
    },
  };
}

/** mypy has one page for its codes, with an anchor each. */
export function mypyPage(code: string | null): string | null {
  if (code === null || !/^[a-z][a-z-]*$/.test(code)) return null;
  return `https://mypy.readthedocs.io/en/stable/_refs.html#code-${code}`;
}

function readPyright(value: JsonObject): Draft | string {
  const message = filledAt(value, "message");
  if (message === null) return "This diagnostic of Pyright has no message.";
  const severity = filledAt(value, "severity") ?? "error";
  const rule = filledAt(value, "rule");
  const [start, end] = [at(value, "range", "start"), at(value, "range", "end")];
  return {
    tool: "Pyright",
    message,
    severities: [{ scale: "pyright", value: severity }],
    path: firstText(at(value, "file"), at(value, "uri", "path"), at(value, "uri", "_filePath")),
    span: makeSpan(
      fromZero(at(start, "line")),
      fromZero(at(end, "line")),
      fromZero(at(start, "character")),
      fromZero(at(end, "character")),
    ),
    rule,
    helpUri:
      rule === null
        ? null
        : `https://github.com/microsoft/pyright/blob/main/docs/configuration.md#${encodeURIComponent(rule)}`,
    extra: { ...restOf(value, ["message", "file", "severity", "rule", "range"]), level: severity },
  };
}

function readBandit(value: JsonObject): Draft | string {
  const message = filledAt(value, "issue_text");
  if (message === null) return "This result of Bandit has no text.";
  const line = wholeAt(value, "line_number");
  // The range is that of the whole statement, which may begin before the flagged line.
  const last = Math.max(line ?? 0, ...listAt(value, "line_range").filter((each) => typeof each === "number"));
  const column = fromZero(at(value, "col_offset"));
  const sameLine = last === line;
  const span = makeSpan(line, last, column, sameLine ? fromZero(at(value, "end_col_offset")) : null);
  const severity = filledAt(value, "issue_severity");
  return {
    tool: "Bandit",
    message,
    severities: severity === null ? [] : [{ scale: "bandit", value: severity }],
    path: filledAt(value, "filename"),
    span,
    rule: filledAt(value, "test_id"),
    quote: numberedLines(filledAt(value, "code"), span.line, span.endLine),
    helpUri: filledAt(value, "more_info"),
    cwe: cweOf(at(value, "issue_cwe")),
    finderConfidence: confidenceOf(at(value, "issue_confidence")),
    extra: {
      ...restOf(value, ["issue_text", "line_number", "filename", "test_id", "code", "more_info"]),
      ...present({ columnKind: column === null ? null : "utf8" }),
    },
  };
}
