import assert from "node:assert/strict";
import test from "node:test";
import type { EditorModelRow } from "../../src/protocol/models.ts";
import type * as models from "../../src/protocol/modelSetup.ts";
import { setUpModel, type SetupPorts } from "../../src/vscode/modelSetup.ts";
import { BACK, type Steps } from "../../src/vscode/steps.ts";

const ROW: EditorModelRow = {
  vendor: "fake",
  id: "large/1",
  name: "Fake $(zap) Large",
  family: "gpt",
  version: "1",
  maxInputTokens: 1000,
  access: "unasked",
  agreed: false,
};

/** What the person does at each question: the label of a choice, text, or a way out. */
type Move = string | typeof BACK | undefined;
type Works = models.TestModelResult;

interface World {
  readonly found?: readonly models.LocalServer[];
  readonly listed?: models.ListServerModelsResult;
  readonly tested?: readonly Works[];
  readonly stored?: readonly string[];
  readonly rows?: readonly EditorModelRow[];
  readonly agrees?: boolean;
  /** Titles of waits that the person cancels. */
  readonly cancels?: RegExp;
}

const WORKS: Works = { kind: "works", words: ["It answered in 0.5 s."] };

/** Plays the moves, one for each question, and gives everything that happened. */
async function play(moves: readonly Move[], world: World = {}) {
  const left = [...moves];
  const tests = [...(world.tested ?? [WORKS])];
  const seen: string[] = [];
  const keys: string[] = [];
  let saved: unknown = null;
  const move = (question: string): Move => {
    assert.ok(left.length > 0, `nothing left to answer to: ${question}`);
    return left.shift();
  };
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
  const steps: Steps = {
    async pick({ step, placeholder, choices }) {
      seen.push(`${step} ${placeholder} [${choices.map(({ label }) => label).join("|")}]`);
      const answer = move(placeholder);
      if (answer === undefined || answer === BACK) return answer;
      const choice = choices.find(({ label }) => label === answer);
      assert.ok(choice, `${answer} is none of ${choices.map(({ label }) => label).join()}`);
      return choice.value;
    },
    async input({ step, prompt, password, problem }) {
      seen.push(`${step} ${password ? "secret " : ""}${prompt}`);
      const answer = move(prompt);
      if (typeof answer === "string") assert.equal(problem(answer), null, `${answer} was not accepted`);
      return answer;
    },
    async wait(title, work) {
      seen.push(title);
      return world.cancels?.test(title) === true ? undefined : await work(token);
    },
  };
  const ports: SetupPorts = {
    steps,
    worker: {
      findLocalServers: async () => ({ servers: world.found ?? [] }),
      listServerModels: async ({ url }) => world.listed ?? { kind: "listed", url, models: ["small", "large"] },
      testModel: async (params) => {
        seen.push(`test ${JSON.stringify(params)}`);
        return tests.shift() ?? WORKS;
      },
    },
    keys: {
      has: async (origin) => world.stored?.includes(origin) ?? false,
      store: async (origin, key) => void keys.push(`${origin} ${key}`),
    },
    ask: {
      async choose(message, detail, ...buttons) {
        seen.push(`${message}: ${detail} [${buttons.join("|")}]`);
        const answer = move(message);
        assert.ok(answer === undefined || (typeof answer === "string" && buttons.includes(answer)), String(answer));
        return answer;
      },
      say: (text) => void seen.push(text),
    },
    editorModels: async () => world.rows ?? [],
    agree: async () => world.agrees ?? true,
    save: async (settings) => void (saved = settings),
  };
  const done = await setUpModel(ports);
  assert.deepEqual(left, [], "every move was asked for");
  return { done, saved, seen, keys, told: seen.join("\n") };
}

const USE = "Use This Model";
const OLLAMA = "http://127.0.0.1:11434/v1";

test("a local server: preset, model, test call, and the settings with who judges last", async () => {
  const { done, saved, seen } = await play(["Ollama", "large", USE]);
  assert.equal(done, true);
  assert.deepEqual(Object.entries(saved ?? {}), [
    ["serverUrl", OLLAMA],
    ["serverModel", "large"],
    ["model", "server"],
  ]);
  assert.equal(
    seen.filter((line) => /^\d/.test(line)).length,
    2,
    "two questions and one dialog: no key where none is needed",
  );
});

test("local servers are looked for only when that is chosen, and again when nothing was there", async () => {
  const { told } = await play(["Ollama", undefined]);
  assert.doesNotMatch(told, /Looking for/);
  const none = await play(["Look for Local Servers", "Look Again", undefined]);
  assert.equal(none.seen.filter((line) => line.startsWith("Looking for")).length, 2);
  assert.match(none.told, /No model server answers on this machine\. Start one/);
  const found = [{ name: "LM Studio", url: "http://127.0.0.1:1234/v1", models: ["a"] }];
  const { saved } = await play(["Look for Local Servers", "LM Studio", "small", USE], { found });
  assert.deepEqual(saved, { serverUrl: "http://127.0.0.1:1234/v1", serverModel: "small", model: "server" });
});

test("a remote server asks for its key, which is stored for its origin alone", async () => {
  const { keys, saved, told } = await play(["OpenAI", " sk-1 ", "large", USE]);
  assert.deepEqual(keys, ["https://api.openai.com sk-1"]);
  assert.deepEqual(saved, { serverUrl: "https://api.openai.com/v1", serverModel: "large", model: "server" });
  assert.match(
    told,
    /2 secret It is kept in the editor's secret storage and sent to https:\/\/api\.openai\.com only\.$/m,
  );
  assert.doesNotMatch(told, /sk-1/);
});

test("a stored key is kept where nothing is entered; a needed one cannot be left out", async () => {
  const { keys, done } = await play(["OpenRouter", "", "small", USE], { stored: ["https://openrouter.ai"] });
  assert.deepEqual([keys, done], [[], true]);
  await assert.rejects(play(["OpenRouter", ""]), /was not accepted/);
});

test("an address of one's own is checked, and the one that answered is what is stored", async () => {
  await assert.rejects(play(["Another Server…", "localhost:11434"]), /was not accepted/);
  await assert.rejects(play(["Azure OpenAI", "https://RESOURCE.openai.azure.com/openai/v1"]), /was not accepted/);
  const listed: models.ListServerModelsResult = { kind: "listed", url: "http://box:8000/v1", models: ["m"] };
  const { saved } = await play(["Another Server…", "http://box:8000", "", "m", USE], { listed });
  assert.deepEqual(saved, { serverUrl: "http://box:8000/v1", serverModel: "m", model: "server" });
});

test("where a server lists nothing the name is typed", async () => {
  const listed: models.ListServerModelsResult = { kind: "unlisted", why: "It does not list them." };
  const { saved, told } = await play(["LM Studio", "my-model ", USE], { listed });
  assert.match(told, /It does not list them\./);
  assert.deepEqual(saved, { serverUrl: "http://127.0.0.1:1234/v1", serverModel: "my-model", model: "server" });
});

test("a name that is not in the list can be typed all the same", async () => {
  const { saved } = await play(["Ollama", "Another Name…", "third", USE]);
  assert.deepEqual(saved, { serverUrl: OLLAMA, serverModel: "third", model: "server" });
});

test("a server that does not answer says why, and can be tried again or left", async () => {
  const listed: models.ListServerModelsResult = {
    kind: "failed",
    why: "nothing answers there. Is the server running?",
  };
  const { done, told } = await play(["Ollama", "Try Again", "Back", undefined], { listed });
  assert.equal(done, false);
  assert.match(told, /could not be listed: nothing answers there/);
});

test("a test call that fails says what to do and sets nothing; it can be repeated", async () => {
  const tested: Works[] = [{ kind: "fails", why: "does not accept the key (401). Enter the key anew." }, WORKS];
  const { saved, told } = await play(["Ollama", "large", "Test Again", USE], { tested });
  assert.match(told, /large cannot be used yet: does not accept the key \(401\)\. Enter the key anew\./);
  assert.deepEqual(saved, { serverUrl: OLLAMA, serverModel: "large", model: "server" });
  const left = await play(["Ollama", "large", undefined], { tested: [{ kind: "fails", why: "no" }] });
  assert.deepEqual([left.done, left.saved], [false, null]);
});

test("each question has a way back to the one before, and the first has none", async () => {
  const { seen, done } = await play(["OpenAI", "k", BACK, BACK, "Ollama", "large", "Back", "small", USE]);
  assert.equal(done, true);
  const asked = seen.filter((line) => /^\d/.test(line)).map((line) => line.split(" ").slice(0, 2).join(" "));
  assert.deepEqual(asked, ["1 Who", "2 secret", "3 Which", "2 secret", "1 Who", "2 Which", "2 Which"]);
});

test("leaving anywhere sets nothing", async () => {
  for (const moves of [[undefined], ["OpenAI", undefined], ["Ollama", undefined], ["Ollama", "large", undefined]]) {
    const { done, saved } = await play(moves);
    assert.deepEqual([done, saved], [false, null]);
  }
});

test("cancelling a wait goes back to the question before it", async () => {
  const { done } = await play(["Ollama", undefined], { cancels: /Asking/ });
  assert.equal(done, false);
  const tested = await play(["Ollama", "large", "small", undefined], { cancels: /^Testing large/ });
  assert.equal(tested.done, false);
});

test("one of the editor's models: the person agrees to its vendor, it is tried, and set by vendor and id", async () => {
  const { saved, told } = await play(["The Editor's Models", "Fake $\u200B(zap) Large", USE], { rows: [ROW] });
  assert.deepEqual(saved, { editorModel: "fake/large/1", model: "editor" });
  assert.match(told, /test \{"editorModel":"fake\/large\/1"\}/);
});

test("without consent an editor's model is not even tried", async () => {
  const { told, saved } = await play(["The Editor's Models", "Fake $\u200B(zap) Large", undefined], {
    rows: [ROW],
    agrees: false,
  });
  assert.doesNotMatch(told, /^test/m);
  assert.equal(saved, null);
});

test("an editor without models says where they come from", async () => {
  const { told } = await play(["The Editor's Models", "Back", undefined]);
  assert.match(told, /This editor offers no language models: .*Copilot/);
});

test("the built-in reviewer is one choice away", async () => {
  assert.deepEqual((await play(["Built-In Reviewer"])).saved, { model: "built-in" });
});
