import type { Finding } from "./finding.ts";
import type { State } from "./outcome.ts";
import { needsPerson } from "./policy.ts";

/** What a person can do with a finding. */
export type PanelAction = "triage" | "cancel" | "confirm" | "dismiss" | "reopen";

/** Whether an action may be used; where not, `why` is the sentence to show. */
export type Permit = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

const ALLOWED: Permit = { allowed: true };
const RUNNING: Permit = { allowed: false, why: "It is being triaged: wait, or cancel first." };
const STALE: Permit = { allowed: false, why: "The code changed since: triage it again before you decide." };
const DECIDED: Permit = { allowed: false, why: "It is decided already: reopen it first." };
const IDLE: Permit = { allowed: false, why: "Nothing is running." };
const OPEN: Permit = { allowed: false, why: "It is not decided yet." };

const UNDECIDED = { triage: ALLOWED, cancel: IDLE, confirm: ALLOWED, dismiss: ALLOWED, reopen: OPEN } as const;

/** What is allowed in which state (ruling 22). The one place: buttons, menus and the worker's own check all read it. */
export const PERMITS = {
  new: UNDECIDED,
  proposed: UNDECIDED,
  running: { triage: RUNNING, cancel: ALLOWED, confirm: RUNNING, dismiss: RUNNING, reopen: RUNNING },
  stale: { triage: ALLOWED, cancel: IDLE, confirm: STALE, dismiss: STALE, reopen: OPEN },
  decided: { triage: DECIDED, cancel: IDLE, confirm: DECIDED, dismiss: DECIDED, reopen: ALLOWED },
} as const satisfies Record<State, Record<PanelAction, Permit>>;

/** A person's decision as it arrives at the worker. */
export interface Decision {
  readonly decision: "confirm" | "dismiss" | "reopen";
  readonly reason: string;
  /** The exact sentence the person agreed to (R1.21). */
  readonly prompt: string;
}

/** Shortest reason for a dismissal, in characters without white space. */
export const SHORTEST_REASON = 5;

/** Why a decision is refused; null where it may be recorded. A dismissal always has a reason; of a P0, P1 or hard fact also the sentence agreed to. */
export function refusal(finding: Pick<Finding, "severity" | "hard">, state: State, decision: Decision): string | null {
  const permit: Permit = PERMITS[state][decision.decision];
  if (!permit.allowed) return permit.why;
  if (decision.decision !== "dismiss") return null;
  if (decision.reason.replace(/\s/g, "").length < SHORTEST_REASON)
    return `A dismissal needs a reason of at least ${SHORTEST_REASON} characters.`;
  if (needsPerson(finding) && decision.prompt.trim() === "")
    return `Dismissing a ${finding.severity} must be confirmed explicitly.`;
  return null;
}
