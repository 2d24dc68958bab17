import type { CheckResult } from "../check.ts";
import { codeNames } from "../checks/quoteAbsent.ts";
import { type CheckContext, citeLines, result } from "../checks/check.ts";
import { saysAlike } from "../alike.ts";
import { type Finding, SEVERITIES } from "../finding.ts";
import { foldCode, quoteWeight } from "../quoteSearch.ts";
import { speaksOfChange } from "./speaksOfChange.ts";
import { noticeWithdrawn } from "./withdrawn.ts";

/** Letters and digits of a quote that show one place: "}" stands everywhere. */
const ENOUGH = 8;

/**
 * Class 16: another finding says the same rule about the same quoted code at the same real place. The group keeps the one with the
 * highest severity, then the one that says most; only the others are set aside, each still open, so the last one never goes. Null where
 * this one is kept or stands alone.
 */
export async function noticeDuplicate(finding: Finding, context: CheckContext): Promise<CheckResult | null> {
  // One that takes itself back stands for no other.
  const group = (context.sameFile?.(finding) ?? []).filter(
    (other) => sameDefect(finding, other) && noticeWithdrawn(other) === null,
  );
  const [kept] = [...group, finding].toSorted(
    (a, b) => rank(a) - rank(b) || b.message.length - a.message.length || (a.key < b.key ? -1 : 1),
  );
  if (kept === undefined || kept.key === finding.key) return null;
  const { file, line } = finding.place;
  const at = `${file}:${line}`;
  const text = `The same rule about the same code is already reported at ${at} (${kept.source.path}, ${kept.source.pointer}): “${context.mask(kept.message).slice(0, 160)}”`;
  const citations = file === null || line === null ? [] : await citeLines([{ file, line }], context);
  return { ...result("duplicate", null, "confirmed", text, citations), notice: { claimClass: 16, does: "route" } };
}

/** Severity first; of equals, one that speaks of a change stands last, since the change may not be what is looked at. */
function rank({ severity, message }: Finding): number {
  return 2 * SEVERITIES.indexOf(severity) + (speaksOfChange(message) ? 1 : 0);
}

function sameDefect(a: Finding, b: Finding): boolean {
  if (a.key === b.key || a.hard !== null || b.hard !== null || a.status !== b.status) return false;
  // Exact duplicates share their verdict (C18, ruling 11); none of them is set aside for another.
  if (a.cluster !== null && a.cluster === b.cluster) return false;
  if (a.rule === null || a.rule.toLowerCase() !== b.rule?.toLowerCase()) return false;
  if ((a.category ?? b.category)?.toLowerCase() !== (b.category ?? a.category)?.toLowerCase()) return false;
  const { place: p } = a;
  const { place: q } = b;
  if (p.file === null || p.file !== q.file || p.line === null || p.line !== q.line || p.endLine !== q.endLine)
    return false;
  if (p.column !== null && q.column !== null && p.column !== q.column) return false;
  if (a.quote === null || b.quote === null || quoteWeight(a.quote) < ENOUGH) return false;
  if (foldCode(a.quote) !== foldCode(b.quote) || !namesAgree(a, b)) return false;
  if (a.cwe.length > 0 && b.cwe.length > 0 && !a.cwe.some((id) => b.cwe.includes(id))) return false;
  return !BROAD_RULE.test(a.rule) || saysAlike(a, b);
}

/** Rules that name a whole field: two claims under one of them are one defect only where their words are mostly the same. */
const BROAD_RULE =
  /^(?:[\w-]*[-_ /])?(?:bugs?|correctness|security|logic|errors?|error[-_ ]handling|quality|code[-_ ]quality|review|general|other|misc|issues?|performance|reliability|robustness|maintainability|readability|style|testing|concurrency|best[-_ ]practices?|llm|ai|comment|suggestion|warning|vulnerability|potential[-_ ]issue)$/i;

/** Two claims that each name something the other does not are two defects on one line. */
function namesAgree(a: Finding, b: Finding): boolean {
  const [ours, theirs] = [codeNames(a.message), codeNames(b.message)];
  return ours.every((name) => theirs.includes(name)) || theirs.every((name) => ours.includes(name));
}
