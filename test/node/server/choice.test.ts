import assert from "node:assert/strict";
import test from "node:test";
import { type ChoiceParts, chooseReviewer } from "../../../src/node/server/choice.ts";
import { readSettings } from "../../../src/node/server/options.ts";
import type { EditorModelRow } from "../../../src/protocol/models.ts";
import type { WorkerSettings } from "../../../src/protocol/worker.ts";

const FAKE: EditorModelRow = {
  vendor: "fake",
  id: "large/1",
  name: "Fake Large",
  family: "gpt-4.1",
  version: "1",
  maxInputTokens: 64_000,
  access: "granted",
  agreed: true,
};
const SECOND: EditorModelRow = { ...FAKE, id: "second", name: "Fake Second" };
const SERVER = { serverUrl: "http://127.0.0.1:9/v1", serverModel: "m" };

interface Given {
  readonly settings?: Partial<WorkerSettings>;
  readonly rows?: readonly EditorModelRow[];
  readonly parts?: Partial<ChoiceParts>;
  /** What the person says to each origin; Yes where not given. */
  readonly refuses?: readonly string[];
}

/** Chooses, and tells who was asked for consent. */
async function choose({ settings, rows = [], parts, refuses = [] }: Given) {
  const read = readSettings(settings ?? {});
  assert.equal(read.kind, "read");
  const asked: string[] = [];
  const chosen = await chooseReviewer({
    settings: read.kind === "read" ? read.settings : assert.fail(),
    trusted: true,
    startedBy: "person",
    otherModel: false,
    keyOf: (origin) => `key of ${origin}`,
    editorModels: async () => rows,
    consent: async (origin, model) => {
      asked.push(`${origin} ${model}`);
      return !refuses.includes(origin);
    },
    ...parts,
  });
  const what =
    chosen.kind === "refused"
      ? chosen.why
      : chosen.choice.kind === "editor"
        ? `editor ${chosen.choice.row.id}`
        : chosen.choice.kind;
  return { chosen, what, asked };
}

const UNASKED: EditorModelRow = { ...FAKE, access: "unasked", agreed: false };

const CASES: readonly (readonly [string, Given, string | RegExp, readonly string[]])[] = [
  ["auto without anything is the built-in reviewer", {}, "built-in", []],
  ["auto takes the configured server first", { settings: SERVER, rows: [FAKE] }, "server", ["http://127.0.0.1:9 m"]],
  [
    "auto goes on to an editor's model that was agreed to when the server is declined",
    { settings: SERVER, rows: [FAKE], refuses: ["http://127.0.0.1:9"] },
    "editor large/1",
    ["http://127.0.0.1:9 m"],
  ],
  ["auto takes an editor's model that was agreed to before", { rows: [FAKE] }, "editor large/1", []],
  ["auto never asks for one that was not", { rows: [UNASKED] }, "built-in", []],
  [
    "auto never asks where only the editor's own consent is there",
    { rows: [{ ...FAKE, agreed: false }] },
    "built-in",
    [],
  ],
  [
    "auto in an untrusted workspace is built-in",
    { settings: SERVER, rows: [FAKE], parts: { trusted: false } },
    "built-in",
    [],
  ],
  [
    "a set editor's model is asked for once, by vendor, with the model named (ruling 32)",
    { settings: { model: "editor", editorModel: "fake/large/1" }, rows: [SECOND, UNASKED] },
    "editor large/1",
    ["editor:fake Fake Large"],
  ],
  [
    "without a name the first one is taken",
    { settings: { model: "editor" }, rows: [SECOND, FAKE] },
    "editor second",
    [],
  ],
  [
    "a declined vendor is a refusal, not another reviewer",
    { settings: { model: "editor" }, rows: [UNASKED], refuses: ["editor:fake"] },
    /did not allow sending code to the models of fake/,
    ["editor:fake Fake Large"],
  ],
  [
    "a model the editor does not have is refused",
    { settings: { model: "editor", editorModel: "fake/x" }, rows: [FAKE] },
    /does not offer the model fake\/x/,
    [],
  ],
  ["an editor without models is refused", { settings: { model: "editor" } }, /offers no language models/, []],
  [
    "what the editor denies is refused before anybody is asked",
    { settings: { model: "editor" }, rows: [{ ...UNASKED, access: "denied" }] },
    /does not let/,
    [],
  ],
  [
    "a run that nobody started never asks an editor's model for the first time",
    { settings: { model: "editor" }, rows: [UNASKED], parts: { startedBy: "program" } },
    /not asked for the first time by a triage that started by itself/,
    [],
  ],
  [
    "nor where the editor has consent but the person never agreed with us",
    { settings: { model: "editor" }, rows: [{ ...FAKE, agreed: false }], parts: { startedBy: "program" } },
    /not asked for the first time/,
    [],
  ],
  [
    "nor where the person agreed with us but the editor would still ask",
    { settings: { model: "editor" }, rows: [{ ...FAKE, access: "unasked" }], parts: { startedBy: "program" } },
    /not asked for the first time/,
    [],
  ],
  [
    "once both are there it may",
    { settings: { model: "editor" }, rows: [FAKE], parts: { startedBy: "program" } },
    "editor large/1",
    [],
  ],
  [
    "no model is asked in an untrusted workspace",
    { settings: { model: "editor" }, rows: [FAKE], parts: { trusted: false } },
    /trusted workspaces only/,
    [],
  ],
  [
    "a server without a name is refused",
    { settings: { model: "server", serverUrl: "http://x" } },
    /serverUrl, skepticalTriage\.serverModel/,
    [],
  ],
];

for (const [name, given, expected, consents] of CASES)
  test(name, async () => {
    const { what, asked } = await choose(given);
    if (typeof expected === "string") assert.equal(what, expected);
    else assert.match(what, expected);
    assert.deepEqual(asked, consents);
  });

test("each role gets its own model, with a consent for each origin, and its own key", async () => {
  const roles: WorkerSettings["roles"] = {
    arbiter: { serverUrl: "https://arbiter.example/v1", serverModel: "big" },
    secondOpinion: { editorModel: "fake/second" },
  };
  const { chosen, asked } = await choose({
    settings: { ...SERVER, model: "server", roles },
    rows: [FAKE, { ...SECOND, agreed: false }],
  });
  assert.ok(chosen.kind === "chosen");
  assert.deepEqual(chosen.roles.arbiter, {
    kind: "server",
    url: "https://arbiter.example/v1",
    model: "big",
    apiKey: "key of https://arbiter.example",
  });
  assert.equal(chosen.roles.secondOpinion?.kind === "editor" && chosen.roles.secondOpinion.row.id, "second");
  assert.deepEqual(asked, ["http://127.0.0.1:9 m", "https://arbiter.example big", "editor:fake Fake Second"]);
  assert.deepEqual(chosen.notes, []);
});

test("a role whose model is not allowed falls to the model of the rounds, and it is said which and why", async () => {
  const roles: WorkerSettings["roles"] = {
    arbiter: { serverUrl: "https://arbiter.example/v1", serverModel: "big" },
    fallback: { editorModel: "gone/model" },
  };
  const { chosen } = await choose({
    settings: { ...SERVER, model: "server", roles },
    refuses: ["https://arbiter.example"],
  });
  assert.ok(chosen.kind === "chosen");
  assert.deepEqual(chosen.roles, {});
  assert.deepEqual(
    chosen.notes.map((note) => /role "(\w+)"/.exec(note)?.[1]),
    ["arbiter", "fallback"],
  );
});

test("a challenge with another model goes to the fallback in every role, with consent, also where the built-in judges", async () => {
  const roles: WorkerSettings["roles"] = {
    arbiter: { serverUrl: "https://arbiter.example/v1", serverModel: "big" },
    fallback: { serverUrl: "https://other.example/v1", serverModel: "other" },
  };
  const parts = { otherModel: true };
  const { chosen, asked } = await choose({ settings: { model: "built-in", roles }, parts });
  assert.ok(chosen.kind === "chosen" && chosen.choice.kind === "server");
  assert.deepEqual([chosen.choice.model, chosen.roles], ["other", {}]);
  assert.deepEqual(asked, ["https://other.example other"]);
  const declined = await choose({ settings: { roles }, parts, refuses: ["https://other.example"] });
  assert.match(declined.what, /did not allow sending code to https:\/\/other\.example/);
  const none = await choose({ settings: SERVER, parts });
  assert.match(none.what, /No other model is set\. Name one as `fallback`/);
  const untrusted = await choose({ settings: { roles }, parts: { otherModel: true, trusted: false } });
  assert.match(untrusted.what, /trusted workspaces only/);
});

test("the built-in reviewer asks nobody for a role", async () => {
  const roles: WorkerSettings["roles"] = { arbiter: { editorModel: "fake/second" } };
  const { chosen, asked } = await choose({
    settings: { model: "built-in", roles },
    rows: [{ ...SECOND, agreed: false }],
  });
  assert.deepEqual(chosen, { kind: "chosen", choice: { kind: "built-in" }, roles: {}, notes: [] });
  assert.deepEqual(asked, []);
});
