import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import { mentionsIn } from "./mentions.ts";
import type { Found, MarkdownContext, Spot } from "./piece.ts";
import { proseBody } from "./piece.ts";
import { leadingFile, readPlaces } from "./places.ts";
import { idOf } from "./rank.ts";
import type { ReadSeverity } from "./severityWords.ts";
import { readSeverity } from "./severityWords.ts";

/** The line form `<file>:<line> | <P0|P1|P2> | <issue>` (R0.34); null where the line is none. `line` is 0-based. */
export function readLineForm(context: MarkdownContext, line: number): Found | null {
  const text = context.document.lines[line] ?? "";
  const [placeText, severityText, ...rest] = withoutMarker(text).split("|");
  if (placeText === undefined || severityText === undefined || rest.length === 0) return null;
  const word = severityText.replace(/[*_`[\]]/g, "").trim();
  const places = readPlaces(placeText);
  const issue = rest.join("|").trim();
  const severity = /^(?:P[0-4]|nit)$/i.test(word) ? readSeverity(word, context.severityMap) : null;
  if (severity === null || places.length === 0 || issue === "") return null;
  return makeLine(context, { shape: "line", line, to: line + 1, severity, places, message: issue, text });
}

const BULLET = /^(\*\*|__|`|)\[(P[0-4]|nit)\]\1:?\s*(.*)$/is;

/** The bullet form `- [P0|P1|P2|Nit] <file:line> <issue> -> <fix>` (R1.7); null where the list item is none. `over` is a file that an item above it names. */
export function readBullet(context: MarkdownContext, item: Block, over: Spot | null): Found | null {
  const first = withoutMarker(context.document.lines[item.from] ?? "");
  if (!BULLET.test(first)) return null;
  const lines = context.document.lines.slice(item.from, item.to);
  // Items and labels below it are told by the reader of items.
  if (lines.slice(1).some((line) => /^\s*(?:[-*+]\s|\d+[.)]\s|```|~~~|\*\*)/.test(line))) return null;
  const raw = lines.join("\n").trimEnd();
  const text = [first, ...lines.slice(1).map((line) => line.trim())].join("\n").trim();
  const found = BULLET.exec(text);
  const severity = readSeverity(found?.[2] ?? "", context.severityMap);
  const leading = leadingFile(found?.[3] ?? "");
  const [issue, fix] = splitFix(leading?.rest ?? found?.[3] ?? "");
  if (severity === null || (issue === "" && leading === null)) return null;
  // Some put the place behind the words: `- [P1] Close the handle — src/a.ts:12`.
  const mentioned = leading === null ? mentionsIn(issue).filter(({ span }) => span.line !== null) : [leading.place];
  const places = mentioned.length > 0 || over === null ? mentioned : linesIn(over.path, issue);
  return makeLine(context, {
    shape: "item",
    line: item.from,
    to: item.to,
    severity,
    places,
    message: issue,
    text: raw,
    fix,
  });
}

function makeLine(
  context: MarkdownContext,
  told: {
    readonly shape: "line" | "item";
    readonly line: number;
    readonly to: number;
    readonly severity: ReadSeverity;
    readonly places: readonly Spot[];
    readonly message: string;
    readonly text: string;
    readonly fix?: string | null;
  },
): Found {
  const { shape, line, to, severity, text } = told;
  const message = context.document.plain(told.message);
  const file = context.sections.file(line)?.path ?? context.reviewed;
  const places = told.places.length > 0 || file === null ? told.places : linesIn(file, message);
  const fix = told.fix === undefined || told.fix === null ? null : context.document.plain(told.fix);
  return {
    shape,
    line,
    to,
    id: idOf(told.message),
    number: null,
    title: message.split("\n", 1)[0] ?? "",
    severity,
    inherited: false,
    summary: context.sections.topic(line) === "summary",
    body: proseBody(context, { line, places, message, text, more: { fix } }),
  };
}

/** Under a heading or item that names the file, `line 12` at the start of the words is a line of it. */
export function linesIn(path: string | null, message: string): readonly Spot[] {
  const found = /^\W{0,3}(?:lines?\s?|L)~?(\d{1,9})(?:\s?[-–]\s?L?(\d{1,9}))?/i.exec(message);
  const endLine = found?.[2] === undefined ? null : Number(found[2]);
  return [{ path, span: { line: found === null ? null : Number(found[1]), endLine, column: null, endColumn: null } }];
}

/** Splits at the first arrow that stands between blanks and outside backticks; the second part is the fix, or null. */
export function splitFix(body: string): [string, string | null] {
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
