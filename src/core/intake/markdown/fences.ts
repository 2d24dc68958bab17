import type { Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import { readJsonReport } from "../tools/toolReader.ts";
import type { Block } from "./blocks.ts";
import type { Found, MarkdownContext, Piece } from "./piece.ts";
import { NOTHING } from "./piece.ts";

/** Findings that a report repeats, or gives alone, as JSON in a code block. */
export function readJsonFence(context: MarkdownContext, block: Block): Piece {
  const language = block.text.trim().toLowerCase();
  const text = innerText(context, block).trim();
  if (!/^(?:|json[c5]?l?|jsonl|ndjson)$/.test(language) || !/^[[{]/.test(text)) return NOTHING;
  const line = context.offset + block.from + 1;
  const parsed = parse(text);
  if (parsed === null) {
    const isFinding =
      /"(?:severity|level|priority)"\s*:/.test(text) && /"(?:file|path|line|location)\w*"\s*:/i.test(text);
    const reason = "This code block looks like findings in JSON, but is not valid JSON.";
    return isFinding ? { found: [], unread: [unread(context.path, { line }, text, reason, true)] } : NOTHING;
  }
  const reading = readJsonReport(
    parsed.value,
    { path: context.path, severityMap: context.severityMap },
    {
      locate: (pointer) => ({ pointer: `L${line}${pointer}`, line }),
    },
  );
  if (reading === null) return NOTHING;
  const found = reading.claimed.map(({ severity, sourceSeverity, ...body }): Found => ({
    shape: "json",
    line: block.from,
    to: block.to,
    id: body.sourceId,
    number: null,
    title: body.message.split("\n", 1)[0] ?? "",
    severity: { severity, sourceSeverity },
    inherited: sourceSeverity.scale === "unstated",
    summary: false,
    body,
  }));
  const rows: readonly Unread[] = reading.unread.map((row) => ({ ...row, line: row.line ?? line }));
  return { found, unread: rows };
}

/** What stands inside a code block, without its fences. */
function innerText(context: MarkdownContext, block: Block): string {
  return context.document.lines.slice(block.from + 1, block.to - 1).join("\n");
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return null;
  }
}
