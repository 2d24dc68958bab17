import type { CheckerTool } from "./checkerClaim.ts";

const TOOL =
  "(?:mypy|ruff|pyright|pylint|flake8|tsc|typescript\\s+compiler|eslint|oxlint|biome|clippy|golangci-lint|go\\s+vet|rustc|javac|type[- ]?check(?:er|ing)?|lint(?:er|ing)?|(?:project['’]?s?|own)\\s+(?:mandated\\s+)?(?:tooling|checkers?)|compiler|checker)";
const SAYS =
  "(?:reports?|flags?|complains?|rejects?|disallows?|forbids?|passes|passed|fails|failed|succeeds|catches|confirms|(?:is|was|comes\\s+back|runs)\\s+clean|raises|errors|(?:would|will|does|can|could)\\s+(?:not\\s+)?(?:be\\s+)?(?:report|flag|complain|reject|disallow|forbid|pass|fail|catch|confirm|raise|error|caught)\\w*)";
const TYPICALLY = "(?:\\s+(?:typically|usually|normally|often|generally|itself|also|still|already))?";

/** Sentences that say what a checker reports, would report, or let pass. */
const STATES: readonly RegExp[] = [
  new RegExp(
    `\\b${TOOL}\`?(?:\\s+--?[\\w-]+\`?|\\s+(?:output|run|mode|checker|rules?|configurations?|checks?)){0,3}${TYPICALLY}\\s+${SAYS}\\b`,
    "i",
  ),
  new RegExp(
    `\\b(?:flagged|caught|reported|rejected|prevented|forbidden|covered|identified(?:\\s+as\\s+a\\s+violation)?)\\s+by\\s+(?:the\\s+|an?\\s+|existing\\s+|mandatory\\s+|project\\s+|standard\\s+){0,4}\`?${TOOL}\\b`,
    "i",
  ),
  new RegExp(`\\bif\\s+\`?${TOOL}\\b[^.;]{0,80}\\bit\\s+would\\s+be\\s+(?:flagged|caught|reported|rejected)\\b`, "i"),
  new RegExp(
    `\\bviolates?\\s+(?:an?\\s+|the\\s+)?(?:strict(?:er)?\\s+)?\`?${TOOL}(?:\\s+--?[\\w-]+\`?)?(?:\\s+rules?)?\\b[^.;]{0,40}(?:\\bwould\\s+be\\s+caught\\b)?`,
    "i",
  ),
  /\ball\s+checks\s+passed\b|\bsuccess:\s*no\s+issues\s+found\b/i,
];

/**
 * The words in which an answer says what a checker reports that did not run; null where it says nothing of the kind. Such a
 * statement is made up (R2.7, R2.16): an answer that decides on it does not count. `ran` are the checkers whose answer the
 * reviewer was given.
 */
export function statesCheckerOutput(text: string, ran: readonly CheckerTool[] = []): string | null {
  for (const pattern of STATES)
    for (const [found] of text.matchAll(new RegExp(pattern, "gi"))) if (!isOf(found, ran)) return found;
  return null;
}

const NAMED = new RegExp(TOOL, "gi");
/** Words that mean whatever checker is at hand. */
const ANY = /^(?:type[- ]?check|lint|compiler|checker|project|own)/i;

/** True where every checker that the words name is one of those that ran. */
function isOf(words: string, ran: readonly CheckerTool[]): boolean {
  if (ran.length === 0) return false;
  const named = [...words.matchAll(NAMED)].map(([name]) => name.toLowerCase().replace(/\s+/g, " "));
  return named.every(
    (name) => ANY.test(name) || ran.some((tool) => name === tool || (tool === "tsc" && name.startsWith("typescript"))),
  );
}

const CALLS_REAL =
  /\b(?:finding|claim|report|bug|defect|issue|problem|vulnerability)\s+is\s+(?:real|valid|genuine|true|correct)\b|\b(?:is|remains)\s+(?:indeed\s+)?an?\s+(?:real|genuine|true|actual|valid)\s+(?:bug|defect|issue|problem|vulnerability|finding)\b/i;
const CALLS_FALSE =
  /\b(?:is|clearly)\s+(?:therefore\s+|thus\s+)?an?\s+false\s+(?:positive|alarm)\b|\b(?:finding|claim|report)\s+is\s+(?:false|wrong|invalid|incorrect|unfounded|mistaken)\b/i;
const NEGATED = /\b(?:not|never|no|isn['’]t|cannot|whether|if)\b/i;

/** Words of others that an answer repeats are not its own. */
const QUOTED = /“[^”]*”|"[^"\n]*"|`[^`\n]*`/g;

/** True where the crux of an answer says the opposite of its verdict in plain words (R0.16, no self-contradiction). */
export function contradictsItself(verdict: "VALID" | "INVALID" | "UNCERTAIN", crux: string): boolean {
  if (verdict === "UNCERTAIN") return false;
  const words = crux.replace(QUOTED, "“”");
  const found = (verdict === "VALID" ? CALLS_FALSE : CALLS_REAL).exec(words);
  if (found === null) return false;
  const sentence =
    words
      .slice(0, found.index)
      .split(/[.!?;]/)
      .at(-1) ?? "";
  return !NEGATED.test(sentence);
}

const CONCEDES = /\b(?:but|however|although|though|yet|while|even\s+if|unless)\b/i;

/** True where words that are given against a claim call it real in plain words, in a sentence that neither denies nor only concedes it. */
export function callsItReal(text: string): boolean {
  return text
    .replace(QUOTED, "“”")
    .split(/(?<=[.!?;])\s+/)
    .some((sentence) => {
      const found = CALLS_REAL.exec(sentence);
      return found !== null && !NEGATED.test(sentence.slice(0, found.index)) && !CONCEDES.test(sentence);
    });
}
