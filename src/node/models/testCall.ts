import * as z from "zod";
import type { Model, ModelReply } from "../../core/ports.ts";
import type { TestModelResult } from "../../protocol/modelSetup.ts";
import { abilitiesOf } from "./probe.ts";
import { startMeter } from "./server.ts";
import { createServerModel, serverOf, type ServerModelOptions } from "./serverModel.ts";
import { UNKNOWN_TRAITS } from "./serverTraits.ts";

const Answer = z.object({ verdict: z.enum(["VALID", "INVALID"]), reasoning: z.string() });

// Nothing of a workspace is in it: a test call needs no consent to send code.
const QUESTION =
  "Claim: after `const total = price * 2;` the value of `total` is twice that of `price`.\n" +
  "Answer with verdict VALID where the claim is true, INVALID where it is not, and one sentence of reasoning.";

/** A test call: how long it took, and what came back. */
interface Tried {
  readonly reply: ModelReply<z.output<typeof Answer>>;
  readonly milliseconds: number;
}

async function ask(model: Model, now: ServerModelOptions["now"], signal: AbortSignal): Promise<Tried> {
  const started = now().getTime();
  const messages = [{ role: "user", content: QUESTION } as const];
  const reply = await model.ask({ messages, schema: Answer, schemaName: "test", tools: false }, signal);
  return { reply, milliseconds: now().getTime() - started };
}

/**
 * Tries a server's model: what it can do is probed anew, whatever was known, and one question is asked. In sentences for a
 * person. Rejects only with the signal's reason.
 */
export async function testServer(options: ServerModelOptions, signal: AbortSignal): Promise<TestModelResult> {
  const server = serverOf(options);
  server.traits.set(UNKNOWN_TRAITS);
  const abilities = abilitiesOf(server);
  const meter = startMeter();
  for (const ability of ["schema", "functions"] as const) {
    const able = await abilities.can(ability, meter, signal);
    if (typeof able !== "boolean") return { kind: "fails", why: able.reason };
  }
  const tried = await ask(createServerModel(options), options.now, signal);
  const problem = problemOf(tried);
  if (problem !== null) return { kind: "fails", why: problem };
  const { schema, functions } = server.traits.get();
  return {
    kind: "works",
    words: [speed(tried), formWords(schema === true, functions === true), usageWords(tried), ...doubt(tried)],
  };
}

/** Tries one of the editor's models, which always answer by tool calls. */
export async function testEditorModel(
  model: Model,
  now: ServerModelOptions["now"],
  signal: AbortSignal,
): Promise<TestModelResult> {
  const tried = await ask(model, now, signal);
  const problem = problemOf(tried);
  if (problem !== null) return { kind: "fails", why: problem };
  const words = [
    speed(tried),
    "It answers and asks for evidence by calling tools.",
    "The editor does not tell what a call costs: tokens of this model are not counted.",
  ];
  return { kind: "works", words: [...words, ...doubt(tried)] };
}

function problemOf({ reply }: Tried): string | null {
  switch (reply.kind) {
    case "failed":
    case "refused":
      return reply.reason;
    case "malformed":
      return `It answers, but not in the form it was asked for: ${reply.problem} Choose a larger model, or one that follows instructions.`;
    case "wants":
      return "It asked for evidence where none was offered. Choose another model.";
    default:
      return null;
  }
}

function speed({ reply, milliseconds }: Tried): string {
  const seconds =
    milliseconds < 950 ? `${Math.max(1, Math.round(milliseconds / 10)) / 100}` : (milliseconds / 1000).toFixed(1);
  const { completion } = reply.usage;
  const rate = completion > 0 && milliseconds > 0 ? Math.round((completion * 1000) / milliseconds) : 0;
  return rate > 0 ? `It answered in ${seconds} s, about ${rate} tokens a second.` : `It answered in ${seconds} s.`;
}

function formWords(schema: boolean, functions: boolean): string {
  const evidence = functions
    ? "It asks for evidence by calling functions."
    : "It calls no functions: it asks for evidence in its answers.";
  if (schema) return `The server holds its answers to a JSON schema. ${evidence}`;
  if (functions) return `The server ignores JSON schemas: answers come as function calls. ${evidence}`;
  return `The server holds answers to no form: they are asked for in words and checked here, and more of them will have to be asked for again. ${evidence}`;
}

function usageWords({ reply }: Tried): string {
  return reply.usage.prompt > 0
    ? "It reports the tokens it used."
    : "It does not report tokens: cost and budget cannot be counted for it.";
}

/** A model that fails this question may fail any. */
function doubt({ reply }: Tried): readonly string[] {
  return reply.kind === "answered" && reply.value.verdict !== "VALID"
    ? ["Its answer to the test question was wrong: expect weak verdicts."]
    : [];
}
