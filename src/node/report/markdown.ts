import type { CheckedCitation } from "../../core/round.ts";
import { voteNotation } from "../../core/vote.ts";
import type { Unread } from "../../core/finding.ts";
import { type Entry, isOpen } from "../engine/entry.ts";
import { cleanLine } from "./clean.ts";
import { judgeLines } from "./judgeLines.ts";
import { outcomeWords, placeWords } from "./words.ts";

/** A triage report in markdown, highest vote first (R0.23); what was not read stands at the end. */
export function markdownReport(entries: readonly Entry[], unread: readonly Unread[]): string {
  const triaged = entries.filter((entry) => entry.triaged !== null);
  const sorted = [...triaged].sort((a, b) => share(b) - share(a));
  const open = entries.filter(isOpen).length;
  const lines = ["# Triage report", "", `${entries.length} findings read, ${open} open after triage.`, ""];
  for (const entry of sorted) lines.push(...section(entry));
  if (unread.length > 0) {
    lines.push("## Not read", "");
    for (const row of unread)
      lines.push(`- ${code(`${row.path}${row.line === null ? "" : `:${row.line}`}`)} ${escape(row.reason)}`);
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function section(entry: Entry): string[] {
  const { finding, triaged } = entry;
  if (triaged === null) return [];
  const notation =
    triaged.vote === null
      ? ""
      : ` [${voteNotation(triaged.rounds, triaged.ruling?.verdict ?? null)}] ${Math.round(share(entry) * 100)} %`;
  const lines = [
    `## ${finding.severity}${notation} ${code(placeWords(finding))}`,
    "",
    `**${escape(outcomeWords(triaged.outcome))}.** ${escape(triaged.outcome.next)}`,
    "",
    `> ${escape(finding.message)}`,
    "",
  ];
  const crux = triaged.ruling?.crux ?? "";
  if (crux !== "") lines.push(`CRUX: ${escape(crux)}`, "");
  for (const check of triaged.checks) {
    if (check.verdict === "refuted" || check.verdict === "confirmed")
      lines.push(`- check ${check.verdict}: ${escape(check.text)}`, ...cites(check.citations));
  }
  for (const round of triaged.rounds) {
    if (round.kind === "abstained") lines.push(`- round ${round.n}: no answer (${escape(round.reason)})`);
    else lines.push(`- round ${round.n}: **${round.verdict}** ${escape(round.crux)}`, ...cites(round.citations));
  }
  if (triaged.ruling !== null)
    lines.push(`- arbiter: **${triaged.ruling.verdict ?? "not decided"}** ${escape(triaged.ruling.reason ?? "")}`);
  for (const { who, text, citations } of judgeLines(triaged))
    lines.push(`- ${who}: ${escape(text)}`, ...cites(citations));
  lines.push(...triaged.outcome.because.map(({ rule, text }) => `- because (${escape(rule)}): ${escape(text)}`), "");
  return lines;
}

function cites(citations: readonly CheckedCitation[]): string[] {
  return citations.filter((c) => c.ok).map((c) => `  - ${code(`${c.file}:${c.line}`)} ${code(cleanLine(c.shown))}`);
}

function share(entry: Entry): number {
  return entry.triaged?.vote?.validShare ?? 0;
}

/** Text from outside in a report stays text: markup characters lose their meaning. */
function escape(text: string): string {
  return cleanLine(text).replace(/[\\`*_{}[\]<>()#+!|~-]/g, (character) =>
    /[-+()#!]/.test(character) ? character : `\\${character}`,
  );
}

/** A code span that its content cannot end. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${cleanLine(text)}${fence}` : `${fence} ${cleanLine(text)} ${fence}`;
}
