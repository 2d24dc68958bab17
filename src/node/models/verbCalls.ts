import * as z from "zod";
import type { ModelCall, VerbCall } from "../../core/ports.ts";

/** The function names a model sees for the two verbs. Older or weaker models fall back to the plain verb names. */
const VERB_OF_NAME: ReadonlyMap<string, VerbCall["verb"]> = new Map([
  ["read_file", "read"],
  ["read", "read"],
  ["search", "grep"],
  ["grep", "grep"],
]);

const line = z.coerce.number().int().min(1);

// Small models leave out what has an obvious meaning and write numbers as text; both are understood, nothing else is.
const readArguments = z.object({ file: z.string().min(1), from: line, to: line });
const searchArguments = z.object({
  pattern: z.string().min(1),
  path: z
    .string()
    .nullish()
    .transform((path) => path ?? "."),
  literal: z
    .boolean()
    .nullish()
    .transform((literal) => literal ?? true),
});

/** A function a model may call, as JSON schema. */
export interface FunctionShape {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function shape(name: string, description: string, properties: Record<string, unknown>): FunctionShape {
  return {
    name,
    description,
    parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
  };
}

/** The two evidence functions, in strict form: every member required, nothing else allowed. */
export const EVIDENCE_FUNCTIONS: readonly FunctionShape[] = [
  shape("read_file", "Read numbered lines of one file of the repository.", {
    file: { type: "string", description: "path relative to the repository root, with /" },
    from: { type: "integer", description: "first line, from 1" },
    to: { type: "integer", description: "last line, inclusive" },
  }),
  shape("search", "Search the repository's files; gives file, line and text of each hit.", {
    pattern: { type: "string", description: "text to find, or a regular expression where literal is false" },
    path: { type: "string", description: "file or folder to search in; . for the whole repository" },
    literal: { type: "boolean", description: "true: pattern is plain text" },
  }),
];

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
  if (verb === undefined) {
    return { problem: `there is no function "${name.slice(0, 60)}"; use read_file or search` };
  }
  if (verb === "read") {
    const parsed = readArguments.safeParse(value);
    if (!parsed.success) return { problem: `${name}: ${z.prettifyError(parsed.error)}` };
    if (parsed.data.to < parsed.data.from) return { problem: `${name}: "to" is smaller than "from"` };
    return { call: { verb, ...parsed.data } };
  }
  const parsed = searchArguments.safeParse(value);
  return parsed.success ? { call: { verb, ...parsed.data } } : { problem: `${name}: ${z.prettifyError(parsed.error)}` };
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
    return { name: verb === "read" ? "read_file" : "search", arguments: JSON.stringify(members) };
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
