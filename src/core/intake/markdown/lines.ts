import type { Claimed } from "../../finding.ts";
import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import type { MarkdownContext } from "./piece.ts";
import { proseClaim } from "./piece.ts";
import type { NamedPlace } from "./places.ts";
import { leadingPlace, readPlaces } from "./places.ts";
import { readSeverity } from "./severityWords.ts";

/** The line form `<file>:<line> | <P0|P1|P2> | <issue>` (R0.34); null where the line is none. `line` is 0-based. */
export function readLineForm(context: MarkdownContext, line: number): Claimed | null {
  const text = context.document.lines[line] ?? "";
  const [placeText, severityText, ...rest] = withoutMarker(text).split("|");
  if (placeText === undefined || severityText === undefined || rest.length === 0) return null;
  const word = severityText.replace(/[*_`[\]]/g, "").trim();
  const places = readPlaces(placeText);
  const issue = rest.join("|").trim();
  const severity = /^(?:P[0-2]|nit)$/i.test(word) ? readSeverity(word, context.severityMap) : null;
  if (severity === null || places.length === 0 || issue === "") return null;
  return proseClaim(context, { line, severity, places, message: context.document.plain(issue), text });
}

const BULLET = /^(?:\*\*|__|`)?\[(P[0-2]|nit)\](?:\*\*|__|`)?:?\s*(.*)$/is;

/** The bullet form `- [P0|P1|P2|Nit] <file:line> <issue> -> <fix>` (R1.7); null where the list item is none. */
export function readBullet(context: MarkdownContext, item: Block): Claimed | null {
  const raw = context.document.lines.slice(item.from, item.to).join("\n").trimEnd();
  const [first = "", ...others] = raw.split("\n");
  const text = [withoutMarker(first), ...others.map((line) => line.trim())].join("\n").trim();
  const found = BULLET.exec(text);
  if (found === null) return null;
  const severity = readSeverity(found[1] ?? "", context.severityMap);
  const leading = leadingPlace(found[2] ?? "");
  const body = leading?.rest ?? found[2] ?? "";
  const [issue, fix] = splitFix(body);
  if (severity === null || (issue === "" && leading === null)) return null;
  const places: NamedPlace[] = leading === null ? [] : [leading.place];
  return proseClaim(context, {
    line: item.from,
    severity,
    places,
    message: context.document.plain(issue) || "The review gives no words for this finding.",
    text: raw,
    more: { fix: fix === null ? null : context.document.plain(fix) },
  });
}

/** Splits at the first arrow that stands between blanks and outside backticks. */
function splitFix(body: string): [string, string | null] {
  let inCode = false;
  for (let index = 0; index < body.length; index += 1) {
    const character = body[index];
    if (character === "`") inCode = !inCode;
    if (inCode) continue;
    const arrow = character === "→" ? 1 : body.startsWith("->", index) ? 2 : 0;
    const before = body[index - 1] ?? " ";
    const after = body[index + arrow] ?? " ";
    if (arrow > 0 && /\s/.test(before) && /\s/.test(after)) {
      return [body.slice(0, index).trim(), body.slice(index + arrow).trim() || null];
    }
  }
  return [body.trim(), null];
}
