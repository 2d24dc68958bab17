import { withoutMarker } from "./blocks.ts";
import type { Label } from "./labels.ts";
import { labelOf } from "./labels.ts";
import { readPlaces } from "./places.ts";

/** One labelled part of a finding, or with an empty name what stands without a label. `text` is markdown without code blocks. */
export interface Field {
  readonly label: Label;
  readonly name: string;
  readonly text: string;
  /** The first code block in it; null where there is none. */
  readonly code: { readonly language: string; readonly text: string } | null;
}

interface Growing {
  readonly label: Label;
  readonly name: string;
  readonly lines: string[];
  readonly code: string[];
  language: string;
  /** A label that is a heading of its own keeps what follows until the next label. */
  readonly sticky: boolean;
  /** Indent of a label that is a list item; null where it is none. */
  readonly indent: number | null;
}

// A value of one line: what follows it without a label is text of the finding.
const SHORT: ReadonlySet<Label> = new Set<Label>([
  "severity",
  "priority",
  "lines",
  "category",
  "rule",
  "id",
  "cwe",
  "confidence",
  "status",
  "revision",
  "meta",
]);
const MAY_LABEL = /[:：】|]|\*\*|__/;
const START =
  /^([\s>]*)((?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?[^\p{L}\p{N}*_`【|\n]{0,6}(?:(\*\*|__|\*|_)([^\n*_`:：|]{1,40}?)\s*(?:\3\s*[:：]|[:：]\s*\3)|([^\n*_`:：|]{1,40}?)\s*[:：])(?!\/\/)\s*(.*)$/u;
const BRACKETED = /^([\s>]*)((?:[-*+•]|\d{1,3}[.)])\s+)?(?:\*\*)?【([^】\n]{1,20})】(?:\*\*)?\s*[:：]?\s*(.*)$/u;
const WHOLE_BOLD =
  /^([\s>]*)((?:[-*+•]|\d{1,3}[.)])\s+)?(\*\*|__)([^\n*_`:：|]{1,40}?)\s*[:：]\s*([^*]{1,400}?)\3\s*(.*)$/u;
const NO_COLON = /^([\s>]*)((?:[-*+•]|\d{1,3}[.)])\s+)?(\*\*|__)([^\n*_`:：|]{1,40}?)\3\s*[-–—=]?\s+(.*)$/u;
/** A bold word alone on its line. Most are titles; what is to be done to see a defect stands below its word. */
const ALONE = /^([\s>]*)(\*\*|__)([^\n*_`:：|]{1,40}?)\2\s*$/u;
const INSIDE =
  /(?<=[\s|·•;,.。；，、(（])(?:(\*\*|__)([^*_:：|\n]{1,40})(?:[:：]\s?\1|\1\s?[:：])|(?<=[|·•;,，；]\s{0,3})([\p{L}][\p{L} ]{1,24})[:：](?=\s))/gu;

/** One label at the start of a line, with its value. */
interface Started {
  readonly indent: number | null;
  readonly name: string;
  readonly label: Label;
  readonly value: string;
}

/** The label a line starts with; null where it starts with none. An unknown label counts only in bold. */
export function labelAtStart(line: string): Started | null {
  const text = line.slice(0, 4000);
  const found = START.exec(text);
  const known = found === null ? null : labelOf(found[4] ?? found[5] ?? "");
  if (found !== null && (known !== null || (found[3] ?? "").length === 2)) {
    const name = (found[4] ?? found[5] ?? "").trim();
    return { indent: indentOf(found[1], found[2]), name, label: known ?? "other", value: found[6] ?? "" };
  }
  const whole = WHOLE_BOLD.exec(text);
  const ofWhole = whole === null ? null : labelOf(whole[4] ?? "");
  if (whole !== null && ofWhole !== null) {
    const value = `${whole[5] ?? ""} ${whole[6] ?? ""}`.trim();
    return { indent: indentOf(whole[1], whole[2]), name: (whole[4] ?? "").trim(), label: ofWhole, value };
  }
  const alone = ALONE.exec(text);
  if (alone !== null && labelOf(alone[3] ?? "") === "repro")
    return { indent: null, name: (alone[3] ?? "").trim(), label: "repro", value: "" };
  const other = BRACKETED.exec(text);
  const bold = other === null ? NO_COLON.exec(text) : null;
  const [indent, name, value] = other === null ? [bold?.[1], bold?.[4], bold?.[5]] : [other[1], other[3], other[4]];
  const label = name === undefined ? null : labelOf(name);
  if (name === undefined || label === null) return null;
  return { indent: indentOf(indent, other?.[2] ?? bold?.[2]), name: name.trim(), label, value: value ?? "" };
}

function indentOf(blank: string | undefined, marker: string | undefined): number | null {
  return marker === undefined ? null : (blank ?? "").length;
}

/** All labels of one line: `**Severity:** HIGH. **File:** a.ts:3`, `Severity: High | File: a.ts`. Empty where it starts with none. */
export function labelsOfLine(line: string): Started[] {
  // Most lines are running text: looked at once, not with every pattern.
  if (!MAY_LABEL.test(line.slice(0, 90))) return [];
  const cells = pairOf(line);
  if (cells !== null) return [cells];
  const first = labelAtStart(line);
  if (first === null) return [];
  if (first.label === "other" || !/\*\*|__|[|·•;,，；]/.test(first.value))
    return [{ ...first, value: first.value.trim() }];
  const parts: Started[] = [];
  let [current, from] = [first, 0];
  for (const found of first.value.matchAll(INSIDE)) {
    const name = (found[2] ?? found[3] ?? "").trim();
    const label = labelOf(name);
    if (label === null) continue;
    parts.push({ ...current, value: trimEnd(first.value.slice(from, found.index)) });
    current = { indent: first.indent, name, label, value: "" };
    from = found.index + found[0].length;
  }
  return [...parts, { ...current, value: first.value.slice(from).trim() }];
}

/** A first line in two: its words, and the bold labels inside it (`… **Fix:** upgrade`) with their values. */
export function splitInline(line: string): { readonly head: string; readonly fields: readonly Field[] } {
  const cuts = Array.from(line.slice(0, 4000).matchAll(INSIDE)).flatMap((found) => {
    const label = found[2] === undefined ? null : labelOf(found[2]);
    return label === null
      ? []
      : [{ label, name: found[2] ?? "", from: found.index, to: found.index + found[0].length }];
  });
  const fields = cuts.map(({ label, name, to }, index): Field => {
    const text = trimEnd(line.slice(to, cuts[index + 1]?.from ?? line.length)).trim();
    return { label, name, text, code: null };
  });
  return { head: line.slice(0, cuts[0]?.from ?? line.length).trimEnd(), fields };
}

function trimEnd(value: string): string {
  return value.replace(/[\s|·•;,，；]+$/, "").replace(/(?<![.\d])[.。]$/, "");
}

/** A row of a table that lists what belongs to one finding: `| Severity | High |`. */
function pairOf(line: string): Started | null {
  const found = /^\s*\|\s*([^|]{1,60}?)\s*\|\s*(.*?)\s*\|?\s*$/.exec(line.slice(0, 4000));
  const label = found === null || /(?<!\\)\|/.test(found[2] ?? "") ? null : labelOf(found[1] ?? "");
  return found === null || label === null ? null : { indent: null, name: found[1] ?? "", label, value: found[2] ?? "" };
}

/** The parts of a finding's lines, in their order. Labels inside code are text. Linear in the lines. */
export function readFields(lines: readonly string[]): Field[] {
  const fields: Growing[] = [];
  let current = push(fields, "description", "");
  let [fence, wasBlank] = [null as string | null, false];
  for (const line of lines) {
    const mark = /^[\s>]*(`{3,}|~{3,})\s*([\w+#.-]{0,20})/.exec(line);
    if (fence !== null || mark !== null) {
      if (fence === null && current.code.length === 0) current.language = mark?.[2] ?? "";
      if (fence !== null && mark?.[1]?.startsWith(fence) === true && mark[2] === "") fence = null;
      else if (fence !== null) current.code.push(line);
      else fence = mark?.[1] ?? null;
      continue;
    }
    if (line.trim() === "") {
      wasBlank = true;
      continue;
    }
    current = readLine(fields, current, line, wasBlank);
    wasBlank = false;
  }
  return fields.map(finish).filter(({ text, code, name }) => text !== "" || code !== null || name !== "");
}

function readLine(fields: Growing[], current: Growing, line: string, wasBlank: boolean): Growing {
  const heading = /^[\s>]{0,8}#{1,6}\s+(.*?)[\s#:：]*$/.exec(line)?.[1];
  if (heading !== undefined) return push(fields, labelOf(heading) ?? "other", heading, { sticky: true });
  const [first, ...others] = labelsOfLine(line);
  if (first !== undefined && !(first.label === "other" && current.sticky)) {
    let last = current;
    for (const { label, name, value, indent } of [first, ...others]) {
      last = push(fields, label, name, { indent });
      if (value !== "") last.lines.push(value);
    }
    return last;
  }
  if (/^\s*\|/.test(line)) return current;
  const goes = ends(current, line, wasBlank) ? push(fields, "description", "") : current;
  goes.lines.push(line.replace(/^[\s>]+(?=\S)/, (blank) => blank.replaceAll(">", "").slice(0, 8)));
  return goes;
}

/** True where an unlabelled line no longer belongs to the label before it. */
function ends(current: Growing, line: string, wasBlank: boolean): boolean {
  if (current.name === "" || current.sticky || current.lines.length === 0) return false;
  const marker = /^([\s>]*)(?:[-*+•]|\d{1,3}[.)])\s/.exec(line);
  if (current.indent !== null && marker !== null && (marker[1] ?? "").length <= current.indent) return true;
  if (wasBlank && (current.indent === null || /^\S/.test(line))) return true;
  if (SHORT.has(current.label)) return true;
  return current.label === "location" && readPlaces(withoutMarker(line)).length === 0;
}

function push(
  fields: Growing[],
  label: Label,
  name: string,
  more: { readonly sticky?: boolean; readonly indent?: number | null } = {},
): Growing {
  const field: Growing = {
    label,
    name,
    lines: [],
    code: [],
    language: "",
    sticky: more.sticky ?? false,
    indent: more.indent ?? null,
  };
  fields.push(field);
  return field;
}

function finish({ label, name, lines, code, language }: Growing): Field {
  const text = lines.join("\n").trim();
  const isCode = code.some((line) => line.trim() !== "");
  return { label, name, text, code: isCode ? { language, text: code.join("\n") } : null };
}
