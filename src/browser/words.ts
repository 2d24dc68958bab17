import type { PanelState } from "../protocol/panel.ts";
import type {
  CheckedCitation,
  CheckResult,
  CheckVerdict,
  Finding,
  HardFact,
  Outcome,
  Question,
  RoundNumber,
  Severity,
  SourceSeverity,
  Verdict,
  Stage,
} from "./shapes.ts";

/** Fewest characters of a dismissal's reason, white space not counted: the worker's own rule, asked for before it is sent. */
export const FEWEST_REASON = 5;

/** True for a text that says enough to be a reason. */
export function isReason(text: string): boolean {
  return text.replace(/\s/g, "").length >= FEWEST_REASON;
}

/** How something looks: `real` speaks for the finding, `false` against it, `open` is undecided, `off` did not count. */
export type Tone = "real" | "false" | "open" | "off" | "info";

/** A word for a person with its icon and tone; colour is never the only carrier. */
export interface Word {
  readonly text: string;
  readonly icon: string;
  readonly tone: Tone;
}

/** Verdicts of rounds and arbiter as people say them. */
export const VERDICTS = {
  VALID: { text: "real", icon: "bug", tone: "real" },
  INVALID: { text: "false alarm", icon: "bell-slash", tone: "false" },
  UNCERTAIN: { text: "not decided", icon: "question", tone: "open" },
} as const satisfies Record<Verdict, Word>;

/** Results of checks; only the first two move anything (ruling 13). */
export const CHECK_VERDICTS = {
  refuted: { text: "refutes the claim", icon: "bell-slash", tone: "false" },
  confirmed: { text: "confirms the claim", icon: "bug", tone: "real" },
  inapplicable: { text: "does not apply", icon: "dash", tone: "off" },
  unknown: { text: "could not tell", icon: "question", tone: "off" },
} as const satisfies Record<CheckVerdict, Word>;

const PLACE_VERDICTS = {
  refuted: { text: "the place does not hold", icon: "warning", tone: "open" },
  confirmed: { text: "the place holds", icon: "check", tone: "info" },
  inapplicable: CHECK_VERDICTS.inapplicable,
  unknown: CHECK_VERDICTS.unknown,
} as const satisfies Record<CheckVerdict, Word>;

/** Facts about a finding as a whole (classes 15-20), by what they ask for; none says whether the defect is real. */
const NOTICE_WORDS = {
  route: { text: "belongs elsewhere", icon: "arrow-right", tone: "open" },
  demote: { text: "takes itself back", icon: "arrow-down", tone: "open" },
  escalate: { text: "asks for a person", icon: "person", tone: "open" },
  tell: { text: "good to know, settles nothing", icon: "info", tone: "open" },
} as const satisfies Record<NonNullable<CheckResult["notice"]>["does"], Word>;

/** A check that stands still until a person has read a command line. */
const WAITS = { text: "waits for your consent", icon: "shield", tone: "open" } as const satisfies Word;

/** The result of a check; one without an atom speaks about the place or the finding as a whole, not about the claim. */
export function checkWord({
  verdict,
  atom,
  notice,
  proposal,
}: Pick<CheckResult, "verdict" | "atom" | "notice" | "proposal">): Word {
  if (proposal !== undefined) return WAITS;
  if (notice !== undefined) return NOTICE_WORDS[notice.does];
  return atom === null ? PLACE_VERDICTS[verdict] : CHECK_VERDICTS[verdict];
}

/** What a severity means (C2). */
export const SEVERITIES = {
  P0: "critical",
  P1: "high",
  P2: "medium",
  Nit: "low",
} as const satisfies Record<Severity, string>;

/** What each round asks (R0.9-R0.11): its name, what it does, and the question in full. */
export const QUESTIONS = {
  premise: {
    name: "Premise",
    short: "Premise",
    doing: "tests the premise",
    asks: "Is the premise true, and can anyone reach this code?",
  },
  defences: {
    name: "Defences",
    short: "Defences",
    doing: "looks for defences",
    asks: "Is there a line that already prevents it?",
  },
  missed: {
    name: "Missed angles",
    short: "Missed",
    doing: "looks for missed angles",
    asks: "What did the earlier rounds not look at?",
  },
} as const satisfies Record<Question, { name: string; short: string; doing: string; asks: string }>;

/** Why a hard fact is never triaged away (R0.2). */
export const HARD_FACTS = {
  secret: "a secret in the code",
  "vulnerable-dependency": "a dependency with a known vulnerability",
  "failing-test": "a failing test",
  "compile-error": "a compile error",
} as const satisfies Record<HardFact, string>;

const SCALES: Readonly<Record<string, string>> = {
  sarif: "SARIF",
  "sarif-level": "SARIF",
  "security-severity": "security severity",
  editor: "the editor:",
  "archeflow-table": "the table:",
  "p-scale": "",
  word: "the word",
};

/** "from SARIF error": where the severity came from, as its source wrote it (C2). */
export function sourceSeverityWords(source: SourceSeverity): string {
  const scale = SCALES[source.scale.toLowerCase()] ?? source.scale.replaceAll(/[-_]/g, " ");
  return `from ${scale} ${source.value}`.replaceAll(/\s+/g, " ").trim();
}

const STAGES = {
  checks: "Checks are running",
  arbiter: "The arbiter weighs the rounds",
  opinion: "A blind second opinion looks into it",
  saving: "Writing the log",
} as const satisfies Record<Exclude<Stage["kind"], "round" | "refuters">, string>;

/** What is running, as a short sentence without a full stop. */
export function stageWords(stage: Stage): string {
  if (stage.kind === "round") return `Round ${stage.n} of 3 ${QUESTIONS[questionOf(stage.n)].doing}`;
  if (stage.kind === "refuters")
    return stage.pass === 1
      ? `${stage.of} refuters attack it, each through a lens of its own`
      : `Pass ${stage.pass}: ${stage.of} more refuters with fresh lenses`;
  return STAGES[stage.kind];
}

/** The question that belongs to a round number. */
export function questionOf(n: RoundNumber): Question {
  return n === 1 ? "premise" : n === 2 ? "defences" : "missed";
}

/** The same for a triage that may not have reached a stage yet. */
export function runningWords(stage: Stage | null): string {
  return stage === null ? "Triage is running" : stageWords(stage);
}

/** The state of the finding in words, for the header. */
export function stateWord(state: PanelState): Word {
  const words: Record<PanelState["state"], () => Word> = {
    running: () => ({ text: "Triage is running", icon: "sync", tone: "info" }),
    proposed: () => ({ text: "Waits for your decision", icon: "person", tone: "open" }),
    stale: () => ({ text: "Out of date: the code changed", icon: "history", tone: "open" }),
    decided: () => decidedWord(state),
    new: () => openWord(state),
  };
  return words[state.state]();
}

function decidedWord({ decision }: PanelState): Word {
  if (decision?.decision === "dismissed") return { text: "Dismissed by a person", icon: "bell-slash", tone: "false" };
  if (decision?.decision === "confirmed") return { text: "Confirmed by a person", icon: "bug", tone: "real" };
  return { text: "Closed by the program", icon: "check", tone: "off" };
}

function openWord({ outcome, finding, decision }: PanelState): Word {
  if (outcome?.action === "needs-human") return { text: "Needs your decision", icon: "person", tone: "open" };
  if (finding.hard !== null) return { text: "Open: a hard fact", icon: "lock", tone: "real" };
  if (decision?.decision === "reopened") return { text: "Reopened", icon: "discard", tone: "info" };
  if (outcome !== null) return { text: "Triaged, open", icon: "circle-outline", tone: "info" };
  return { text: "Not triaged", icon: "circle-outline", tone: "off" };
}

const OUTCOMES = {
  keep: { text: "It stands: real", icon: "bug", tone: "real" },
  demote: { text: "It stands, shown one step lower", icon: "arrow-down", tone: "real" },
  filter: { text: "Filtered as a false alarm", icon: "bell-slash", tone: "false" },
  route: { text: "Set aside, still open: it belongs elsewhere", icon: "arrow-right", tone: "info" },
  "needs-human": { text: "Not decided: a person has to judge", icon: "person", tone: "open" },
  settled: { text: "Settled by a check", icon: "check", tone: "info" },
  bypass: { text: "A hard fact", icon: "lock", tone: "real" },
  advisory: { text: "Advice: it blocks nothing", icon: "info", tone: "info" },
} as const satisfies Record<Outcome["action"], Word>;

/** The outcome as a headline: what the policy made of it. */
export function outcomeWord(outcome: Outcome, finding: Finding): Word {
  const word: Word = OUTCOMES[outcome.action];
  if (outcome.mapped === "HIGH_IMPACT" || outcome.mapped === "LOW_IMPACT") {
    const text = `It stays open: ${outcome.mapped === "HIGH_IMPACT" ? "high" : "low"} impact`;
    return { text, icon: "info", tone: "info" };
  }
  if (outcome.settledAs === "confirmed") return { text: "A check confirms it: real", icon: "bug", tone: "real" };
  if (outcome.settledAs === "refuted") {
    const text = `A check refutes it: ${outcome.proposesDismissal ? "proposed to dismiss as a" : "a"} false alarm`;
    return { text, icon: "bell-slash", tone: "false" };
  }
  if (outcome.proposesDismissal) {
    return { text: "Proposed: dismiss as a false alarm", icon: "bell-slash", tone: "false" };
  }
  if (outcome.action === "demote") return { ...word, text: `${word.text}: ${outcome.severity}` };
  if (outcome.action === "bypass" && finding.hard !== null) {
    return { ...word, text: `${word.text}: ${HARD_FACTS[finding.hard]}` };
  }
  return word;
}

const AUTHORIZATIONS = {
  none: null,
  automated: "The program may close this severity alone.",
  "human-required": "Only a person may close it.",
  "human-confirmed": "A person has confirmed it.",
} as const satisfies Record<Outcome["authorization"], string | null>;

/** Who may act on the outcome. Null where there is nothing to add. */
export function authorizationWords(outcome: Outcome): string | null {
  return AUTHORIZATIONS[outcome.authorization];
}

/** What the re-read made of a citation: quoted text found there, found elsewhere, or nowhere in the file. */
export function citationWord(citation: CheckedCitation): Word {
  if (!citation.ok) return { text: "not found", icon: "error", tone: "off" };
  if (citation.note !== null) return { text: "relocated", icon: "arrow-swap", tone: "open" };
  return { text: "re-read", icon: "check", tone: "info" };
}
