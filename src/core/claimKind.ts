import type { Finding } from "./finding.ts";

/**
 * What a finding is about, as far as its words and labels tell: it chooses the wording of the round questions (R0.9) and the
 * lenses of refuters (R4.5), and nothing else. `plain` is a single failure mode of low stakes.
 */
export const CLAIM_KINDS = ["security", "data", "correctness", "regression", "design", "plain"] as const;
export type ClaimTopic = (typeof CLAIM_KINDS)[number];

const DESIGN =
  /\b(?:ADR|architecture|architectural|design\s+(?:decision|choice|dispute|flaw)|trade-?off|coupling|layering|separation\s+of\s+concerns)\b/i;
const REGRESSION =
  /\b(?:regression|regressed|regresses|used\s+to\s+(?:work|pass|be)|no\s+longer\s+(?:works|passes|returns)|worked\s+before|since\s+(?:this|the)\s+(?:change|commit|merge)|slower\s+than\s+before|flaky|fails\s+intermittently)\b/i;
const SECURITY =
  /\b(?:security|vulnerab\w*|exploit\w*|inject\w*|XSS|CSRF|SSRF|traversal|auth(?:entication|orization|orisation|z|n)?|forg(?:e|ed|ery)|spoof\w*|privilege\w*|secrets?|credentials?|tenant\w*|permission\w*|sanitiz\w*|escap(?:e|ed|ing)|attacker\w*|untrusted)\b/i;
const DATA =
  /\b(?:data\s+(?:loss|corruption|integrity|race)|corrupt\w*|lost\s+(?:write|update)s?|partial\s+write\w*|transaction\w*|migration\w*|idempoten\w*|double[- ]charg\w*|duplicate\s+(?:row|record|payment)s?)\b/i;
const STYLE =
  /\b(?:naming|rename|typo|formatting|indentation|whitespace|comment|docstring|documentation|readability|style|magic\s+number|unused\s+(?:import|variable|parameter)|line\s+too\s+long)\b/i;

/** What a finding is about; unsure means correctness, which has the most lenses. */
export function topicOf(finding: Pick<Finding, "message" | "category" | "cwe" | "rule" | "severity">): ClaimTopic {
  const labels = `${finding.category ?? ""} ${finding.rule ?? ""}`;
  const text = `${labels}\n${finding.message}`;
  // What its source labels as a weakness keeps the lenses of an attacker, whatever else its words speak of.
  if (finding.cwe.length > 0 || SECURITY.test(labels.replaceAll("_", " "))) return "security";
  if (DESIGN.test(text)) return "design";
  if (REGRESSION.test(text)) return "regression";
  if (SECURITY.test(text)) return "security";
  if (DATA.test(text)) return "data";
  if (finding.severity === "Nit" && STYLE.test(text)) return "plain";
  return "correctness";
}

/** What a claim asserts: that something is wrong, or that something is in order (R4.10). Unsure means `bug`. */
export type Polarity = "bug" | "safe";

const SAYS_SAFE =
  /^\W*(?:(?:this|it|the\s+[\w\s]{1,40}|[`'"]?[\w$.]+(?:\(\))?[`'"]?)\s+(?:is|are)\s+(?:safe|secure|correct|harmless|fine|sound|not\s+(?:vulnerable|exploitable|affected|a\s+(?:bug|problem|vulnerability|defect)))|no\s+(?:bug|vulnerability|defect|problem|issue)s?\b(?:\s+here|\s+in\s+\S+)?)[.!\s]*$/i;

/** Words with which a sentence speaks of what others take for granted, or denies or limits what it says: no claim that all is well. */
const SAYS_LESS =
  /\b(?:assum\w*|claim\w*|believ\w*|think\w*|thought|suppos\w*|expect\w*|pretend\w*|trust\w*|presum\w*|consider\w*|treat\w*|mark\w*|report\w*|says?|said|states?|suggests?|implies|hopes?|decides?|that|which|if|whether|when|unless|until|only|not\s+all|nothing|nobody|nowhere|none|neither|never|no\s+one|what|who|hardly|as\s+though)\b/i;

/** The polarity of a claim: only a claim that says nothing but that all is well counts as `safe`. */
export function polarityOf(message: string): Polarity {
  return SAYS_SAFE.test(message) && !SAYS_LESS.test(message) ? "safe" : "bug";
}
