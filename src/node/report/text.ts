import { stripVTControlCharacters, styleText } from "node:util";
import { type Finding, SEVERITIES, type Unread } from "../../core/finding.ts";
import type { Triaged } from "../../core/triage.ts";
import { voteNotation } from "../../core/vote.ts";
import { type Entry, isOpen, waitsForPerson } from "../engine/entry.ts";
import { cleanLine, shortLine } from "./clean.ts";
import { judgeLines } from "./judgeLines.ts";
import { outcomeWords, placeWords } from "./words.ts";

/** Colours for a terminal; the identity where there is none. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly attention: (text: string) => string;
}

/** Paint for a stream; plain where it is no terminal or NO_COLOR is set. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const forced = (environment["FORCE_COLOR"] ?? "0") !== "0" && environment["FORCE_COLOR"] !== "";
  const on = (environment["NO_COLOR"] ?? "") === "" && (stream.isTTY === true || forced);
  const paint =
    (style: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      on ? styleText(style, text, { validateStream: false }) : text;
  return {
    strong: paint("bold"),
    faint: paint("dim"),
    bad: paint("red"),
    good: paint("green"),
    attention: paint("yellow"),
  };
}

/** A finding as one aligned line. */
export function findingLine(finding: Finding, paint: Paint): string {
  const place = finding.place.status === "exact" ? "" : paint.faint(` (${finding.place.status})`);
  const hard = finding.hard === null ? "" : paint.attention(` hard: ${finding.hard}`);
  const status = finding.status === "open" ? "" : paint.faint(` ${finding.status}`);
  const tool = paint.faint(
    cleanLine([finding.tool, finding.rule].filter((part) => part !== null && part !== "").join(" ")),
  );
  return `${severity(finding.severity, paint)}  ${pad(cleanLine(placeWords(finding)), 32)} ${shortLine(finding.message, 110)}${place}${hard}${status}  ${tool}`;
}

/** A row of what was not read, with its place. */
export function unreadLine(row: Unread): string {
  const at = row.line === null ? (row.pointer ?? "") : String(row.line);
  const text = row.text === "" ? "" : ` “${shortLine(row.text, 90)}”`;
  return `not read  ${cleanLine(row.path)}${at === "" ? "" : `:${cleanLine(at)}`}  ${cleanLine(row.reason)}${text}`;
}

/** A triaged finding as people read it: verdict, claim, then the lines it rests on. */
export function triagedBlock(entry: Entry, triaged: Triaged, paint: Paint): string {
  const { finding } = entry;
  const notation = triaged.vote === null ? "" : `[${voteNotation(triaged.rounds, triaged.ruling?.verdict ?? null)}] `;
  const { vote } = triaged;
  const share =
    vote === null || vote.validShare === null
      ? ""
      : ` · ${vote.valid} of ${vote.counted} say real (${Math.round(vote.validShare * 100)} %)`;
  const head = `${severity(finding.severity, paint)}  ${paint.strong(cleanLine(placeWords(finding)))}  ${notation}${outcomePaint(triaged, paint)(outcomeWords(triaged.outcome))}${paint.faint(share)}`;
  const lines = [head, `    ${shortLine(finding.message, 160)}`];
  for (const check of triaged.checks) {
    if (check.verdict === "refuted" || check.verdict === "confirmed") {
      const mark = check.verdict === "refuted" ? "refutes" : check.atom === null ? "place" : "confirms";
      lines.push(`    ${paint.faint(pad(mark, 8))} ${shortLine(check.text, 160)}`);
    }
  }
  for (const round of triaged.rounds) {
    const text = round.kind === "counted" ? `${round.verdict}: ${round.crux}` : `no answer: ${round.reason}`;
    lines.push(`    ${paint.faint(pad(`round ${round.n}`, 8))} ${shortLine(text, 160)}`);
  }
  if (triaged.ruling !== null) {
    const { ruling } = triaged;
    lines.push(
      `    ${paint.faint(pad("arbiter", 8))} ${shortLine(ruling.verdict === null ? (ruling.reason ?? "") : `${ruling.verdict}: ${ruling.crux}`, 160)}`,
    );
  }
  for (const { who, text } of judgeLines(triaged))
    lines.push(`    ${paint.faint(pad(who, 8))} ${shortLine(text, 200)}`);
  lines.push(`    ${paint.faint(pad("next", 8))} ${cleanLine(triaged.outcome.next)}`);
  return lines.join("\n");
}

/** The last lines: raw and post-triage counts, both shown (R0.29), and what the share of false alarms advises (R0.25), if anything. */
export function summaryLines(
  entries: readonly Entry[],
  unread: readonly Unread[],
  advice: string | null,
  paint: Paint,
): string {
  const count = (test: (entry: Entry) => boolean): number => entries.filter(test).length;
  const open = entries.filter(isOpen);
  const blocking = open.filter(({ finding }) => finding.severity === "P0" || finding.severity === "P1").length;
  const parts = [
    `${paint.strong(`${entries.length} finding${entries.length === 1 ? "" : "s"}`)} read (${bySeverity(entries) || "none"}); open after triage: ${bySeverity(open) || "none"}.`,
    `${count((entry) => entry.triaged?.outcome.settledAs === "refuted")} refuted by checks, ${count((entry) => entry.triaged?.outcome.action === "filter")} judged false alarms, ${count((entry) => entry.triaged?.outcome.action === "demote")} demoted, ${count((entry) => entry.finding.hard !== null)} hard.`,
    blocking === 0
      ? paint.good("Nothing is open at P0 or P1.")
      : paint.attention(`${blocking} open at P0 or P1; ${count(waitsForPerson)} wait for a person.`),
  ];
  if (unread.length > 0)
    parts.push(
      paint.attention(
        `${unread.length} place${unread.length === 1 ? "" : "s"} that look like findings were not read (named on stderr).`,
      ),
    );
  if (advice !== null) parts.push(paint.faint(`Advice: ${advice}`));
  return parts.join("\n");
}

function severity(level: string, paint: Paint): string {
  const padded = pad(level, 3);
  return level === "P0" || level === "P1" ? paint.bad(padded) : paint.faint(padded);
}

function outcomePaint(triaged: Triaged, paint: Paint): (text: string) => string {
  const { outcome } = triaged;
  if (outcome.proposesDismissal || outcome.action === "needs-human") return paint.attention;
  if (
    outcome.action === "keep" ||
    outcome.action === "demote" ||
    outcome.action === "bypass" ||
    outcome.settledAs === "confirmed"
  )
    return paint.bad;
  return paint.good;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stripVTControlCharacters(text).length));
}

/** `1 P0, 3 P1`; empty for an empty list. */
function bySeverity(list: readonly Entry[]): string {
  return SEVERITIES.map((level) => ({ level, n: list.filter(({ finding }) => finding.severity === level).length }))
    .filter(({ n }) => n > 0)
    .map(({ level, n }) => `${n} ${level}`)
    .join(", ");
}
