import type { Finding } from "./finding.ts";
import type { State } from "./outcome.ts";
import { needsPerson } from "./policy.ts";

/** What a person can do with a finding. */
export type PanelAction = "triage" | "cancel" | "confirm" | "dismiss" | "reopen";

/** Whether an action may be used; where not, `why` is the sentence to show. */
export type Permit = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

const ALLOWED: Permit = { allowed: true };
const no = (why: string): Permit => ({ allowed: false, why });

/** What is allowed in which state (ruling 22). The one place: buttons, menus and the worker's own check all read it. */
export function permitsIn(state: State): Readonly<Record<PanelAction, Permit>> {
  const running = no("It is being triaged: wait, or cancel first.");
  const decided = no("It is decided already: reopen it first.");
  const stale = no("The code changed since: triage it again before you decide.");
  const idle = no("Nothing is running.");
  const open = no("It is not decided yet.");
  switch (state) {
    case "running":
      return { triage: running, cancel: ALLOWED, confirm: running, dismiss: running, reopen: running };
    case "stale":
      return { triage: ALLOWED, cancel: idle, confirm: stale, dismiss: stale, reopen: open };
    case "decided":
      return { triage: decided, cancel: idle, confirm: decided, dismiss: decided, reopen: ALLOWED };
    case "new":
    case "proposed":
      return { triage: ALLOWED, cancel: idle, confirm: ALLOWED, dismiss: ALLOWED, reopen: open };
  }
}

/** A person's decision as it arrives at the worker. */
export interface Decision {
  readonly decision: "confirm" | "dismiss" | "reopen";
  readonly reason: string;
  /** The exact sentence the person agreed to (R1.21). */
  readonly prompt: string;
}

/** Shortest reason for a dismissal, in characters without white space. */
export const SHORTEST_REASON = 3;

/** Why a decision is refused; null where it may be recorded. A dismissal always has a reason; of a P0, P1 or hard fact also the sentence agreed to. */
export function refusal(finding: Pick<Finding, "severity" | "hard">, state: State, decision: Decision): string | null {
  const permit = permitsIn(state)[decision.decision];
  if (!permit.allowed) return permit.why;
  if (decision.decision !== "dismiss") return null;
  if (decision.reason.replace(/\s/g, "").length < SHORTEST_REASON) return "A dismissal needs a reason.";
  if (needsPerson(finding) && decision.prompt.trim() === "")
    return `Dismissing a ${finding.severity} must be confirmed explicitly.`;
  return null;
}
