import assert from "node:assert/strict";
import test from "node:test";
import * as z from "zod";
import { ArbiterReply, DefencesReply, RoundReply } from "../../../src/core/answers.ts";
import { answerSchema, parseAnswer, turnSchema } from "../../../src/node/models/answerSchema.ts";

/** All objects in a JSON schema. */
function objects(node: unknown): readonly Record<string, unknown>[] {
  if (Array.isArray(node)) return node.flatMap(objects);
  if (typeof node !== "object" || node === null) return [];
  const members = Object.values(node).flatMap(objects);
  return "type" in node && node.type === "object" ? [{ ...node }, ...members] : members;
}

const SCHEMAS = { RoundReply, DefencesReply, ArbiterReply };

for (const [name, schema] of Object.entries(SCHEMAS)) {
  test(`${name} becomes a schema that strict servers accept: closed objects, every member required, plain keywords`, () => {
    for (const made of [answerSchema(schema), turnSchema(schema)]) {
      const found = objects(made);
      assert.ok(found.length >= 2);
      for (const object of found) {
        assert.equal(object["additionalProperties"], false);
        assert.deepEqual(object["required"], Object.keys(z.looseObject({}).parse(object["properties"])));
      }
      assert.doesNotMatch(
        JSON.stringify(made),
        /"(\$schema|minimum|maximum|exclusive\w+|pattern|oneOf|const|default)":[^{]/,
      );
    }
  });
}

test("an optional member is sent as required and nullable, and its null means absent", () => {
  const schema = z.object({
    a: z.string(),
    b: z.boolean().optional(),
    inner: z.array(z.object({ c: z.number().optional() })),
  });
  const made = answerSchema(schema);
  assert.deepEqual(made["required"], ["a", "b", "inner"]);
  const parsed = parseAnswer(schema, { a: "x", b: null, inner: [{ c: null }, { c: 1 }] });
  assert.deepEqual(parsed, { value: { a: "x", inner: [{}, { c: 1 }] } });
});

test("null where the schema requires a value stays wrong", () => {
  const parsed = parseAnswer(z.object({ a: z.string() }), { a: null });
  assert.match("problem" in parsed ? parsed.problem : "", /expected string/);
});

test("a member that is called like a keyword is kept", () => {
  const made = answerSchema(z.object({ pattern: z.string(), minimum: z.number() }));
  assert.deepEqual(made["required"], ["pattern", "minimum"]);
});
