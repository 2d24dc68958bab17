import type { Verdict } from "../core/round.ts";
import type { PanelState } from "../protocol/panel.ts";
import type { DecideParams } from "../protocol/worker.ts";
import type { Asker } from "./asker.ts";
import type { WorkerClient } from "./workerClient.ts";

type Decision = DecideParams["decision"];

export interface DecisionPorts {
  readonly worker: Pick<WorkerClient, "panelState" | "decide">;
  readonly ask: Pick<Asker, "modal" | "input">;
}

/** How a decision ended. `refused` carries the worker's sentence, `withdrawn`: the person stepped back. */
export type Decided =
  | { readonly kind: "settled" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "withdrawn" };

/**
 * Takes a person's decision to the worker. `reason` null asks for it. Dismissals of P0, P1 and hard findings ask once more in a
 * modal that repeats claim and crux; the sentence the person agreed to goes into the record (R1.21).
 */
export async function decide(
  ports: DecisionPorts,
  key: string,
  decision: Decision,
  givenReason: string | null,
): Promise<Decided> {
  const state = await ports.worker.panelState({ key });
  if (state === null) return { kind: "refused", why: "This finding is gone: its review file was changed or deleted." };
  const permit = state.permits[decision];
  if (!permit.allowed) return { kind: "refused", why: permit.why };
  const sentence = decisionSentence(state, decision);
  const reason = givenReason ?? (await askReason(ports.ask, sentence, decision));
  if (reason === undefined) return { kind: "withdrawn" };
  if (decision === "dismiss" && reason.trim() === "") {
    return {
      kind: "refused",
      why: "A dismissal needs a reason. It stands in the log for whoever reads this code next.",
    };
  }
  const modal = decision === "dismiss" && state.dismissNeedsModal;
  if (modal && !(await ports.ask.modal(sentence, modalDetail(state, reason), "Dismiss Finding"))) {
    return { kind: "withdrawn" };
  }
  return await ports.worker.decide({ key, decision, reason: reason.trim(), prompt: sentence });
}

/** The sentence a person agrees to. It names severity, place and claim, so that the record says what was agreed to. */
export function decisionSentence(state: PanelState, decision: Decision): string {
  const { finding } = state;
  const what = `${finding.severity} finding at ${placeOf(state)}`;
  if (decision === "confirm") return `Confirm the ${what} as real: ${claim(state)}`;
  if (decision === "dismiss") return `Dismiss the ${what} as a false alarm: ${claim(state)}`;
  return `Reopen the ${what}: ${claim(state)}`;
}

/** Verdicts as the panel says them. */
const IN_WORDS = { VALID: "real", INVALID: "false alarm", UNCERTAIN: "not decided" } as const satisfies Record<
  Verdict,
  string
>;

async function askReason(ask: Pick<Asker, "input">, sentence: string, decision: Decision): Promise<string | undefined> {
  const title = { confirm: "Confirm Finding", dismiss: "Dismiss Finding", reopen: "Reopen Finding" }[decision];
  return await ask.input({
    title: `${title}: why?`,
    prompt: sentence,
    password: false,
    problem: (text) =>
      decision === "dismiss" && text.trim() === "" ? "Say in a few words why it is a false alarm." : null,
  });
}

function modalDetail(state: PanelState, reason: string): string {
  const { outcome, finding } = state;
  const grounds = groundsOf(state);
  return [
    ...(finding.hard === null ? [] : ["This is a hard fact, not an opinion."]),
    ...(grounds.length > 0
      ? grounds
      : ["Nothing has looked at it yet: only your own judgement says that it is a false alarm."]),
    ...(outcome === null ? [] : [outcome.next]),
    `Your reason: ${reason.trim()}`,
    "The decision is written to the triage log.",
  ].join("\n\n");
}

/** What the triage found: checks that settle something, the arbiter's crux or without one the rounds' cruxes, refuters, second opinion. */
function groundsOf(state: PanelState): readonly string[] {
  return [...roundGrounds(state), ...refuterGrounds(state), ...opinionGrounds(state)];
}

/** The count and every attack or defence that counted, in the order of the panel (R4.17). */
function refuterGrounds({ refutation }: PanelState): readonly string[] {
  if (refutation === null || refutation.recount === null) return [];
  const { against, forClaim, text } = refutation.recount;
  const said = refutation.refuters.flatMap((one) => {
    if (one.kind === "abstained" || one.side === "needs-check") return [];
    const words = one.side === "against" ? one.attack : one.scenario;
    return words === "" ? [] : [`${one.title}, ${one.side === "against" ? "against it" : "for it"}: ${words}`];
  });
  return [`Refuters: ${against} against it, ${forClaim} for it. ${text}`, ...said.slice(0, MOST_SAID)];
}

/** What refuters said at most is repeated in the modal. */
const MOST_SAID = 4;

const OPINIONS = { ACTIONABLE: "actionable", NON_ACTIONABLE: "not actionable", UNCERTAIN: "uncertain" } as const;

function opinionGrounds({ opinion }: PanelState): readonly string[] {
  if (opinion === null) return [];
  if (opinion.kind === "abstained") return [`Second opinion: not given, ${opinion.reason}`];
  return [`Second opinion, ${OPINIONS[opinion.verdict]}: ${opinion.note ?? opinion.reasoning.slice(0, 600)}`];
}

function roundGrounds({ checks, rounds, ruling }: PanelState): readonly string[] {
  // A check without an atom speaks of the place: that it exists is no ground for anything.
  const settled = checks.flatMap(({ verdict, atom, text }) =>
    verdict === "refuted" || (verdict === "confirmed" && atom !== null) ? [`Check: ${text}`] : [],
  );
  if (ruling !== null && ruling.verdict !== null)
    return [...settled, `Arbiter, ${IN_WORDS[ruling.verdict]}: ${ruling.crux}`];
  const cruxes = rounds.flatMap((round) =>
    round.kind === "counted" ? [`Round ${round.n}, ${IN_WORDS[round.verdict]}: ${round.crux}`] : [],
  );
  return [...settled, ...cruxes];
}

function placeOf({ finding }: PanelState): string {
  const file = finding.place.file ?? finding.citedPath ?? "no file";
  return finding.place.line === null ? file : `${file}:${finding.place.line}`;
}

function claim({ finding }: PanelState): string {
  const text = finding.message.replace(/\s+/gu, " ").trim();
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
