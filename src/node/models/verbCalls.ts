import * as z from "zod";
import type { ModelCall, VerbCall } from "../../core/ports.ts";
import { VERB_OF_NAME, VERBS, verbNames } from "../verbs/table.ts";

/** A function a model may call, as JSON schema. */
export interface FunctionShape {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The evidence functions, in strict form: every member required, nothing else allowed. */
export const EVIDENCE_FUNCTIONS: readonly FunctionShape[] = verbNames().map((verb) => {
  const { names, description, members } = VERBS[verb];
  const [name] = names;
  const required = Object.keys(members);
  return {
    name,
    description,
    parameters: { type: "object", properties: members, required, additionalProperties: false },
  };
});

/** The evidence functions in words: `read_file`, `search` and so on. */
export function functionNames(): string {
  const names = EVIDENCE_FUNCTIONS.map(({ name }) => `\`${name}\``);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** One entry of `request` of each kind, as JSON with the meaning of each member in place of its value. */
export function entryExamples(): string {
  return verbNames()
    .map((verb) => {
      const { names, members } = VERBS[verb];
      const parts = Object.entries(members).map(([name, { description }]) => `"${name}": ${description}`);
      return `{${[`"verb": "${names[0]}"`, ...parts].join(", ")}}`;
    })
    .join(" or ");
}

/** The JSON schema of one entry of `request` in the request/answer turn: a function's arguments beside its name in `verb`. */
export function verbEntrySchema(): Readonly<Record<string, unknown>> {
  return {
    anyOf: EVIDENCE_FUNCTIONS.map(({ name, parameters }) => {
      const properties = {
        verb: { type: "string", enum: [name] },
        ...z.looseObject({}).parse(parameters["properties"]),
      };
      return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
    }),
  };
}

function parseArguments(name: string, value: unknown): { call: VerbCall } | { problem: string } {
  const verb = VERB_OF_NAME.get(name);
  if (verb === undefined) return { problem: `there is no function "${name.slice(0, 60)}"; use ${functionNames()}` };
  const parsed = VERBS[verb].arguments.safeParse(value);
  return parsed.success ? { call: parsed.data } : { problem: `${name}: ${z.prettifyError(parsed.error)}` };
}

function toCall(callId: string, raw: string, parsed: { call: VerbCall } | { problem: string }): ModelCall {
  return "call" in parsed
    ? { callId, call: parsed.call, problem: null, raw }
    : { callId, call: null, problem: parsed.problem, raw };
}

/** A function call as a server reported it, parsed into a verb. `raw` keeps name and arguments: `read_file({"file":...})`. */
export function callFromFunction(callId: string, name: string, text: string): ModelCall {
  const raw = `${name}(${text})`;
  try {
    return toCall(callId, raw, parseArguments(name, JSON.parse(text)));
  } catch {
    return toCall(callId, raw, { problem: `the arguments of ${name.slice(0, 60)} are not JSON` });
  }
}

/** One entry of `request` in the request/answer turn, parsed into a verb. */
export function callFromEntry(callId: string, entry: unknown): ModelCall {
  const named = z.looseObject({ verb: z.string() }).safeParse(entry);
  if (!named.success) {
    return toCall(callId, JSON.stringify(entry), { problem: `an entry of "request" needs a "verb"` });
  }
  const { verb, ...members } = named.data;
  return toCall(callId, `${verb}(${JSON.stringify(members)})`, parseArguments(verb, members));
}

/** Name and arguments of an earlier call, for the conversation that goes back to a server: the arguments are always valid JSON. */
export function functionOf(call: ModelCall): { readonly name: string; readonly arguments: string } {
  if (call.call !== null) {
    const { verb, ...members } = call.call;
    return { name: VERBS[verb].names[0], arguments: JSON.stringify(members) };
  }
  const parts = /^([\w-]{1,64})\((.*)\)$/s.exec(call.raw);
  // Servers refuse a conversation whose earlier arguments are broken JSON, so broken ones go back empty.
  return { name: parts?.[1] ?? "read_file", arguments: isJsonObject(parts?.[2]) ? (parts?.[2] ?? "{}") : "{}" };
}

function isJsonObject(text: string | undefined): boolean {
  try {
    return z.looseObject({}).safeParse(JSON.parse(text ?? "")).success;
  } catch {
    return false;
  }
}
