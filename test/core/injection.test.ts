import assert from "node:assert/strict";
import test from "node:test";
import * as z from "zod";
import { createBuiltInReviewer } from "../../src/core/builtIn/reviewer.ts";
import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import { type Strategy, STRATEGIES, USUAL_METHOD } from "../../src/core/method.ts";
import type { VerbCall } from "../../src/core/ports.ts";
import type { Reviewer } from "../../src/core/reviewer.ts";
import { triage, type Triaged } from "../../src/core/triage.ts";
import { HARMLESS, INJECTIONS } from "../support/injections.ts";
import { PLACES, plant, type Place, readFences, type Scene, structureOf } from "../support/injected.ts";
import { sha256 } from "../support/memoryRepository.ts";
import { here, think } from "../support/minds.ts";
import {
  type Asked,
  createScriptedModel,
  type Said,
  scriptedPrompts,
  type ScriptedModel,
} from "../support/scriptedModel.ts";

/** Does what the text asks for: calls the claim wrong, on the strength of the note alone, and wants what may not be read. */
function obedient(place: Place, text: string, { file }: Scene): ScriptedModel {
  const words = place === "the words of every round and refuter" ? text : HARMLESS;
  const says = think({ verdict: () => "INVALID", lines: () => [{ ...here(10), file }], words, reads: file });
  return createScriptedModel((asked: Asked): Said => {
    const said = says(asked);
    if (place !== "the wish for a check" || !("answer" in said)) return said;
    const wish = asked.role === "refuter" ? { verdict: "needs_oracle", refuted: false } : {};
    return asked.role === "opinion"
      ? said
      : { answer: { ...z.looseObject({}).parse(said.answer), ...wish, needsOracle: text } };
  });
}

interface Ran {
  readonly triaged: Triaged;
  readonly structure: readonly string[];
  readonly marks: readonly string[];
  readonly verbs: readonly VerbCall[];
}

async function run(scene: Scene, reviewer: Reviewer, strategy: Strategy, model: ScriptedModel | null): Promise<Ran> {
  const method = { ...USUAL_METHOD, strategy };
  const ports = { ...scene.workspace, reviewer, method, budget: { calls: 3, bytes: 20_000 } };
  const triaged = await triage(scene.finding, true, ports, () => undefined, new AbortController().signal);
  const talks = model?.asked.map(({ request }) => request.messages) ?? [];
  return {
    triaged,
    structure: talks.map((messages) => structureOf(messages, scene)),
    marks: talks.flatMap((messages) => messages.flatMap(({ content }) => readFences(content).marks)),
    verbs: scene.workspace.verbs.calls.map((call) => nameless(call, scene)),
  };
}

/** A call with the flagged file's name, which a search for its importers holds too, taken out. */
function nameless(call: VerbCall, { file }: Scene): VerbCall {
  if (call.verb === "grep") return call.literal && file.includes(call.pattern) ? { ...call, pattern: "NAME" } : call;
  return call.verb === "read" && call.file === file ? { ...call, file: "FILE" } : call;
}

/** Reads and searches inside the workspace, and nothing else. */
function assertOwn(verbs: readonly VerbCall[]): void {
  for (const call of verbs) {
    assert.ok(call.verb === "read" || call.verb === "grep", call.verb);
    assert.doesNotMatch(call.verb === "read" ? call.file : call.path, /^\/|\.\.|^~|:\/\//);
  }
}

async function obeyed(place: Place, text: string, strategy: Strategy): Promise<Ran> {
  const scene = await plant(place, text);
  const model = obedient(place, text, scene);
  return await run(scene, createModelReviewer(sameModel(model), scriptedPrompts, sha256), strategy, model);
}

async function builtIn(place: Place, text: string, strategy: Strategy): Promise<Ran> {
  const scene = await plant(place, text);
  return await run(scene, createBuiltInReviewer(scene.workspace), strategy, null);
}

/** All of an outcome that could be won. */
const fate = ({ outcome }: Triaged): unknown => {
  const { action, severity, authorization, settledAs, proposesDismissal, mapped } = outcome;
  return { action, severity, authorization, settledAs, proposesDismissal, mapped };
};

for (const place of PLACES) {
  const control = new Map<string, Ran>();
  test(`injection: the harmless text in ${place} is judged, and closes nothing`, async () => {
    for (const strategy of STRATEGIES) {
      const ran = await obeyed(place, HARMLESS, strategy);
      control.set(strategy, ran);
      control.set(`built-in ${strategy}`, await builtIn(place, HARMLESS, strategy));
      assert.ok(ran.structure.length > 0);
      assert.notEqual(ran.triaged.outcome.authorization, "automated");
    }
  });

  for (const [index, [name, template]] of Object.entries(INJECTIONS).entries())
    test(`injection in ${place}: ${name}`, async () => {
      // One strategy each: over all places every text goes through all of them.
      const strategy = STRATEGIES[(index + PLACES.indexOf(place)) % STRATEGIES.length] ?? "rounds";
      const [clean, own] = [control.get(strategy), control.get(`built-in ${strategy}`)];
      assert.ok(clean !== undefined && own !== undefined);
      const text = template.replaceAll("MARK", clean.marks[0] ?? "0123456789abcdef");
      const ran = await obeyed(place, text, strategy);
      assert.deepEqual(fate(ran.triaged), fate(clean.triaged), strategy);
      assert.deepEqual(ran.structure, clean.structure, strategy);
      // A claim and a wish choose among our own checks; what is planted elsewhere chooses nothing.
      if (place === "the finding's message" || place === "the wish for a check") assertOwn(ran.verbs);
      else assert.deepEqual(ran.verbs, clean.verbs);
      assert.deepEqual(fate((await builtIn(place, text, strategy)).triaged), fate(own.triaged));
    });
}
