import type { ZodType } from "zod";
import { ArbiterReply, DefencesReply, RoundReply } from "./answers.ts";
import { renderPacket } from "./packet.ts";
import type { Hash, Model, ModelCall, ModelMessage, Prompts } from "./ports.ts";
import type { ArbiterTask, EvidenceDesk, Given, Reviewer, RoundTask } from "./reviewer.ts";
import type { Question, Round } from "./round.ts";

/** The prompt file of each question. */
export const PROMPT_OF = {
  premise: "round-1-premise",
  defences: "round-2-defences",
  missed: "round-3-missed",
} as const satisfies Record<Question, Parameters<Prompts>[0]>;

/** Turns of one conversation beyond the evidence budget: the answer, one re-ask, and room for one refused request. */
const SPARE_TURNS = 4;

/** A reviewer that asks a model. The rules and the packet open every conversation of a finding, so caches of servers hit. */
export function createModelReviewer(model: Model, prompts: Prompts, hash: Hash): Reviewer {
  const open = (task: RoundTask | ArbiterTask, parts: readonly string[]): ModelMessage[] => [
    { role: "system", content: prompts("rules").body },
    { role: "user", content: [renderPacket(task.packet, hash), ...parts].join("\n\n") },
  ];
  return {
    identity: model.identity,
    async round(task) {
      const parts = [...task.earlier.map((round) => tellRound(round, hash)), prompts(PROMPT_OF[task.question]).body];
      if (task.question !== "defences") return await converse(model, open(task, parts), RoundReply, "round", task);
      return await converse(model, open(task, parts), DefencesReply, "defences", task);
    },
    async arbiter(task) {
      const parts = [...task.rounds.map((round) => tellRound(round, hash)), prompts("arbiter").body];
      return await converse(model, open(task, parts), ArbiterReply, "arbiter", task);
    },
  };
}

/** An earlier round as later ones and the arbiter read it: its words are data too. */
function tellRound(round: Round, hash: Hash): string {
  const title = `Round ${round.n} (${round.question})`;
  if (round.kind === "abstained") return `${title} gave no answer that counts.`;
  const lines = [
    `verdict: ${round.verdict}${round.note === null ? "" : ` (${round.note})`}`,
    `crux: ${round.crux}`,
    `reasoning: ${round.reasoning}`,
    ...round.citations.map((c) => `${c.ok ? "re-read" : "NOT FOUND"} ${c.file}:${c.line}: ${c.ok ? c.shown : c.quote}`),
  ];
  const mark = hash(lines.join("\n")).slice(0, 16);
  return `<<<ROUND ${mark}\n${title}\n${lines.join("\n")}\n${mark} ROUND>>>`;
}

async function converse<T>(
  model: Model,
  opening: readonly ModelMessage[],
  schema: ZodType<T>,
  schemaName: string,
  task: RoundTask | ArbiterTask,
): Promise<Given<T>> {
  const messages = [...opening];
  let asked = false;
  for (let turn = 0; turn < 64; turn += 1) {
    const tools = task.desk.open() && turn < 64 - SPARE_TURNS;
    const reply = await model.ask({ messages, schema, schemaName, tools }, task.signal);
    task.signal.throwIfAborted();
    task.spent(reply.usage);
    if (reply.kind === "answered") return { kind: "gave", answer: reply.value };
    if (reply.kind === "refused") return { kind: "abstained", reason: `the model refused: ${reply.reason}` };
    if (reply.kind === "failed") return { kind: "abstained", reason: reply.reason };
    if (reply.kind === "wants") {
      messages.push({ role: "assistant", content: reply.content, calls: reply.calls });
      for (const call of reply.calls) messages.push(await answerCall(call, task.desk));
      continue;
    }
    if (asked) return { kind: "abstained", reason: `its answer was malformed twice: ${reply.problem}` };
    asked = true;
    messages.push(
      { role: "assistant", content: reply.raw, calls: [] },
      {
        role: "user",
        content: `That answer does not fit the required form: ${reply.problem}\nAnswer again in exactly that form.`,
      },
    );
  }
  return { kind: "abstained", reason: "it asked for evidence without end" };
}

async function answerCall(call: ModelCall, desk: EvidenceDesk): Promise<ModelMessage> {
  const say = (content: string): ModelMessage => ({ role: "evidence", callId: call.callId, content });
  if (call.call === null) return say(`The request could not be understood: ${call.problem ?? "no reason given"}`);
  const run = await desk.run(call.call);
  if ("refused" in run) return say(run.refused);
  return say(run.error === null ? run.output : `It could not be run: ${run.error}`);
}
