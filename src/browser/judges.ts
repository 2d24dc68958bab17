import type { PanelState } from "../protocol/panel.ts";
import type {
  Artefact,
  GivenOpinion,
  Identity,
  Mapped,
  Opinion,
  Outcome,
  Recount,
  Refutation,
  Refuter,
} from "./shapes.ts";
import type { Standing } from "./summary.ts";
import type { Word } from "./words.ts";

// Words for refuters and second opinions; rounds have theirs in summary.ts.

/** Where a refuter stands; `abstained` counts for nothing. */
export const SIDES = {
  against: { text: "against it", icon: "bell-slash", tone: "false" },
  for: { text: "for it", icon: "bug", tone: "real" },
  "needs-check": { text: "not decided", icon: "question", tone: "open" },
  abstained: { text: "did not count", icon: "circle-slash", tone: "off" },
  awaited: { text: "at work", icon: "sync", tone: "info" },
} as const satisfies Record<string, Word>;

/** The word of a refuter. One that breaks the claim that all is well speaks for a defect (R4.10). */
export function sideWord(refuter: Refuter, polarity: Refutation["polarity"]): Word {
  if (refuter.kind === "abstained") return SIDES.abstained;
  if (polarity !== "safe" || refuter.side === "needs-check") return SIDES[refuter.side];
  return refuter.side === "against"
    ? { text: "breaks that all is well", icon: "bug", tone: "real" }
    : { text: "could not break it", icon: "check", tone: "false" };
}

const IMPACTS = { critical: "critical", high: "high", medium: "medium", low: "low" } as const;

/** "its own confidence: high · damage if real: medium". */
export function refuterFigures(refuter: Extract<Refuter, { kind: "counted" }>): string {
  return `its own confidence: ${refuter.refuterConfidence} · damage if real: ${IMPACTS[refuter.impact]}`;
}

/** How many stand where, for the marks beside the headline; those that have not answered are neither. */
export function tallyOf({ refuters }: Refutation): {
  readonly against: number;
  forIt: number;
  open: number;
  lost: number;
} {
  const count = (side: "against" | "for" | "needs-check"): number =>
    refuters.filter((one) => one.kind === "counted" && one.side === side).length;
  const lost = refuters.filter(({ kind }) => kind === "abstained").length;
  return { against: count("against"), forIt: count("for"), open: count("needs-check"), lost };
}

const RESULTS = {
  survives: { kind: "agree", lead: "It survives the refuters." },
  refuted: { kind: "agree", lead: "The refuters refute it." },
  undecided: { kind: "differ", lead: "Neither side of the refuters carries." },
  none: { kind: "none", lead: "No verdict: fewer than two refuters counted." },
} as const satisfies Record<Recount["result"], Pick<Standing, "kind" | "lead">>;

const SAFE_LEADS: Partial<Record<Recount["result"], string>> = {
  survives: "It says that all is well, and the refuters could not break that.",
  refuted: "The refuters break its claim that all is well.",
};

/** What the refuters came to, or where they stand so far. */
export function refutersStanding({ recount, polarity, refuters, awaited }: Refutation): Standing {
  if (recount === null) {
    const came = `${refuters.length} of ${refuters.length + awaited.length} refuters have answered.`;
    return { kind: "none", lead: "", text: refuters.length + awaited.length === 0 ? "" : came };
  }
  const { kind, lead } = RESULTS[recount.result];
  const text = `${sidesWords(recount)} ${recount.text}`;
  return { kind, lead: polarity === "safe" ? (SAFE_LEADS[recount.result] ?? lead) : lead, text };
}

function sidesWords({ against, forClaim, needsCheck }: Recount): string {
  const open = needsCheck === 0 ? "" : `, ${needsCheck} not decided`;
  return `${against} against it, ${forClaim} for it${open}.`;
}

const STOPPED = {
  quiet: "The loop ended because fresh lenses found nothing new. That alone proves nothing.",
  "angles exhausted": "The loop ended because no lens was left.",
  undecided: "The loop ended because neither side carried.",
  refuted: "The loop ended because the claim no longer survives.",
  budget: "The loop ended because its budget was spent.",
} as const satisfies Record<NonNullable<Refutation["stopped"]>, string>;

/** "2 passes. The loop ended because …"; empty for one pass without a loop. */
export function passesWords({ passes, stopped }: Refutation): string {
  const count = passes === 1 ? "1 pass" : `${passes} passes`;
  if (stopped === null) return passes > 1 ? `${count}.` : "";
  return `${count}. ${STOPPED[stopped]}`;
}

const OPINIONS = {
  ACTIONABLE: { text: "something to fix", icon: "bug", tone: "real" },
  NON_ACTIONABLE: { text: "nothing to fix", icon: "bell-slash", tone: "false" },
  UNCERTAIN: { text: "not sure", icon: "question", tone: "open" },
} as const satisfies Record<GivenOpinion["verdict"], Word>;

/** What a second opinion says; asked to clarify, that is the damage and not the defect. */
export function opinionWord(opinion: Opinion): Word {
  if (opinion.kind === "abstained") return { text: "no answer", icon: "circle-slash", tone: "off" };
  return opinion.intent === "clarify" ? IMPACT_WORDS[opinion.impact] : OPINIONS[opinion.verdict];
}

/** What it said, where that is not what counts. */
export function statedWords({ stated, verdict }: GivenOpinion): string {
  return stated === verdict ? "" : `It said “${OPINIONS[stated].text}”; it counts as “${OPINIONS[verdict].text}”. `;
}

const IMPACT_WORDS = {
  HIGH_IMPACT: { text: "high impact", icon: "flame", tone: "real" },
  LOW_IMPACT: { text: "low impact", icon: "arrow-down", tone: "info" },
  UNCERTAIN: { text: "impact not sure", icon: "question", tone: "open" },
  NOT_ASSESSED: { text: "impact not assessed", icon: "circle-slash", tone: "off" },
} as const satisfies Record<GivenOpinion["impact"], Word>;

/** What it was asked for. */
export const INTENTS = {
  dismiss: "asked whether there is anything to fix",
  confirm: "asked whether the finding holds; this closes nothing",
  clarify: "asked how much damage it does; this closes nothing",
} as const satisfies Record<Opinion["intent"], string>;

/** What the policy makes of it (R1.14-R1.24). */
export const MAPPINGS = {
  DISMISS_VERIFIED: "it may be closed as a false alarm",
  DISMISS_CANDIDATE: "it may be proposed for dismissal; only a person closes it",
  FIX_REQUIRED: "fix it",
  NEED_HUMAN: "a person has to judge",
  CONFIRMED: "it is confirmed",
  DISPUTED: "it is disputed: a person has to judge",
  HIGH_IMPACT: "it stays open, with high impact",
  LOW_IMPACT: "it stays open, with low impact",
  UNCERTAIN: "nothing follows: a person has to judge",
} as const satisfies Record<Mapped, string>;

/** "0.96 ≥ 0.95 and 4 ≥ 4 references → it may be proposed for dismissal": the figures and the bar they were held against (C5). */
export function mappingWords(opinion: GivenOpinion, { mapped, bar }: Outcome): string {
  const what = mapped === null ? "" : MAPPINGS[mapped];
  const { verdictConfidence: said, intent, stated, verdict, counted } = opinion;
  if (intent !== "clarify" && verdict === "UNCERTAIN")
    return `${stated === verdict ? "Not sure" : "Counted as not sure"} → ${what}`;
  if (intent !== "dismiss" || stated !== "NON_ACTIONABLE") return `${floorWords(said)} → ${what}`;
  // Known from the log alone, which holds no bar.
  if (bar === undefined) return `${figure(said)} → ${what}`;
  const confidence = `${figure(said)} ${said >= bar.confidence ? "≥" : "<"} ${figure(bar.confidence)}`;
  const refs = `${counted} ${counted >= bar.refs ? "≥" : "<"} ${bar.refs} ${bar.refs === 1 ? "reference" : "references"}`;
  const raised = bar.heightened ? " (a raised bar: several findings in a row were dismissed)" : "";
  return `${confidence} and ${refs}${raised} → ${what}`;
}

/** Any other word counts from here on (R1.15, R1.22, R1.23). */
export const WORD_FLOOR = 0.7;

function floorWords(said: number): string {
  return said >= WORD_FLOOR ? `${figure(said)} ≥ ${figure(WORD_FLOOR)}` : `${figure(said)} < ${figure(WORD_FLOOR)}`;
}

/** A confidence with two decimals, never more than it is: 0.9499 does not pass for 0.95. */
export function figure(confidence: number): string {
  const rounded = confidence.toFixed(2);
  return Number(rounded) > confidence ? (Number(rounded) - 0.01).toFixed(2) : rounded;
}

/** One sentence about a second opinion, for the verdict's box. */
export function opinionStanding(opinion: Opinion, outcome: Outcome | null): Standing {
  if (opinion.kind === "abstained")
    return { kind: "none", lead: "The second opinion was not given:", text: opinion.reason };
  const lead = `A blind second opinion says: ${opinionWord(opinion).text}.`;
  const mapped = outcome?.mapped ?? null;
  return { kind: "none", lead, text: mapped === null ? "" : `It follows: ${MAPPINGS[mapped]}.` };
}

/** Who judges where no model is set up; the worker's own words. */
const BUILT_IN = "built-in reviewer";

/** What to expect of the built-in reviewer; null where somebody else judged. */
export function builtInWords(who: string | null): string | null {
  return who === BUILT_IN
    ? "The built-in reviewer shows what the program itself found. It neither proves nor refutes a claim that no check settles: a model, or you, can."
    : null;
}

/** Who gave it, and whether that is somebody else than who judged besides (C1). */
export function whoWords({ who, family }: Opinion): string {
  if (family === "another") return `${who}, a model of another family`;
  return family === "same" ? `${who}, the same family of models as before` : who;
}

/** Kinds of things that may be put against a second opinion (R1.25). */
export const ARTEFACTS = {
  "test-output": "Test output",
  specification: "Specification",
  "language-rule": "Rule of the language",
} as const satisfies Record<Artefact["kind"], string>;

/** The kind that a choice of the form names. */
export function artefactKind(name: string): Artefact["kind"] | null {
  return name === "test-output" || name === "specification" || name === "language-rule" ? name : null;
}

/** True where an objection may be made: against "fix it", once (R1.25). */
export function mayObject({ opinion, outcome, permits }: PanelState): boolean {
  return (
    outcome?.mapped === "FIX_REQUIRED" &&
    opinion?.kind === "gave" &&
    opinion.rebuttal === null &&
    permits.triage.allowed
  );
}

/** Who answered, where the reviewer of the whole is somebody else. */
export function byWords({ provider, model }: Identity): string {
  if (provider === "built-in") return "built-in reviewer";
  const vendor = /^editor:(.*)$/s.exec(provider)?.[1];
  return vendor === undefined ? `${model} at ${provider}` : `${model}, a model of this editor (${vendor})`;
}

/** True where anyone has judged it, whichever way. */
export function isJudged({ rounds, refutation, opinion }: PanelState): boolean {
  return rounds.length > 0 || (refutation?.refuters.length ?? 0) > 0 || opinion !== null;
}

/** How the session stands with dismissals (R1.26-R1.28); null where there is nothing to say. */
export function streakWords({ run, warned }: PanelState["streak"]): { readonly text: string; warned: boolean } | null {
  const count = run === 1 ? "1 finding in a row was" : `${run} findings in a row were`;
  const now = run === 0 ? "" : ` ${count} dismissed just now.`;
  if (warned) {
    const text = `Several findings in a row were dismissed in this session. Look twice: until it ends or the branch changes, every dismissal needs more confidence and one more reference.${now}`;
    return { text, warned };
  }
  return run === 0 ? null : { text: `${count} dismissed in this session.`, warned };
}

/** A suggestion that only a person can follow, because nothing here changes a source (C15, R4.20). */
export function severityWords({ to, why }: NonNullable<Outcome["severitySuggestion"]>): string {
  const sentence = /[.!?]$/.test(why.trim()) ? why.trim() : `${why.trim()}.`;
  return `Argued for ${to}: ${sentence} Change it in the source if you agree.`;
}
