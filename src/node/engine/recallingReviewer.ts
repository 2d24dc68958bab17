import type { CheckResult } from "../../core/check.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import type { VerbCall } from "../../core/ports.ts";
import type { EvidenceDesk, Given, Reviewer } from "../../core/reviewer.ts";
import type { Triaged } from "../../core/triage.ts";
import type { KeptJudgement } from "../cache/keptJudgement.ts";
import { lookupOf } from "../cache/keptJudgement.ts";
import {
  callNow,
  filesShown,
  type Lookup,
  type LookPorts,
  noteLookup,
  type PackPrint,
  textsShown,
} from "../cache/lookedAt.ts";
import { type AnyTask, aroundAnswers } from "./roles.ts";

/** What was heard of one role. */
interface Heard {
  readonly answer: unknown;
  readonly by: ModelIdentity | null;
  readonly lookups: readonly Lookup[];
}

/** Tells whether what a judgement rests on reads the same now. */
type Reads = (checks: readonly CheckResult[], signal: AbortSignal) => Promise<boolean>;

/** A reviewer for one finding in one run: answers that were given before are given again, others are asked for and noted down. */
export class Recall {
  readonly reviewer: Reviewer;
  /** Who judges in this run, and all who may be asked. */
  readonly identity: ModelIdentity;
  readonly models: readonly ModelIdentity[];
  readonly #kept: KeptJudgement | null;
  readonly #reads: Reads | null;
  readonly #ports: LookPorts;
  readonly #heard = new Map<string, Heard>();
  readonly #otherModel: boolean;
  #given = 0;
  #asked = 0;
  #abstained = false;
  /** The first task, with a print of the texts it was put together from. */
  #first: {
    readonly checks: readonly CheckResult[];
    readonly signal: AbortSignal;
    readonly task: AnyTask;
    readonly texts: string;
  } | null = null;
  #standing: Promise<boolean> | null = null;

  /** `reads` null: nothing is remembered of this reviewer. */
  constructor(inner: Reviewer, kept: KeptJudgement | null, reads: Reads | null, ports: LookPorts) {
    this.#kept = kept;
    this.#reads = reads;
    this.#ports = ports;
    this.identity = inner.identity;
    this.models = modelsOf(inner);
    const identity = kept?.reviewer ?? inner.identity;
    this.#otherModel = kept !== null && !sameModels(kept.models, this.models);
    const around = aroundAnswers(inner, async (name, task, shape, give) => {
      if (name === null) return await give(task);
      // An answer that was given after a check had been asked for stands beside the one that asked for it.
      const role = task.asked.length === 0 ? name : `${name} after ${ports.hash(JSON.stringify(task.asked), 16)}`;
      this.#standing ??= this.#begin(task);
      const known = (await this.#standing) ? this.#kept?.answers[role] : undefined;
      const answer = shape.safeParse(known?.answer);
      if (known !== undefined && answer.success) return await this.#giveAgain(role, task, known, answer.data);
      return await this.#ask(role, task, give);
    });
    this.reviewer = reads === null ? inner : { ...around, identity };
  }

  /** True where somebody was heard and every answer had been given before. */
  served(): boolean {
    return this.#given > 0 && this.#asked === 0;
  }

  /**
   * True where an answer was given again of which it was not looked whether what it rests on still reads the same, or which is another
   * model's: it had kept the finding, and must not come to less. Severity, settings and checks may be others now.
   */
  isLoose(): boolean {
    return this.#given > 0 && (this.#otherModel || this.#kept?.upheld === true);
  }

  /** False where such answers came to less than keeping the finding: then this run's model must be asked itself. */
  stands(triaged: Triaged): boolean {
    return !this.isLoose() || triaged.outcome.action === "keep";
  }

  /** What is to be kept; null where there is nothing new, or where not everybody gave an answer of this run's models. */
  heard(): Readonly<Record<string, Heard>> | null {
    if (this.#asked === 0 || this.#abstained || this.#otherModel) return null;
    return Object.fromEntries(this.#heard);
  }

  /** The print of what was shown; null where the code has changed since it was, or holds more by now than was shown. */
  async shown(
    print: (checks: readonly CheckResult[], signal: AbortSignal) => Promise<PackPrint>,
  ): Promise<string | null> {
    if (this.#first === null) return null;
    const { checks, signal, task, texts } = this.#first;
    const made = await print(checks, signal);
    const seen = filesShown(task.packet);
    const same = (await textsShown(task.packet, this.#ports)) === texts;
    return same && made.files.every((file) => seen.includes(file)) ? made.print : null;
  }

  async #begin(task: AnyTask): Promise<boolean> {
    const { checks, signal } = task;
    this.#first = { checks, signal, task, texts: await textsShown(task.packet, this.#ports) };
    try {
      return (await this.#reads?.(checks, signal)) ?? false;
    } catch {
      // What cannot be compared is asked anew.
      signal.throwIfAborted();
      return false;
    }
  }

  async #giveAgain<T>(
    role: string,
    { desk, spent }: AnyTask,
    { lookups, by }: KeptJudgement["answers"][string],
    answer: T,
  ): Promise<Given<T>> {
    const noted: Lookup[] = [];
    for (const lookup of lookups.map(lookupOf)) {
      if (lookup === null) continue;
      noted.push(lookup);
      // Looked up again, so that this judgement has receipts of its own; nothing is asked of a model.
      await desk.run(await callNow(lookup, this.#ports));
    }
    this.#given += 1;
    spent({ prompt: 0, completion: 0, cached: true }, 0, by ?? this.reviewer.identity);
    this.#heard.set(role, { answer, by, lookups: noted });
    return { kind: "gave", answer, ...(by === null ? {} : { by }) };
  }

  async #ask<T, K extends AnyTask>(role: string, task: K, give: (task: K) => Promise<Given<T>>): Promise<Given<T>> {
    this.#asked += 1;
    const lookups: Lookup[] = [];
    const given = await give({ ...task, desk: notingDesk(task.desk, lookups, this.#ports) });
    if (given.kind === "gave") this.#heard.set(role, { answer: given.answer, by: given.by ?? null, lookups });
    else this.#abstained = true;
    return given;
  }
}

/** All who may answer for a reviewer. */
export function modelsOf({ identity, models }: Reviewer): readonly ModelIdentity[] {
  return models ?? [identity];
}

/** True where the same would answer in every role. */
export function sameModels(left: readonly ModelIdentity[], right: readonly ModelIdentity[]): boolean {
  return namesOf(left) === namesOf(right);
}

function namesOf(models: readonly ModelIdentity[]): string {
  return JSON.stringify(models.map(({ provider, model }) => [provider, model]));
}

/** A desk that notes down what is looked up. */
function notingDesk(desk: EvidenceDesk, lookups: Lookup[], ports: LookPorts): EvidenceDesk {
  return {
    open: () => desk.open(),
    language: desk.language,
    async run(call: VerbCall) {
      const run = await desk.run(call);
      if (!("refused" in run)) lookups.push(await noteLookup(call, run.output, ports));
      return run;
    },
  };
}
