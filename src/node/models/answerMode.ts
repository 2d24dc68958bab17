import type { ZodType } from "zod";
import { answerSchema, turnSchema } from "./answerSchema.ts";
import type { Format } from "./requestBody.ts";
import type { Abilities, Failed } from "./probe.ts";
import type { Meter } from "./server.ts";
import { entryExamples, EVIDENCE_FUNCTIONS, functionNames, type FunctionShape, verbEntrySchema } from "./verbCalls.ts";

/**
 * How a request is put to a server. `functions`: evidence and answer are function calls. `answer-function`: the answer is
 * the one function. `schema` and `text`: the answer is JSON in the text, held to a schema by the server or by the prompt
 * alone. `turn`: that JSON is a request/answer turn.
 */
export interface AnswerMode {
  readonly kind: "functions" | "answer-function" | "schema" | "text";
  readonly turn: boolean;
}

/** Finds the best way the server really supports: with evidence, functions before a turn; without, schema, function, text. */
export async function chooseMode(
  tools: boolean,
  abilities: Abilities,
  meter: Meter,
  signal: AbortSignal,
): Promise<AnswerMode | Failed> {
  const order = tools ? (["functions", "schema"] as const) : (["schema", "functions"] as const);
  for (const ability of order) {
    const able = await abilities.can(ability, meter, signal);
    if (typeof able !== "boolean") return able;
    if (able && ability === "schema") return { kind: "schema", turn: tools };
    if (able) return { kind: tools ? "functions" : "answer-function", turn: false };
  }
  return { kind: "text", turn: tools };
}

function answerFunction(schema: ZodType): FunctionShape {
  return { name: "answer", description: "Give your final answer.", parameters: answerSchema(schema) };
}

/** The members of the request that make the server keep to the mode. */
export function formatOf(mode: AnswerMode, schema: ZodType, schemaName: string): Format {
  switch (mode.kind) {
    case "functions":
      return { kind: "functions", functions: [...EVIDENCE_FUNCTIONS, answerFunction(schema)], choice: "required" };
    case "answer-function":
      return { kind: "functions", functions: [answerFunction(schema)], choice: "answer" };
    case "schema":
      return { kind: "schema", name: schemaName, schema: mode.turn ? turnSchema(schema) : answerSchema(schema) };
    default:
      return { kind: "text" };
  }
}

const TURN =
  (): string => `Reply with one JSON object of two members, \`request\` and \`answer\`; exactly one of them is null.
To see code first, set \`request\` to a list of entries and \`answer\` to null. An entry is ${entryExamples()}. The results come in the next message.
When you have seen enough, set \`request\` to null and \`answer\` to your answer.`;

function textInstruction(mode: AnswerMode, schema: ZodType): string {
  if (!mode.turn) {
    return `Reply with one JSON object and nothing else, no fence, no prose. It must match this JSON schema:\n${JSON.stringify(answerSchema(schema))}`;
  }
  return `${TURN()}\nNo fence, no prose. \`answer\` must match this JSON schema:\n${JSON.stringify(answerSchema(schema))}\nEntries of \`request\` must match:\n${JSON.stringify(verbEntrySchema())}`;
}

function formText(mode: AnswerMode, schema: ZodType): string {
  switch (mode.kind) {
    case "functions":
      return `Call ${functionNames()} to see code and its history. Give your answer by calling \`answer\` once, when you have seen enough.`;
    case "answer-function":
      return "Give your answer by calling `answer` once.";
    case "schema":
      return mode.turn ? TURN() : "Reply with the JSON object alone.";
    default:
      return textInstruction(mode, schema);
  }
}

/** What the standing part says about the form of the answer. The same for every finding. */
export function instructionOf(mode: AnswerMode, schema: ZodType): string {
  return `# Form of your reply\n${formText(mode, schema)}`;
}
