import type { CheckResult } from "../check.ts";
import { result } from "../checks/check.ts";
import type { Finding } from "../finding.ts";

/**
 * A whole sentence by which a finding takes itself back. A word more (“if”, “unless”, “for”) and it is about something else:
 * “No action is needed when the list is empty” describes code.
 */
const WITHDRAWS: readonly RegExp[] = [
  "(?:so\\s+)?no\\s+(?:further\\s+)?(?:action|change|fix)s?\\s+(?:is\\s+|are\\s+)?(?:needed|required|necessary)(?:\\s+here)?",
  "(?:so\\s+)?(?:there\\s+is\\s+)?nothing\\s+(?:to\\s+(?:do|fix|change)|needs\\s+to\\s+be\\s+(?:done|fixed|changed))(?:\\s+here)?",
  "(?:please\\s+)?(?:disregard|ignore)\\s+(?:this|the)\\s+(?:finding|comment|issue|report|point|remark|one)",
  "please\\s+(?:disregard|ignore)(?:\\s+(?:this|it))?",
  "(?:so\\s+)?(?:this|it)\\s+is\\s+(?:(?:actually|therefore|thus|in\\s+fact)\\s+)?(?:a\\s+false\\s+(?:positive|alarm)|not\\s+an?\\s+(?:issue|problem|bug|defect))(?:\\s+after\\s+all)?",
  "(?:i|we)\\s+(?:withdraw|retract|take\\s+back)\\s+(?:this|the)\\s+(?:finding|comment|issue|report|point)",
  "(?:this|the)\\s+(?:finding|comment|issue|report)\\s+is\\s+(?:withdrawn|retracted|void)",
].map(
  (form) =>
    new RegExp(`^\\W{0,3}(?:(?:wait|actually|on\\s+second\\s+thoughts?|never\\s*mind)[,:.]?\\s+)?${form}\\W*$`, "i"),
);

/** What a closing sentence may begin with and still withdraw: “No action needed; the type is correct.” */
const REASONED =
  /^\W{0,3}no\s+(?:further\s+)?(?:action|change|fix)\s+(?:is\s+)?(?:needed|required|necessary)\s*[;:–—-]\s*(?!.*\b(?:if|unless|until|but|however|except|when|provided)\b)/i;

/**
 * Class 20: the closing sentence of the message, or of the advice, takes the finding back. Its last sentence alone counts: what
 * comes after a retraction takes the retraction back. Null where nothing does.
 */
export function noticeWithdrawn(finding: Finding): CheckResult | null {
  const said = [finding.fix, finding.message].map((text) => withdrawal(text ?? "")).find((text) => text !== null);
  if (said === undefined || said === null) return null;
  const text = `The finding takes itself back in its own words: “${said}”`;
  return { ...result("withdrawn", null, "confirmed", text), notice: { claimClass: 20, does: "demote" } };
}

function withdrawal(text: string): string | null {
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
  const last = sentences.at(-1);
  if (last === undefined || last.length > 200 || /^["'“‘`«]/.test(last) || speaksOfPart(text, sentences.at(-2)))
    return null;
  return WITHDRAWS.some((pattern) => pattern.test(last)) || REASONED.test(last) ? last : null;
}

/** True where the closing sentence may speak of one point of several, or of the one case that the sentence before it names. */
function speaksOfPart(text: string, before: string | undefined): boolean {
  const points = text.split("\n").filter((line) => /^\s*(?:[-*•+]|\(?\d+[.)])\s/.test(line));
  return (
    points.length > 1 ||
    /^(?:but\s+|however,?\s+|and\s+)?(?:if|when|with|without|unless|otherwise|as\s+long\s+as)\b|\bon\s+the\s+other\s+hand\b/i.test(
      before ?? "",
    )
  );
}
