import type { Declared } from "../../finding.ts";

const VERDICT =
  /^[\s>#*_-]*(overall\s+|final\s+)?(?:review\s+)?(?:verdict|decision|审批建议|审批结论|结论|判定|urteil|veredicto|verdetto)\s*(?:\*\*|__)?\s*[:：]\s*[*_`\s]*[^\p{L}*_`]{0,6}(block(?:ed)?|pass(?:ed)?|fail(?:ed)?|warning|approved?|rejected?|request(?:ed)? changes|changes requested|needs work|ship|no[- ]ship)\b/iu;
const ALONE = /^[\s>#*_`-]*(APPROVED|REJECTED|REQUEST CHANGES|CHANGES REQUESTED)\b[\s*_`.!]*(?:$|[:：—–-])/u;
const READY = /^[\s>*_]*(?:#{1,6}\s*Gate\s*[:：]\s*✅|✅\s*Ready\b)/iu;
const BLOCKED = /^[\s>*_]*(?:#{1,6}\s*Gate\s*[:：]\s*⛔|⛔\s*Blocked\b)/iu;
const STATUS = /^[\s>*_`]*STATUS\s*[:：]\s*[*_`\s]*(DONE_WITH_CONCERNS|DONE|NEEDS_CONTEXT|BLOCKED)\b[\s*_`.]*$/u;
const REVISION =
  /(?:^|[\s|·•;,>*_-])(?:\*\*|__)?(?:commit(?: hash| sha| id)?|revision|reviewed commit|git commit|head(?: commit)?|sha|提交|コミット)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*[`[]?([0-9a-f]{7,40})(?![0-9a-z])/iu;

/**
 * Verdict lines, gate sentinels and the status line of a review: of each kind the last one counts, but an overall verdict before all others.
 * Null where it declares nothing.
 */
export function readDeclared(lines: readonly string[]): Declared | null {
  let [verdict, gate, status] = [null as string | null, null as Declared["gate"], null as string | null];
  let isOverall = false;
  for (const whole of lines) {
    const line = whole.slice(0, 300);
    const said = VERDICT.exec(line);
    const word = said?.[2] ?? ALONE.exec(line)?.[1];
    if (word !== undefined && (!isOverall || said?.[1] !== undefined)) {
      verdict = word.toUpperCase();
      isOverall = said?.[1] !== undefined;
    }
    if (READY.test(line)) gate = "ready";
    if (BLOCKED.test(line)) gate = "blocked";
    status = STATUS.exec(line)?.[1] ?? status;
  }
  return verdict === null && gate === null && status === null ? null : { verdict, gate, status };
}

/** True for a line that declares something about the whole review. */
export function isDeclaration(line: string): boolean {
  const text = line.slice(0, 300);
  return [VERDICT, ALONE, READY, BLOCKED, STATUS].some((pattern) => pattern.test(text));
}

/** The revision a report says it looked at, from a labelled line before its first findings; null where it does not say. */
export function readRevision(lines: readonly string[]): string | null {
  for (const line of lines.slice(0, 40)) {
    const found = REVISION.exec(line.slice(0, 400))?.[1];
    if (found !== undefined && /\d/.test(found)) return found.toLowerCase();
  }
  return null;
}
