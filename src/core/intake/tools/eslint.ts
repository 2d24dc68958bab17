import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, step, textAt } from "../json.ts";
import { makeSpan, present, restOf, scalarText } from "./fields.ts";
import type { Draft, Member, ToolFormat } from "./tool.ts";
import { membersOf } from "./tool.ts";

/** ESLint's `json` (a list of files) and `json-with-metadata` (`{results, metadata}`). */
export const eslint: ToolFormat = {
  format: "eslint",
  title: "ESLint",
  members: (root) => {
    const files = filesOf(root);
    if (files === null) return null;
    const rules = objectAt(root, "metadata", "rulesMeta");
    return files.list.flatMap((file, index) => messagesOf(file, step(files.pointer, index), rules));
  },
  read: readMessage,
};

const READ = ["ruleId", "severity", "message", "line", "column", "endLine", "endColumn", "suppressions", "fix"];

function filesOf(root: unknown): { readonly list: readonly unknown[]; readonly pointer: string } | null {
  const list = Array.isArray(root) ? root : isObject(root) ? at(root, "results") : null;
  if (!Array.isArray(list)) return null;
  const isOurs = list.some((file: unknown) => textAt(file, "filePath") !== null && Array.isArray(at(file, "messages")));
  const isEmptyRun = list.length === 0 && isObject(at(root, "metadata", "rulesMeta"));
  return isOurs || isEmptyRun ? { list, pointer: Array.isArray(root) ? "" : "/results" } : null;
}

function messagesOf(file: unknown, pointer: string, rules: JsonObject): Member[] {
  if (!isObject(file) || !Array.isArray(at(file, "messages"))) return [{ value: file, owner: {}, pointer }];
  const source = textAt(file, "source");
  const shared = { filePath: at(file, "filePath"), lines: source?.split(/\r\n|[\n\r\u2028\u2029]/) ?? [], rules };
  return [
    ...membersOf(at(file, "messages"), `${pointer}/messages`, shared),
    ...membersOf(at(file, "suppressedMessages"), `${pointer}/suppressedMessages`, { ...shared, suppressed: true }),
  ];
}

function readMessage(value: JsonObject, { owner }: Member): Draft | string {
  const message = filledAt(value, "message");
  if (message === null) return "This message of ESLint has no text.";
  const severity = scalarText(at(value, "severity"));
  const fatal = at(value, "fatal") === true;
  if (severity === null && !fatal) return "This message of ESLint has no severity.";
  const rule = filledAt(value, "ruleId");
  const meta = rule === null ? {} : objectAt(owner, "rules", rule);
  const span = makeSpan(at(value, "line"), at(value, "endLine"), at(value, "column"), at(value, "endColumn"));
  const suppressions = listAt(value, "suppressions");
  const hidden = at(owner, "suppressed") === true || suppressions.length > 0;
  return {
    tool: "ESLint",
    message,
    severities: [{ scale: "eslint", value: severity ?? "2" }],
    path: filledAt(owner, "filePath"),
    span,
    rule,
    category: filledAt(meta, "type"),
    status: hidden ? "suppressed" : "open",
    quote: span.line === null ? null : quoteOf(listAt(owner, "lines"), span.line, span.endLine),
    fix: fixOf(value),
    help: filledAt(meta, "docs", "description"),
    helpUri: filledAt(meta, "docs", "url"),
    extra: {
      ...restOf(value, READ),
      ...present({
        level: fatal ? "fatal" : severity === "2" ? "error" : "warning",
        fixRange: at(value, "fix", "range"),
        suppressions,
      }),
    },
  };
}

/** The flagged line of the source that the report carries, where it does. */
function quoteOf(lines: readonly unknown[], line: number, endLine: number | null): string | null {
  const last = Math.min(endLine ?? line, line + 2);
  const quoted = lines.slice(line - 1, last).join("\n");
  return quoted.trim() === "" ? null : quoted;
}

function fixOf(value: JsonObject): string | null {
  const text = textAt(value, "fix", "text");
  if (text !== null) return text === "" ? "Remove the marked code." : text;
  const offers = listAt(value, "suggestions").flatMap((offer) => filledAt(offer, "desc") ?? []);
  return offers.length === 0 ? null : offers.join("\n");
}
