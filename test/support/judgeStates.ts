import { USUAL_METHOD } from "../../src/core/method.ts";
import { countedRefs, type Mapped } from "../../src/core/opinion.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { recount } from "../../src/core/refuter.ts";
import type { CheckedCitation } from "../../src/core/round.ts";
import type { OpinionView, PanelState, RefuterView } from "../../src/protocol/panel.ts";
import { PLAIN_OUTCOME } from "./asked.ts";
import {
  checks,
  EVIL,
  needsHuman,
  permits,
  proposed,
  receipts,
  runningChecks,
  untriaged,
  required,
} from "./panelStates.ts";

// States of the panel with refuters and second opinions, as the worker would send them. The code in them is invented.

const cite = (file: string, line: number, shown: string, rest: Partial<CheckedCitation> = {}): CheckedCitation => ({
  file,
  line,
  endLine: line,
  quote: shown,
  ok: true,
  shown,
  note: null,
  ...rest,
});
const guard = cite("src/store/ids.ts", 8, "  if (!/^\\d{1,12}$/.test(raw)) throw new BadId(raw);");
const handler = cite("src/http/orders.ts", 18, "  const order = await findOrder(request.params.id);");
const statement = cite("src/store/orders.ts", 41, "  const id = parseOrderId(raw);");

type Counted = Extract<RefuterView, { kind: "counted" }>;

const against: Counted = {
  kind: "counted",
  lens: { kind: "own", id: "forgery" },
  title: "Forged input",
  pass: 1,
  side: "against",
  stated: "refuted",
  refuterConfidence: "high",
  impact: "low",
  attack: "`parseOrderId` throws on everything but digits, so no quote and no keyword ever reaches the statement.",
  scenario: "",
  citations: [guard, statement],
  uncited: 0,
  reReadSources: ["src/store/ids.ts", "src/store/orders.ts:41"],
  note: null,
};
const forIt: Counted = {
  ...against,
  lens: { kind: "own", id: "other-path" },
  title: "Another path to the place",
  side: "for",
  stated: "survives",
  refuterConfidence: "medium",
  impact: "high",
  attack: "The admin route goes around the handler, but it calls the same function.",
  scenario: "A caller of the admin route sends an id with a quote and reads the orders of another customer.",
  citations: [handler],
  by: { provider: "https://models.example", model: "other-large", family: "other" },
};
const open: Counted = {
  ...against,
  lens: { kind: "own", id: "downstream" },
  title: "Effect further on",
  side: "needs-check",
  stated: "refuted",
  refuterConfidence: "low",
  impact: "medium",
  attack: "The driver may bind the value itself.",
  citations: [
    cite("src/store/db.ts", 3, "", { ok: false, quote: "bind(value)", note: "The file does not hold this text." }),
  ],
  uncited: 3,
  note: "It refuted the claim before everything was looked at: counted as undecided. Of the uses of findOrder only the first 12 were looked at.",
};
const lost: RefuterView = {
  kind: "abstained",
  lens: { kind: "given", id: "given-1", text: "Nightly export job" },
  title: "Nightly export job",
  pass: 1,
  reason: "none of the lines it names could be read again",
  attack: "The export never uses this function.",
  uncited: 0,
};

const refute = { ...USUAL_METHOD, strategy: "refute" } as const;
const untouched = [
  "No refuter cites src/http/admin.ts:40-90 (calls findOrder).",
  "findOrder also occurs in scripts/import.ts, which no refuter cites.",
];

function panelOf(refuters: readonly RefuterView[]): NonNullable<PanelState["refutation"]> {
  const sorted = [...refuters].sort((a, b) => a.pass - b.pass || (a.title < b.title ? -1 : 1));
  return {
    refuters: sorted,
    awaited: [],
    recount: recount(sorted),
    polarity: "bug",
    passes: 1,
    stopped: null,
    untouched,
  };
}

const judged: PanelState = {
  ...needsHuman,
  method: refute,
  rounds: [],
  vote: null,
  ruling: null,
  checks,
  receipts: receipts.map((receipt) => ({ ...receipt, by: "refuter-1-1-forgery" })),
};
const outcome = (rest: Partial<Outcome>): Outcome => ({
  ...PLAIN_OUTCOME,
  action: "needs-human",
  severity: "P1",
  authorization: "none",
  settledAs: null,
  proposesDismissal: false,
  because: [{ rule: "R4.15", text: "Neither side of the refuters carries: 1 against it, 1 for it." }],
  next: "Nobody could decide it from the evidence: it is yours.",
  ...rest,
});

/** Refuters are at work: one has answered. */
export const refutersRun: PanelState = {
  ...runningChecks,
  method: refute,
  checks,
  stage: {
    kind: "refuters",
    pass: 1,
    of: 3,
    lenses: [against.lens, forIt.lens, open.lens],
  },
  refutation: {
    refuters: [against],
    awaited: [forIt.title, open.title],
    recount: null,
    polarity: null,
    passes: 1,
    stopped: null,
    untouched: [],
  },
};
/** The same before any has answered. */
export const refutersStart: PanelState = {
  ...refutersRun,
  refutation: {
    ...required(refutersRun.refutation),
    refuters: [],
    awaited: [open.title, against.title, forIt.title].sort(),
  },
};

/** It survives, after a loop of two passes, and a worse severity is argued for. */
export const survives: PanelState = {
  ...judged,
  refutation: {
    ...panelOf([forIt, { ...forIt, ...lensOf("limits", "Values at the limits") }, { ...open, pass: 2 }]),
    passes: 2,
    stopped: "quiet",
  },
  outcome: outcome({
    action: "keep",
    because: [{ rule: "R4.13", text: "It survives the refuters: 0 against it, 2 for it. N = 3, vote over k = 3." }],
    next: "It stands: fix it.",
    severitySuggestion: {
      to: "P0",
      why: "2 refuters argue for P0: a caller of the admin route reads everyone's orders",
    },
  }),
};

/** Refuted, and a second opinion agrees: a dismissal of a P1 is proposed. */
export const refuted: PanelState = {
  ...judged,
  state: "proposed",
  refutation: panelOf([against, { ...against, ...lensOf("limits", "Values at the limits") }, forIt, lost]),
  opinion: opinionOf({ family: "another" }),
  reductions: ["Not counted: given-1: none of the lines it names could be read again."],
  outcome: outcome({
    action: "filter",
    authorization: "human-required",
    proposesDismissal: true,
    mapped: "DISMISS_CANDIDATE",
    bar: { confidence: 0.9, refs: 3, heightened: false },
    because: [
      { rule: "R4.14", text: "The refuters refute it: 2 against it, 1 for it. N = 4, 1 dropped, vote over k = 3." },
      { rule: "C4", text: "P1 is closed only by a person." },
    ],
    next: "P1: a false alarm needs your confirmation.",
  }),
};

/** The built-in reviewer as refuters: it says that a check is needed. */
export const undecided: PanelState = {
  ...judged,
  reviewer: "built-in reviewer",
  refutation: panelOf(
    [
      { ...open, ...lensOf("forgery", "Forged input") },
      { ...open, ...lensOf("confusion", "Mixed-up configuration or tenant") },
      { ...open, ...lensOf("other-path", "Another path to the place") },
    ].map((one) => ({ ...one, stated: "needs_oracle", attack: "", note: null, citations: [handler], uncited: 0 })),
  ),
  outcome: outcome({}),
  cost: { calls: 0, prompt: 0, completion: 0 },
};

/** Fewer than two counted, also after they were asked once more. */
export const noneCounted: PanelState = {
  ...judged,
  refutation: panelOf([
    forIt,
    lost,
    { ...lost, ...lensOf("limits", "Values at the limits"), reason: "it opened no source again", attack: "" },
  ]),
  reductions: [
    "Only 1 of 3 refuters counted, too few for a verdict: 2 were asked once more.",
    "Not counted: limits: it opened no source again.",
  ],
  outcome: outcome({
    because: [{ rule: "R4.4", text: "Only 1 of 3 refuters counted; fewer than two is no verdict (incomplete)." }],
    next: "Challenge it again, or decide it yourself.",
  }),
};

function lensOf(id: "limits" | "forgery" | "confusion" | "other-path", title: string) {
  return { lens: { kind: "own", id }, title } as const;
}

type Gave = Extract<OpinionView, { kind: "gave" }>;

function opinionOf(rest: Partial<Gave>): Gave {
  const opinion: Omit<Gave, "counted"> = {
    kind: "gave",
    intent: "dismiss",
    thread: "0a1b2c3d4e5f",
    verdict: "NON_ACTIONABLE",
    stated: "NON_ACTIONABLE",
    impact: "NOT_ASSESSED",
    verdictConfidence: 0.96,
    refs: [
      { text: "src/store/ids.ts:8", ok: true, citation: guard, receipt: null },
      { text: "src/http/orders.ts:18", ok: true, citation: handler, receipt: null },
      { text: "grep parseOrderId src", ok: true, citation: null, receipt: "r2" },
      { text: "src/store/orders.ts:41", ok: true, citation: statement, receipt: null },
      { text: "the tests", ok: false, citation: null, receipt: null },
    ],
    reasoning:
      "The id is parsed before it reaches the statement. I opened every caller of findOrder and both go through `parseOrderId`.",
    by: { provider: "https://second.example", model: "blind-large", family: "blind" },
    who: "blind-large at https://second.example",
    family: null,
    note: null,
    rebuttal: null,
    ...rest,
  };
  return { ...opinion, counted: countedRefs(opinion.refs) };
}

const verdict = { ...USUAL_METHOD, strategy: "verdict" } as const;

/** A second opinion alone, by what the policy made of it. */
export function mapped(word: Mapped, opinion: Partial<Gave>, rest: Partial<Outcome> = {}): PanelState {
  const proposes = word === "DISMISS_CANDIDATE" || word === "DISMISS_VERIFIED";
  const stands = word === "FIX_REQUIRED" || word === "CONFIRMED" || word === "HIGH_IMPACT" || word === "LOW_IMPACT";
  return {
    ...judged,
    state: proposes ? "proposed" : "new",
    method: { ...verdict, intent: opinion.intent ?? "dismiss" },
    opinion: opinionOf(opinion),
    outcome: outcome({
      action: proposes ? "filter" : stands ? "keep" : "needs-human",
      proposesDismissal: proposes,
      authorization: proposes ? "human-required" : "none",
      because: [{ rule: "R1.14", text: "A blind second opinion says what stands below." }],
      next: stands ? "It stands: fix it." : "The second opinion does not decide it: it is yours.",
      mapped: word,
      ...(opinion.intent === undefined ? { bar: { confidence: 0.95, refs: 4, heightened: true } } : {}),
      ...rest,
    }),
  };
}

const fix = { verdict: "ACTIONABLE", stated: "ACTIONABLE", verdictConfidence: 0.82 } as const;

/** It runs. */
export const opinionRuns: PanelState = {
  ...runningChecks,
  method: verdict,
  checks,
  stage: { kind: "opinion" },
};
export const candidate = mapped("DISMISS_CANDIDATE", {});
export const verified = mapped("DISMISS_VERIFIED", {});
export const fixRequired = mapped("FIX_REQUIRED", fix);
export const belowBar = mapped("NEED_HUMAN", { verdictConfidence: 0.91 });
export const confirmed = mapped("CONFIRMED", { ...fix, intent: "confirm" });
export const disputed = mapped("DISPUTED", { intent: "confirm" });
export const highImpact = mapped("HIGH_IMPACT", { ...fix, intent: "clarify", impact: "HIGH_IMPACT" });
export const lowImpact = mapped("LOW_IMPACT", { ...fix, intent: "clarify", impact: "LOW_IMPACT" });
/** The built-in reviewer as a second opinion: it is not sure, and says so. */
export const unsure: PanelState = {
  ...mapped("NEED_HUMAN", {
    verdict: "UNCERTAIN",
    stated: "UNCERTAIN",
    verdictConfidence: 0,
    refs: [{ text: "src/http/orders.ts:18", ok: true, citation: handler, receipt: null }],
    by: { provider: "built-in", model: "built-in" },
    who: "built-in reviewer",
  }),
  reviewer: "built-in reviewer",
  cost: { calls: 0, prompt: 0, completion: 0 },
};
/** It called the finding not actionable without looking. */
export const weak = mapped("NEED_HUMAN", {
  verdict: "UNCERTAIN",
  refs: [],
  note: "It called the finding not actionable without looking at the repository itself: counted as uncertain.",
});
/** It gave no answer. */
export const opinionAbstained: PanelState = {
  ...mapped("NEED_HUMAN", {}),
  opinion: {
    kind: "abstained",
    intent: "dismiss",
    reason: "the model refused",
    by: { provider: "https://second.example", model: "blind-large" },
    who: "blind-large at https://second.example",
    family: null,
    counted: 0,
  },
};
/** A person objected once, and it stays with its word. */
export const rebutted = mapped("FIX_REQUIRED", {
  ...fix,
  rebuttal: [
    {
      kind: "test-output",
      source: "test/orders.test.ts:12",
      text: "ok 12 - an id with a quote is refused\nok 13 - an id with a blank is refused",
    },
  ],
});

/** Rounds and a second opinion besides. */
export const roundsAndOpinion: PanelState = {
  ...proposed,
  opinion: opinionOf({ family: "same" }),
  method: USUAL_METHOD,
  asked: [{ ...required(checks[1]), verdict: "refuted", text: "No caller passes unparsed text." }],
  outcome: {
    ...required(proposed.outcome),
    mapped: "DISMISS_CANDIDATE",
    bar: { confidence: 0.9, refs: 3, heightened: false },
  },
};

/** What each role cost, some of it kept from earlier. */
const ledger: PanelState["ledger"] = [
  {
    role: "refuter-1-1-forgery",
    model: "review-large at models.example",
    calls: 2,
    prompt: 4100,
    completion: 320,
    cached: 0,
  },
  {
    role: "refuter-1-2-other-path",
    model: "other-large at models.example",
    calls: 0,
    prompt: 0,
    completion: 0,
    cached: 2,
  },
  { role: "second-opinion", model: null, calls: 1, prompt: 900, completion: 80, cached: 1 },
];

/** Some dismissals in a row; and the warning after three. */
export const streak: PanelState = { ...refuted, ledger, streak: { run: 2, warned: false }, otherModel: "second-large" };
export const warned: PanelState = { ...refuted, streak: { run: 3, warned: true } };

const words = "a long sentence about a value that flows from one function into the next and so on ";

/** Seven refuters who write a lot, with long paths; a second opinion that does, too. */
export const longJudges: PanelState = {
  ...refuted,
  refutation: panelOf(
    Array.from({ length: 7 }, (_, index) => ({
      ...(index % 2 === 0 ? against : forIt),
      title: `Lens ${index} ${"with-a-very-long-name".repeat(2)}`,
      attack: words.repeat(7).slice(0, 600),
      scenario: words.repeat(7).slice(0, 600),
      citations: Array.from({ length: 6 }, (__, line) =>
        cite(`src/${"deeply-nested-folder/".repeat(9)}f${line}.ts`, line + 1, "x".repeat(400)),
      ),
      note: words.repeat(2),
    })),
  ),
  opinion: opinionOf({
    who: `a-model-with-a-very-long-name-${"x".repeat(80)} at https://second.example`,
    reasoning: words.repeat(90),
    refs: Array.from({ length: 30 }, (_, index) => ({
      text: `src/${"folder/".repeat(20)}f${index}.ts:${index + 1}`,
      ok: index % 3 !== 0,
      citation: index % 2 === 0 ? cite(`src/${"folder/".repeat(20)}f${index}.ts`, index + 1, "y".repeat(300)) : null,
      receipt: index % 4 === 1 ? "r1" : null,
    })),
    rebuttal: [{ kind: "specification", source: "docs/".repeat(60), text: words.repeat(60) }],
  }),
  reductions: Array.from({ length: 9 }, () => words.repeat(2)),
};

/** The same hostile text in every place of the judges that text can come from. */
export const hostileJudges: PanelState = {
  ...refuted,
  refutation: {
    ...panelOf([
      {
        ...against,
        title: EVIL,
        lens: { kind: "given", id: "given-1", text: EVIL },
        attack: EVIL,
        scenario: EVIL,
        note: EVIL,
        reReadSources: [EVIL],
        citations: [cite(EVIL, 1, EVIL, { note: EVIL })],
        by: { provider: EVIL, model: EVIL },
      },
      { ...lost, title: EVIL, reason: EVIL, attack: EVIL },
    ]),
    untouched: [EVIL],
  },
  opinion: opinionOf({
    reasoning: EVIL,
    note: EVIL,
    who: EVIL,
    refs: [
      { text: EVIL, ok: false, citation: null, receipt: EVIL },
      { text: EVIL, ok: true, citation: cite(EVIL, 1, EVIL, { note: EVIL }), receipt: null },
    ],
    rebuttal: [{ kind: "specification", source: EVIL, text: EVIL }],
  }),
  asked: [{ ...required(checks[0]), text: EVIL, check: EVIL }],
  reductions: [EVIL],
  ledger: [
    { role: EVIL, model: EVIL, calls: 1, prompt: 1, completion: 1, cached: 0 },
    { role: EVIL, model: EVIL, calls: 1, prompt: 1, completion: 1, cached: 0 },
  ],
  outcome: outcome({ mapped: "NEED_HUMAN", severitySuggestion: { to: "P0", why: EVIL }, next: EVIL, because: [] }),
  otherModel: EVIL,
};

/** Held back: nothing may be asked while it is decided. */
export const decidedJudges: PanelState = {
  ...fixRequired,
  state: "decided",
  decision: { decision: "confirmed", reason: "", at: "2026-09-12T14:02:00.000Z" },
  permits: permits({
    triage: "It is decided already: reopen it first.",
    cancel: "Nothing is running.",
    confirm: "It is decided.",
    dismiss: "It is decided.",
  }),
};

/** Every state of this file by name. */
export const JUDGE_STATES = {
  refutersStart,
  refutersRun,
  survives,
  refuted,
  undecided,
  noneCounted,
  opinionRuns,
  candidate,
  verified,
  fixRequired,
  belowBar,
  confirmed,
  disputed,
  highImpact,
  lowImpact,
  unsure,
  weak,
  opinionAbstained,
  rebutted,
  roundsAndOpinion,
  streak,
  warned,
  longJudges,
  hostileJudges,
  decidedJudges,
  untriagedWithOther: { ...untriaged, otherModel: "second-large" },
} as const satisfies Record<string, PanelState>;
