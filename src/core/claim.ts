import type { Atom, ClaimKind } from "./check.ts";

/** Names in backticks or quotes, or bare identifiers with a capital, an underscore or a `()` behind. */
const NAME = "[`'\"“‘]?([A-Za-z_$][\\w$.]*?)(?:\\(\\))?[`'\"”’]?";
const NEVER = "(?:is|was|are|were)\\s+(?:not|never)|isn['’]t|wasn['’]t|(?:is|was)\\s+nowhere";

interface Pattern {
  readonly pattern: RegExp;
  readonly kind: ClaimKind;
  readonly claimClass: number;
}

/** Sentences that one look into the code can settle, by class of `claims.md`. Order matters: the first that fits wins. */
const STRUCTURAL: readonly Pattern[] = [
  {
    pattern: new RegExp(`\\b${NAME}\\s+(?:${NEVER})\\s+(?:ever\\s+)?imported\\b`, "i"),
    kind: "structural",
    claimClass: 11,
  },
  {
    pattern: new RegExp(
      `\\b(?:missing|no|lacks an?|without an?)\\s+import\\s+(?:of|for|statement for)\\s+${NAME}(?=[\\s.,;:]|$)`,
      "i",
    ),
    kind: "structural",
    claimClass: 11,
  },
  {
    pattern: new RegExp(
      `^\\W*${NAME}\\s+(?:is|was)\\s+(?:an?\\s+)?(?:undefined|undeclared|unresolved)(?:\\s+(?:name|symbol|identifier|variable|reference))?(?=\\s*(?:$|[.;,]|in\\b|here\\b|at\\b|because\\b))`,
      "i",
    ),
    kind: "structural",
    claimClass: 11,
  },
  {
    pattern: new RegExp(`^\\W*${NAME}\\s+(?:${NEVER})\\s+(?:defined|declared|exported)\\b`, "i"),
    kind: "structural",
    claimClass: 11,
  },
  {
    pattern: new RegExp(
      `\\bundefined\\s+(?:name|symbol|identifier|variable|reference)\\s*:?\\s+(?:to\\s+)?${NAME}(?=[\\s.,;:]|$)`,
      "i",
    ),
    kind: "structural",
    claimClass: 11,
  },
  {
    pattern: new RegExp(
      `^\\W*(?:the\\s+)?(?:function|method|variable|constant|class|export|helper|type)?\\s*${NAME}\\s+(?:(?:is|was)\\s+(?:unused|dead(?:\\s+code)?)|(?:${NEVER})\\s+(?:used|called|referenced))\\b`,
      "i",
    ),
    kind: "structural",
    claimClass: 12,
  },
  {
    pattern:
      /\b(?:the\s+)?(?:file|module)\s+[`'"“]([^`'"”\s]+\.[A-Za-z0-9]+)[`'"”]\s+(?:does\s+not|doesn['’]t)\s+exist\b/i,
    kind: "structural",
    claimClass: 10,
  },
];

/** Clauses that only follow from the clause before them carry no weight of their own. */
const CONSEQUENCE =
  /^(?:so\b|thus\b|hence\b|therefore\b|which\b|and\s+(?:so|will|would|therefore|thus)\b|causing\b|leading\s+to\b|resulting\s+in\b|this\s+(?:will|would|means|causes|leads|results|throws|crashes|breaks|fails)\b|it\s+(?:will|would)\b|(?:the\s+)?(?:call|calling\s+it|code|build|request|handler|page|module|program|service)\b.*\b(?:will|would|throws?|crash(?:es)?|fails?|breaks?)\b)/i;
const ADVICE =
  /^(?:please\b|consider\b|add\b|import\b|remove\b|delete\b|use\b|replace\b|fix\b|move\b|rename\b|export\b|define\b|declare\b|ensure\b|make\s+sure\b|fix\s*:|suggestion\s*:|recommend)/i;
const JUDGEMENT = /\b(?:should|could\s+be\s+(?:cleaner|simpler|better)|prefer|nicer|readability|naming|style)\b/i;
const ATTRIBUTION = /\bthis\s+(?:change|commit|diff|patch|pull\s+request|PR)\s+(?:adds|introduces|removes|breaks)\b/i;
const CHECKER =
  /\b(?:tsc|mypy|pyright|ruff|eslint|biome|clippy|golint|go\s+vet|type[- ]?check(?:er)?|lint(?:er)?|compiler)\b.*\b(?:reports?|fails?|rejects?|forbids?|complains?|errors?)\b/i;

/**
 * Splits a finding's text into atomic claims (claims.md, section 1). Deterministic. A clause that fits no known
 * shape is behaviour and carries weight, so a finding is settled only when nothing in it was left unexplained.
 */
export function atomsOf(message: string): Atom[] {
  const atoms: Atom[] = [];
  for (const clause of clausesOf(message)) {
    const known = STRUCTURAL.find(({ pattern }) => pattern.test(clause));
    const subject = known === undefined ? null : (known.pattern.exec(clause)?.[1] ?? null);
    const consequence = known === undefined && atoms.some((atom) => atom.weight) && CONSEQUENCE.test(clause);
    const advice = known === undefined && ADVICE.test(clause);
    atoms.push({
      id: atoms.length,
      kind: known?.kind ?? kindOf(clause, advice),
      claimClass: known?.claimClass ?? (ATTRIBUTION.test(clause) ? 15 : null),
      text: clause,
      weight: !consequence && !advice,
      subject,
    });
  }
  return atoms;
}

function kindOf(clause: string, advice: boolean): ClaimKind {
  if (CHECKER.test(clause)) return "checker";
  if (ATTRIBUTION.test(clause)) return "attribution";
  return advice || JUDGEMENT.test(clause) ? "judgement" : "behaviour";
}

/** Sentences, split again where a consequence begins; a dot inside a name or a path ends nothing. */
function clausesOf(message: string): string[] {
  return message
    .split(/(?<=[.!?])\s+(?=[A-Z`'"“(])|\n\s*\n|\s*->\s*|;\s+/)
    .flatMap((sentence) =>
      sentence.split(
        /,\s+(?=(?:so|thus|hence|therefore|which|and\s+(?:so|will|would|therefore|thus)|causing|leading\s+to|resulting\s+in)\b)|\s+(?=so\s+(?:the|it|that|this|any|every|a|calling)\b)|\s*[—–:]\s+(?=(?:the\s+call|calling|this\s+will|it\s+will)\b)/i,
      ),
    )
    .map((clause) => clause.replace(/\s+/g, " ").trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}
