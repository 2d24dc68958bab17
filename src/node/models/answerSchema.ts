import * as z from "zod";
import type { ZodType } from "zod";
import { verbEntrySchema } from "./verbCalls.ts";

/** A JSON schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// What grammar builders and strict modes refuse or ignore; zod checks these after the answer is in.
const REMOVED: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "default",
  "propertyNames",
  "examples",
]);

const record = z.record(z.string(), z.unknown());

function asRecord(value: unknown): Record<string, unknown> | null {
  const parsed = record.safeParse(value);
  return parsed.success && !Array.isArray(value) ? parsed.data : null;
}

function mapRecord(value: unknown, change: (member: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(asRecord(value) ?? {}).map(([name, member]) => [name, change(member, name)]),
  );
}

/** Every object closed, every member required (an optional one may be null instead), no keyword a server chokes on. */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  const source = asRecord(node);
  if (source === null) return node;
  const required = new Set(z.array(z.string()).catch([]).parse(source["required"]));
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (REMOVED.has(key)) continue;
    if (key === "properties") {
      result[key] = mapRecord(value, (member, name) => (required.has(name) ? strict(member) : orNull(strict(member))));
    } else if (key === "definitions" || key === "$defs") result[key] = mapRecord(value, strict);
    else if (key === "const") result["enum"] = [value];
    // Strict modes know anyOf only; our unions never overlap, so it means the same.
    else if (key === "oneOf") result["anyOf"] = strict(value);
    else if (key === "enum" || key === "required") result[key] = value;
    else result[key] = strict(value);
  }
  if (asRecord(source["properties"]) !== null) {
    result["required"] = Object.keys(asRecord(source["properties"]) ?? {});
    result["additionalProperties"] = false;
  }
  return result;
}

function orNull(schema: unknown): unknown {
  return { anyOf: [schema, { type: "null" }] };
}

const draft7 = once((schema) =>
  record.parse(z.toJSONSchema(schema, { target: "draft-7", io: "input", unrepresentable: "any" })),
);

/** The JSON schema a server is given for an answer. */
export const answerSchema = once((schema) => record.parse(strict(draft7(schema))));

/** Works out once for each schema: all findings are asked with the same few. */
function once(make: (schema: ZodType) => JsonSchema): (schema: ZodType) => JsonSchema {
  const made = new WeakMap<ZodType, JsonSchema>();
  return (schema) => {
    const known = made.get(schema) ?? make(schema);
    made.set(schema, known);
    return known;
  };
}

/** The schema of a turn in which the model either asks for evidence or answers: `{request: [...] | null, answer: {...} | null}`. */
export function turnSchema(schema: ZodType): JsonSchema {
  const { definitions, ...answer } = answerSchema(schema);
  return {
    type: "object",
    properties: { request: orNull({ type: "array", items: verbEntrySchema() }), answer: orNull(answer) },
    required: ["request", "answer"],
    additionalProperties: false,
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** Undoes what `strict` did to optional members: null where the schema has the member optional means absent. */
function withoutFillers(value: unknown, schema: unknown): unknown {
  const node = asRecord(schema);
  if (Array.isArray(value)) return value.map((member) => withoutFillers(member, node?.["items"]));
  const members = asRecord(value);
  const properties = asRecord(node?.["properties"]);
  if (members === null || properties === null) return value;
  const required = new Set(z.array(z.string()).catch([]).parse(node?.["required"]));
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name, member]) => member !== null || required.has(name) || !(name in properties))
      .map(([name, member]) => [name, withoutFillers(member, properties[name])]),
  );
}

/** Validates a parsed answer; on failure `problem` says for the model what is wrong with it. */
export function parseAnswer<T>(schema: ZodType<T>, value: unknown): { value: T } | { problem: string } {
  const parsed = schema.safeParse(withoutFillers(value, draft7(schema)));
  return parsed.success ? { value: parsed.data } : { problem: z.prettifyError(parsed.error) };
}
