import type { RelatedPlace, Span } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, textAt } from "../json.ts";
import { makeSpan, present, restOf } from "./fields.ts";
import type { Draft, ToolFormat } from "./tool.ts";
import { rowsOf } from "./tool.ts";

/** `cargo build|check|clippy --message-format=json`: one message a line; the compiler's errors are hard facts. */
export const cargo: ToolFormat = {
  format: "cargo",
  title: "cargo and Clippy",
  members: (root) => {
    const rows = rowsOf(root, (row) => at(row, "reason") === "compiler-message" && isObject(at(row, "message")));
    // The other messages say what was built; a summary of the compiler's own repeats what stands before it.
    return rows?.filter(({ value }) => !isReport(value)) ?? null;
  },
  read: readMessage,
};

function isReport(value: unknown): boolean {
  const reason = textAt(value, "reason");
  if (reason !== null && reason !== "compiler-message") return true;
  const said = textAt(value, "message", "message") ?? "";
  return (
    listAt(value, "message", "spans").length === 0 &&
    /^(?:aborting due to|\d+ warnings? emitted|For more information)/.test(said)
  );
}

function readMessage(value: JsonObject): Draft | string {
  const said = objectAt(value, "message");
  const message = filledAt(said, "message");
  if (message === null) return "This message of the compiler has no text.";
  const level = filledAt(said, "level") ?? "error";
  const rule = filledAt(said, "code", "code");
  const spans = listAt(said, "spans").filter(isObject);
  const main = spans.find((each) => at(each, "is_primary") === true) ?? spans[0] ?? {};
  const children = listAt(said, "children").filter(isObject);
  const help = children.filter((each) => /^(?:help|note)$/.test(textAt(each, "level") ?? ""));
  const fixes = children
    .flatMap((each) => listAt(each, "spans"))
    .flatMap((each) => textAt(each, "suggested_replacement") ?? []);
  const quote = listAt(main, "text").flatMap((each) => textAt(each, "text") ?? []);
  return {
    tool: rule?.startsWith("clippy::") === true ? "Clippy" : "rustc",
    message,
    severities: [{ scale: "compiler", value: level.replace(/^error:.*$/s, "error") }],
    path: filledAt(main, "file_name"),
    span: spanOf(main),
    rule,
    quote: quote.length === 0 ? null : quote.join("\n"),
    fix: fixes.length === 0 ? null : fixes.join("\n"),
    help: help.flatMap((each) => filledAt(each, "message") ?? []).join("\n") || filledAt(said, "code", "explanation"),
    helpUri: rule !== null && /^E\d{4}$/.test(rule) ? `https://doc.rust-lang.org/error_codes/${rule}.html` : null,
    related: spans
      .filter((each) => each !== main)
      .map((each): RelatedPlace => ({
        path: filledAt(each, "file_name"),
        span: spanOf(each),
        message: filledAt(each, "label") ?? "",
      })),
    extra: {
      ...restOf(value, ["message", "reason"]),
      ...present({ level, rendered: at(said, "rendered"), columnKind: "unicodeCodePoints" }),
    },
  };
}

function spanOf(span: JsonObject): Span {
  return makeSpan(at(span, "line_start"), at(span, "line_end"), at(span, "column_start"), at(span, "column_end"));
}
