import { figure } from "./figure.ts";
import type { Severity } from "./finding.ts";
import { countedRefs, type Mapped, type Opinion } from "./opinion.ts";
import type { Because } from "./outcome.ts";
import { barOf, mapOpinion } from "./policy.ts";
import type { ModelIdentity } from "./modelIdentity.ts";

/** The rule behind each mapping. */
const RULE_OF: Readonly<Record<Mapped, string>> = {
  DISMISS_VERIFIED: "R1.14",
  DISMISS_CANDIDATE: "R1.14",
  FIX_REQUIRED: "R1.15",
  NEED_HUMAN: "R1.16",
  CONFIRMED: "R1.22",
  DISPUTED: "R1.22",
  HIGH_IMPACT: "R1.23",
  LOW_IMPACT: "R1.23",
  UNCERTAIN: "R1.22",
};

/** What a second opinion came to, with the figures it was held against; `others` are those who judged besides. */
export function opinionReason(
  severity: Severity,
  opinion: Opinion,
  heightened: boolean,
  others: readonly ModelIdentity[],
): Because {
  const mapped = mapOpinion(severity, opinion, heightened);
  const rule = opinion.intent === "clarify" ? "R1.23" : RULE_OF[mapped];
  if (opinion.kind === "abstained")
    return { rule: "R1.37", text: `The second opinion was not given: ${opinion.reason}.` };
  const { verdict, verdictConfidence, refs, note } = opinion;
  const said = verdict === "NON_ACTIONABLE" ? "not actionable" : verdict === "ACTIONABLE" ? "actionable" : "uncertain";
  const counted = countedRefs(refs);
  const figures = `confidence ${figure(verdictConfidence)}, ${counted} reference${counted === 1 ? "" : "s"} that resolve${counted === 1 ? "s" : ""}`;
  const bar = barOf(severity, heightened);
  const needs =
    opinion.intent === "dismiss" && opinion.stated === "NON_ACTIONABLE"
      ? `; a dismissal of a ${severity} needs ${bar.confidence.toFixed(2)} and ${bar.refs}${heightened ? ", raised because several findings in a row were dismissed" : ""}`
      : "";
  const impact =
    opinion.intent === "clarify"
      ? ` Impact: ${opinion.impact === "NOT_ASSESSED" ? "not assessed, so the question was not the one answered" : opinion.impact.toLowerCase().replace("_", " ")}.`
      : "";
  const changed = note === null ? "" : ` ${note}`;
  return {
    rule,
    text: `A blind second opinion${familyWords(opinion.by, others)} says ${said} (${figures}${needs}).${impact}${changed}`,
  };
}

/** Whether two models can be told apart by who runs or made them; unknown is not different. */
export function differs(a: ModelIdentity, b: ModelIdentity): boolean {
  return a.family !== undefined && b.family !== undefined && a.family !== b.family;
}

function familyWords(by: ModelIdentity, others: readonly ModelIdentity[]): string {
  if (others.length === 0 || by.provider === "built-in") return "";
  if (others.every((other) => differs(by, other))) return `, by a model of another family (${by.model}),`;
  return others.some((other) => other.provider === by.provider && other.model === by.model)
    ? ", by the same model,"
    : ` by ${by.model}`;
}
