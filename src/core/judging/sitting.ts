import type { CheckResult, Receipt } from "../check.ts";
import type { CheckContext } from "../checks/check.ts";
import { type ClaimTopic, topicOf } from "../claimKind.ts";
import type { Pack } from "../evidence/pack.ts";
import type { Finding } from "../finding.ts";
import type { Method } from "../method.ts";
import { checkClaim } from "../oracle.ts";
import { type Packet, toolsThatRan } from "../packet.ts";
import type { EvidenceDesk, Given, Reviewer } from "../reviewer.ts";
import type { JudgingEvent } from "./events.ts";
import type { Ground } from "./footing.ts";
import type { ModelIdentity } from "../modelIdentity.ts";
import type { Hash, Usage } from "../ports.ts";

/** Lenses that refuters have used against a finding, in all runs ever: never reset (R4.24). */
export interface SeenLenses {
  seen(key: string): Promise<ReadonlySet<string>>;
  add(key: string, lens: string): Promise<void>;
}

/** All that one judgement of one finding works with, whichever strategy. */
export interface Sitting {
  readonly finding: Finding;
  readonly checks: readonly CheckResult[];
  readonly pack: Pack;
  readonly packet: Packet;
  readonly method: Method;
  readonly reviewer: Reviewer;
  readonly ground: Ground;
  readonly hash: Hash;
  readonly context: CheckContext;
  readonly lenses: SeenLenses | null;
  readonly signal: AbortSignal;
  /** As in `ModelRequest`. */
  readonly urgency?: number | undefined;
  readonly report: (event: JudgingEvent) => void;
  readonly spent: (role: string, usage: Usage, calls: number, model: ModelIdentity | undefined) => void;
  /** A desk for one asker; what it runs leaves receipts under that name. */
  desk(by: string): EvidenceDesk;
  /** What an asker had run in this judgement. */
  receiptsOf(by: string): readonly Receipt[];
}

/** The members that every task of a reviewer has. */
export function taskOf(sitting: Sitting, by: string, asked: readonly CheckResult[]) {
  const { finding, packet, checks, signal, urgency } = sitting;
  const topic: ClaimTopic = topicOf(finding);
  return {
    finding,
    packet,
    checks,
    topic,
    asked: asked.map(({ text }) => text),
    desk: sitting.desk(by),
    signal,
    urgency,
    spent: (usage: Usage, calls = 1, model?: ModelIdentity): void => sitting.spent(by, usage, calls, model),
  };
}

/** What an answer is held against that was given after some checks had been asked for: their checkers did run. */
export function groundWith({ ground }: Sitting, asked: readonly CheckResult[]): Ground {
  const { footing } = ground;
  return { ...ground, footing: { ...footing, ran: [...footing.ran, ...toolsThatRan(asked)] } };
}

/** A reviewer that breaks has given no answer: that is an abstention, never the end of the triage. */
export async function orAbstain<T>(signal: AbortSignal, ask: () => Promise<Given<T>>): Promise<Given<T>> {
  signal.throwIfAborted();
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "abstained", reason: `it broke: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * Asks, and where the answer wants a check of a kind that the program has, runs it and asks once more with what it said (C7,
 * R4.16). The words wanted are read by the claim grammar alone: they choose one of our checks and are never a command.
 */
export async function askWithChecks<T extends { readonly needsOracle?: string | undefined }>(
  sitting: Sitting,
  ask: (asked: readonly CheckResult[]) => Promise<Given<T>>,
): Promise<{ given: Given<T>; asked: readonly CheckResult[] }> {
  const first = await orAbstain(sitting.signal, () => ask([]));
  const wanted = first.kind === "gave" ? (first.answer.needsOracle ?? "").trim() : "";
  if (wanted === "") return { given: first, asked: [] };
  const asked = await checkClaim(sitting.finding, wanted, sitting.context);
  for (const check of asked) sitting.report({ kind: "asked", check });
  return { given: await orAbstain(sitting.signal, () => ask(asked)), asked };
}
