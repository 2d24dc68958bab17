import type { ZodType } from "zod";
import { ArbiterReply, DefencesReply, RoundReply } from "./answers.ts";
import { fenceData, renderPacket } from "./packet.ts";
import type { Hash, Model, ModelCall, ModelMessage, Prompts } from "./ports.ts";
import type { ArbiterTask, EvidenceDesk, Given, Reviewer, RoundTask } from "./reviewer.ts";
import type { Question, Round } from "./round.ts";

/** The prompt file of each question. */
export const PROMPT_OF = {
  premise: "round-1-premise",
  defences: "round-2-defences",
  missed: "round-3-missed",
} as const satisfies Record<Question, Parameters<Prompts>[0]>;

/** Turns in which a model may ask in vain (nothing left in the budget, or a request nobody understands) before it abstains. */
const VAIN_TURNS = 3;

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
      if (task.question !== "defences")
        return await converse(model, open(task, parts), RoundReply, "round", task, hash);
      return await converse(model, open(task, parts), DefencesReply, "defences", task, hash);
    },
    async arbiter(task) {
      const parts = [...task.rounds.map((round) => tellRound(round, hash)), prompts("arbiter").body];
      return await converse(model, open(task, parts), ArbiterReply, "arbiter", task, hash);
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
  return fenceData("ROUND", [title, ...lines].join("\n"), hash);
}

async function converse<T>(
  model: Model,
  opening: readonly ModelMessage[],
  schema: ZodType<T>,
  schemaName: string,
  task: RoundTask | ArbiterTask,
  hash: Hash,
): Promise<Given<T>> {
  const messages = [...opening];
  let asked = false;
  // Turns that run a verb are bounded by the desk, the others by this count: the loop ends.
  for (let vain = 0; vain < VAIN_TURNS;) {
    const tools = task.desk.open();
    const { urgency, finding, signal } = task;
    const request = { messages: [...messages], schema, schemaName, tools, urgency, about: finding.key };
    const reply = await model.ask(request, signal);
    task.signal.throwIfAborted();
    task.spent(reply.usage);
    if (reply.kind === "answered") return { kind: "gave", answer: reply.value };
    if (reply.kind === "refused") return { kind: "abstained", reason: `the model refused: ${reply.reason}` };
    if (reply.kind === "failed") return { kind: "abstained", reason: reply.reason };
    if (reply.kind === "wants") {
      messages.push({ role: "assistant", content: reply.content, calls: reply.calls });
      let ran = false;
      for (const call of reply.calls) {
        const { message, done } = await answerCall(call, task.desk, hash);
        messages.push(message);
        ran ||= done;
      }
      if (!ran) vain += 1;
      continue;
    }
    if (asked) return { kind: "abstained", reason: `its answer was malformed twice: ${reply.problem}` };
    asked = true;
    messages.push(
      { role: "assistant", content: reply.raw, calls: [] },
      { role: "user", content: reask(reply.problem) },
    );
  }
  return { kind: "abstained", reason: "it went on asking for evidence that it could not get" };
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
    return say(`The request could not be understood: ${call.problem ?? "no reason given"}`, false);
  const run = await desk.run(call.call);
  if ("refused" in run) return say(run.refused, false);
  return say(run.error === null ? fenceData("EVIDENCE", run.output, hash) : `It could not be run: ${run.error}`, true);
}
