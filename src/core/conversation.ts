import type { ZodType } from "zod";
import {
  ArbiterReply,
  ArbitersForm,
  ArbitersReply,
  DefencesReply,
  JudgeForm,
  OpinionForm,
  OpinionReply,
  RefuterForm,
  RefuterReply,
  RoundReply,
} from "./answers.ts";
import { fenceData, oneLine } from "./fence.ts";
import { renderPacket } from "./packet.ts";
import type { Hash, Model, ModelCall, ModelMessage, ModelReply, Prompts } from "./ports.ts";
import { roundPrompt } from "./promptIds.ts";
import type {
  ArbiterAnswer,
  ArbiterTask,
  EvidenceDesk,
  Given,
  OpinionTask,
  RefuteTask,
  Reviewer,
  RoundTask,
} from "./reviewer.ts";
import { tellAsked, tellImpact, tellLens, tellObjection, tellRound } from "./telling.ts";

/** Turns in which a model may ask in vain (nothing left in the budget, or a request nobody understands) before it abstains. */
const VAIN_TURNS = 3;

/** Who answers in which role; `fallback` is asked where another refuses, once. */
export interface RoleModels {
  /** Rounds and refuters. */
  readonly rounds: Model;
  readonly arbiter: Model;
  readonly secondOpinion: Model;
  readonly fallback: Model | null;
}

/** One model for all roles. */
export function sameModel(model: Model): RoleModels {
  return { rounds: model, arbiter: model, secondOpinion: model, fallback: null };
}

type AnyTask = RoundTask | ArbiterTask | RefuteTask | OpinionTask;

/** What one role's answer is read by. */
interface Form<T> {
  readonly schema: ZodType<T>;
  readonly wire: ZodType;
  readonly name: string;
}

/** A reviewer that asks models. The rules and the packet open every conversation of a finding, so caches of servers hit. */
export function createModelReviewer(models: RoleModels, prompts: Prompts, hash: Hash): Reviewer {
  const open = (task: AnyTask, parts: readonly string[]): ModelMessage[] => [
    { role: "system", content: prompts("rules").body },
    { role: "user", content: [renderPacket(task.packet, hash), ...parts, ...tellAsked(task.asked, hash)].join("\n\n") },
  ];
  const ask = async <T>(model: Model, task: AnyTask, messages: ModelMessage[], shape: Form<T>): Promise<Given<T>> => {
    const given = await converse(model, messages, shape, task, hash);
    const { fallback } = models;
    if (!given.refused || fallback === null) return nameOther(given, model, models.rounds);
    const second = await converse(fallback, messages, shape, task, hash);
    return second.kind === "gave" ? { ...second, by: fallback.identity } : nameOther(given, model, models.rounds);
  };
  return {
    identity: models.rounds.identity,
    models: [
      models.rounds,
      models.arbiter,
      models.secondOpinion,
      ...(models.fallback === null ? [] : [models.fallback]),
    ].map(({ identity }) => identity),
    async round(task) {
      const told = task.earlier.map((round) => tellRound(round, hash));
      const messages = open(task, [...told, prompts(roundPrompt(task.question, task.topic)).body]);
      if (task.question !== "defences")
        return await ask(models.rounds, task, messages, form("round", RoundReply, JudgeForm));
      return await ask(models.rounds, task, messages, form("defences", DefencesReply, JudgeForm));
    },
    async arbiter(task) {
      const told = task.rounds.map((round) => tellRound(round, hash));
      return await ask(
        models.arbiter,
        task,
        open(task, [...told, prompts("arbiter").body]),
        form("arbiter", ArbiterReply, JudgeForm),
      );
    },
    arbiters: async (tasks, signal) => await askArbiters(models, tasks, prompts, hash, signal),
    async refute(task) {
      const messages = open(task, [prompts("refute").body, tellLens(task, prompts)]);
      return await ask(models.rounds, task, messages, form("refuter", RefuterReply, RefuterForm));
    },
    async opinion(task) {
      const messages = open(task, [prompts("verdict").body, tellImpact(task.intent)]);
      if (task.rebuttal !== null) messages.push(...tellObjection(task.rebuttal, prompts, hash));
      return await ask(models.secondOpinion, task, messages, form("opinion", OpinionReply, OpinionForm));
    },
  };
}

function form<T>(name: string, schema: ZodType<T>, wire: ZodType): Form<T> {
  return { name, schema, wire };
}

function nameOther<T>(given: Spoken<T>, model: Model, usual: Model): Given<T> {
  const { refused: _refused, ...plain } = given;
  return model === usual ? plain : { ...plain, by: model.identity };
}

/**
 * One request about several claims (C11). Each keeps its own fences, and an answer is taken by the id of its claim; a claim without one
 * has an abstention, so that it can be asked about alone.
 */
async function askArbiters(
  models: RoleModels,
  tasks: readonly ArbiterTask[],
  prompts: Prompts,
  hash: Hash,
  signal: AbortSignal,
): Promise<readonly Given<ArbiterAnswer>[]> {
  const claims = tasks.map(({ packet, rounds }) =>
    [`# Claim ${packet.key}`, renderPacket(packet, hash), ...rounds.map((round) => tellRound(round, hash))].join(
      "\n\n",
    ),
  );
  const ids = tasks.map(({ packet }) => packet.key).join(", ");
  const several = `There are ${tasks.length} claims: ${ids}. They have nothing to do with each other: answer each by its claimId, from its own packet and rounds alone.`;
  const messages: ModelMessage[] = [
    { role: "system", content: prompts("rules").body },
    { role: "user", content: [...claims, prompts("arbiter").body, several].join("\n\n") },
  ];
  const request = { messages, schema: ArbitersReply, wire: ArbitersForm, schemaName: "arbiters", tools: false };
  const { arbiter: model, rounds: usual } = models;
  const reply = await model.ask(request, signal);
  const share = (tokens: number): number => Math.round(tokens / tasks.length);
  for (const [index, { spent }] of tasks.entries())
    spent(
      { prompt: share(reply.usage.prompt), completion: share(reply.usage.completion) },
      index === 0 ? 1 : 0,
      model.identity,
    );
  const answers = reply.kind === "answered" ? reply.value.answers : [];
  return tasks.map(({ packet }): Given<ArbiterAnswer> => {
    const own = answers.filter(({ claimId }) => claimId === packet.key);
    const [answer] = own;
    if (answer === undefined || own.length > 1)
      return { kind: "abstained", reason: "it was not answered together with others" };
    const { claimId: _claimId, ...said } = answer;
    return nameOther({ kind: "gave", answer: said }, model, usual);
  });
}

type Spoken<T> = Given<T> & { readonly refused?: boolean };

async function converse<T>(
  model: Model,
  opening: readonly ModelMessage[],
  { schema, wire, name }: Form<T>,
  task: AnyTask,
  hash: Hash,
): Promise<Spoken<T>> {
  const messages = [...opening];
  let asked = false;
  // Turns that run a verb are bounded by the desk, the others by this count: the loop ends.
  for (let vain = 0; vain < VAIN_TURNS;) {
    const tools = task.desk.open();
    const { urgency, finding, signal } = task;
    const request = { messages: [...messages], schema, wire, schemaName: name, tools, urgency, about: finding.key };
    const reply = await model.ask(request, signal);
    task.signal.throwIfAborted();
    task.spent(reply.usage, 1, model.identity);
    const ended = endOf(reply, asked);
    if (ended !== null) return ended;
    if (reply.kind === "wants") {
      messages.push({ role: "assistant", content: reply.content, calls: reply.calls });
      let ran = false;
      for (const call of reply.calls) {
        const { message, done } = await answerCall(call, task.desk, hash);
        messages.push(message);
        ran ||= done;
      }
      if (!ran) vain += 1;
    } else if (reply.kind === "malformed") {
      asked = true;
      messages.push(
        { role: "assistant", content: reply.raw, calls: [] },
        { role: "user", content: reask(reply.problem) },
      );
    }
  }
  return { kind: "abstained", reason: "it went on asking for evidence that it could not get" };
}

/** How a reply ends the conversation; null where it goes on. A malformed answer is asked for once more (C19). */
function endOf<T>(reply: ModelReply<T>, asked: boolean): Spoken<T> | null {
  if (reply.kind === "answered") return { kind: "gave", answer: reply.value };
  if (reply.kind === "refused")
    return { kind: "abstained", reason: `the model refused: ${reply.reason}`, refused: true };
  if (reply.kind === "failed") return { kind: "abstained", reason: reply.reason };
  if (reply.kind === "malformed" && asked)
    return { kind: "abstained", reason: `its answer was malformed twice: ${reply.problem}` };
  return null;
}

function reask(problem: string): string {
  return `That answer does not fit the required form: ${problem}\nAnswer again in exactly that form.`;
}

/** Runs one request for evidence; `done` is false where nothing was run. Output goes back as data. */
async function answerCall(
  call: ModelCall,
  desk: EvidenceDesk,
  hash: Hash,
): Promise<{ message: ModelMessage; done: boolean }> {
  const say = (content: string, done: boolean): { message: ModelMessage; done: boolean } => {
    return { message: { role: "evidence", callId: call.callId, content }, done };
  };
  if (call.call === null)
    return say(`The request could not be understood: ${oneLine(call.problem ?? "no reason given")}`, false);
  const run = await desk.run(call.call);
  if ("refused" in run) return say(run.refused, false);
  if (run.error !== null) return say(`It could not be run: ${oneLine(run.error)}`, true);
  const notes = run.notes.length === 0 ? "" : `\nNote of the program: ${oneLine(run.notes.join("; "), 2000)}.`;
  return say(`${fenceData("EVIDENCE", run.output, hash)}${notes}`, true);
}
