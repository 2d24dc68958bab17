import type { RelatedPlace } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, textAt } from "../json.ts";
import { confidenceOf, cweOf, firstText, makeSpan, present, restOf, scalarText } from "./fields.ts";
import type { Draft, Member, ToolFormat } from "./tool.ts";
import { membersOf, rowsOf } from "./tool.ts";

/** reviewdog's `rdjson` and `rdjsonl`: lines and columns 1-based, end-exclusive, columns in UTF-8 bytes. */
export const reviewdog: ToolFormat = {
  format: "rdjson",
  title: "reviewdog rdjson",
  members: (root) => {
    const list = at(root, "diagnostics");
    if (!Array.isArray(list)) return rowsOf(root, isDiagnostic);
    const ours =
      list.length === 0 ? isObject(at(root, "source")) : list.some((row) => isObject(row) && isDiagnostic(row));
    return ours
      ? membersOf(list, "/diagnostics", { source: at(root, "source"), severity: at(root, "severity") })
      : null;
  },
  read: readDiagnostic,
};

/** GitLab's code quality report, which is also Code Climate's. */
export const codeQuality: ToolFormat = {
  format: "code-quality",
  title: "GitLab code quality",
  members: (root) =>
    rowsOf(
      root,
      (row) =>
        filledAt(row, "description") !== null &&
        filledAt(row, "location", "path") !== null &&
        ("check_name" in row || "fingerprint" in row),
    ),
  read: readQuality,
};

const DIAGNOSTIC_MEMBERS: ReadonlySet<string> = new Set([
  "message",
  "location",
  "severity",
  "source",
  "code",
  "suggestions",
  "original_output",
  "originalOutput",
  "related_locations",
  "relatedLocations",
]);

/** Nothing but members of the format: `{message, location: {path, line}}` of an agent is not taken for it. */
function isDiagnostic(row: JsonObject): boolean {
  return (
    textAt(row, "message") !== null &&
    textAt(row, "location", "path") !== null &&
    Object.keys(row).every((name) => DIAGNOSTIC_MEMBERS.has(name)) &&
    Object.keys(objectAt(row, "location")).every((name) => name === "path" || name === "range")
  );
}

function readDiagnostic(value: JsonObject, { owner }: Member): Draft | string {
  const message = filledAt(value, "message");
  if (message === null) return "This diagnostic has no message.";
  const said = scalarText(at(value, "severity")) ?? scalarText(at(owner, "severity"));
  const fixes = listAt(value, "suggestions").flatMap((each) => {
    const text = textAt(each, "text");
    if (text === null) return [];
    if (text === "") return ["Remove the marked code."];
    return [text.trim() === "" ? "Replace the marked code by white space." : text];
  });
  const related = [...listAt(value, "related_locations"), ...listAt(value, "relatedLocations")];
  return {
    tool: firstText(at(value, "source", "name"), at(owner, "source", "name")) ?? "reviewdog",
    message,
    severities: said === null ? [] : [{ scale: "rdjson", value: said }],
    path: filledAt(value, "location", "path"),
    span: spanOf(objectAt(value, "location")),
    rule: filledAt(value, "code", "value"),
    fix: fixes.length === 0 ? null : fixes.join("\n"),
    helpUri: filledAt(value, "code", "url"),
    related: related.map((each): RelatedPlace => ({
      path: filledAt(each, "location", "path"),
      span: spanOf(objectAt(each, "location")),
      message: filledAt(each, "message") ?? "",
    })),
    extra: {
      ...restOf(value, ["message", "location", "severity", "code", "related_locations", "relatedLocations"]),
      ...present({
        level: said,
        columnKind: at(value, "location", "range", "start", "column") === undefined ? null : "utf8",
      }),
    },
  };
}

function spanOf(location: JsonObject): ReturnType<typeof makeSpan> {
  const [start, end] = [at(location, "range", "start"), at(location, "range", "end")];
  return makeSpan(at(start, "line"), at(end, "line"), at(start, "column"), at(end, "column"));
}

function readQuality(value: JsonObject): Draft | string {
  const message = filledAt(value, "description") ?? filledAt(value, "check_name");
  if (message === null) return "This row has no description.";
  const place = objectAt(value, "location");
  const [begin, end] = [at(place, "positions", "begin"), at(place, "positions", "end")];
  const severity = filledAt(value, "severity");
  const print = filledAt(value, "fingerprint");
  return {
    tool: filledAt(value, "engine_name") ?? "code quality",
    message,
    severities: severity === null ? [] : [{ scale: "code-quality", value: severity }],
    path: filledAt(place, "path"),
    span: makeSpan(
      at(place, "lines", "begin") ?? at(begin, "line"),
      at(place, "lines", "end") ?? at(end, "line"),
      at(begin, "column"),
      at(end, "column"),
    ),
    rule: filledAt(value, "check_name"),
    category: firstText(at(value, "categories", 0)),
    help: firstText(at(value, "content", "body"), at(value, "content")),
    cwe: cweOf(at(value, "cwe")),
    finderConfidence: confidenceOf(at(value, "confidence")),
    fingerprints: print === null ? {} : { codeQuality: print },
    related: listAt(value, "other_locations").map((each) => ({
      path: filledAt(each, "path"),
      span: makeSpan(at(each, "lines", "begin"), at(each, "lines", "end")),
      message: "",
    })),
    extra: restOf(value, [
      "description",
      "location",
      "severity",
      "check_name",
      "fingerprint",
      "content",
      "other_locations",
    ]),
  };
}
