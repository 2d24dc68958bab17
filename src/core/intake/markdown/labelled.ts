import type { Claimed } from "../../finding.ts";
import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import type { MarkdownContext } from "./piece.ts";
import { proseClaim } from "./piece.ts";
import { readPlaces } from "./places.ts";
import { readSeverity } from "./severityWords.ts";

const TITLE = /^\*\*\s*\[(critical|high|medium|low|info)\]\s*(?:\*\*\s*[:—–-]?\s*(.*)|(.*?)\*\*\s*(.*))$/is;
const FIELD =
  /^\s*(?:[-*+]\s+)?(?:\*\*|__)?(location|rationale|repro(?:duction)?(?: steps)?|remediation|references?)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(.*)$/i;
type FieldName = "title" | "location" | "rationale" | "repro" | "remediation" | "reference";

/**
 * The bullet form `- **[Critical|High|Medium|Low]** title` with indented Location, Rationale, Repro, Remediation and References (R0.35);
 * null where the list item is none.
 */
export function readLabelledBullet(context: MarkdownContext, item: Block): Claimed | null {
  const lines = context.document.lines.slice(item.from, item.to);
  const found = TITLE.exec(withoutMarker(lines[0] ?? ""));
  const severity = found === null ? null : readSeverity(found[1] ?? "", context.severityMap);
  if (found === null || severity === null) return null;
  const fields = readFields(lines.slice(1));
  const field = (name: FieldName): string => (fields.get(name) ?? []).join("\n").trim();
  const plain = (name: FieldName): string | null => context.document.plain(field(name)) || null;
  const title = context.document.plain([found[2] ?? `${found[3] ?? ""} ${found[4] ?? ""}`, field("title")].join("\n"));
  const message = [title, plain("rationale")].filter((part) => part !== null && part !== "").join("\n");
  return proseClaim(context, {
    line: item.from,
    severity,
    places: readPlaces(field("location").replace(/^\s*[-*+]\s+/gm, "")),
    message: message === "" ? "The review gives no words for this finding." : message,
    text: lines.join("\n").trimEnd(),
    more: {
      quote: fencedCode(fields.get("location") ?? []),
      fix: plain("remediation"),
      helpUri: /https?:\/\/[^\s)>\]]*[^\s)>\].,;:]/.exec(field("reference"))?.[0] ?? null,
      extra: { location: plain("location"), repro: plain("repro"), references: plain("reference") },
    },
  });
}

/** Lines by field; a line without a label belongs to the field before it. Labels inside code are text. */
function readFields(lines: readonly string[]): Map<FieldName, string[]> {
  const fields = new Map<FieldName, string[]>();
  let current: FieldName = "title";
  let inFence = false;
  for (const line of lines) {
    const found = inFence ? null : FIELD.exec(line);
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    if (found !== null) current = fieldName(found[1] ?? "");
    const text = found === null ? line.trim() : (found[2] ?? "");
    const known = fields.get(current);
    if (known === undefined) fields.set(current, [text]);
    else known.push(inFence ? line : text);
  }
  return fields;
}

function fieldName(label: string): FieldName {
  const lower = label.toLowerCase();
  if (lower.startsWith("repro")) return "repro";
  if (lower.startsWith("reference")) return "reference";
  return lower === "location" ? "location" : lower === "rationale" ? "rationale" : "remediation";
}

/** Code fenced under Location is a quote of the place. */
function fencedCode(lines: readonly string[]): string | null {
  const open = lines.findIndex((line) => /^(?:```|~~~)/.test(line.trim()));
  if (open === -1) return null;
  const length = lines.slice(open + 1).findIndex((line) => /^(?:```|~~~)/.test(line.trim()));
  const code = lines.slice(open + 1, length === -1 ? undefined : open + 1 + length).join("\n");
  return code.trim() === "" ? null : code;
}
