import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import type { PanelState } from "../../src/protocol/panel.ts";
import type { Application } from "../../src/vscode/application.ts";
import { editorSteps } from "../../src/vscode/editorSteps.ts";
import { BACK, type PickStep } from "../../src/vscode/steps.ts";
import { AGREES, rounds } from "../support/personas.ts";
import { answerAs } from "../support/scriptedEditorModel.ts";
import { answering, application, type Asked, eventually, forgetLog, row, run } from "./harness.ts";

const VENDOR = "fake-models";
const QUANTITY = "A negative quantity";

/** One request as the fake provider's extension sees it. */
interface Request {
  readonly model: string;
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly report: (part: vscode.LanguageModelResponsePart) => void;
  readonly token: vscode.CancellationToken;
}
type Script = (request: Request) => Promise<void>;

/** Says what the fake models answer. */
async function answerWith(script: Script | null): Promise<void> {
  const extension = vscode.extensions.getExtension<{ answerWith(script: Script | null): void }>(
    "skeptical-triage-tests.fake-models",
  );
  assert.ok(extension, "the test extension fake-models is not installed in this editor");
  (await extension.activate()).answerWith(script);
}

async function setModel(model: string | undefined, editorModel: string | undefined): Promise<void> {
  const section = vscode.workspace.getConfiguration("skepticalTriage");
  await section.update("model", model, vscode.ConfigurationTarget.Global);
  await section.update("editorModel", editorModel, vscode.ConfigurationTarget.Global);
  const is = (): true | undefined =>
    vscode.workspace.getConfiguration("skepticalTriage").get("model") === (model ?? "auto") || undefined;
  await eventually(vscode.workspace.onDidChangeConfiguration, is, "the setting");
}

/** What a model's extension got, as the worker sent it. */
function wireOf({ messages, options, model }: Request): Parameters<typeof answerAs>[1] {
  return {
    request: "",
    vendor: VENDOR,
    id: model,
    toolMode: options.toolMode === vscode.LanguageModelChatToolMode.Required ? "required" : "auto",
    tools: (options.tools ?? []).map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: { ...inputSchema },
    })),
    messages: messages.map(({ role, content }) => ({
      role: role === vscode.LanguageModelChatMessageRole.Assistant ? "assistant" : "user",
      text: content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join(""),
      calls: content.flatMap((part) =>
        part instanceof vscode.LanguageModelToolCallPart
          ? [{ id: part.callId, name: part.name, arguments: JSON.stringify(part.input) }]
          : [],
      ),
      results: content.flatMap((part) =>
        part instanceof vscode.LanguageModelToolResultPart
          ? [{ id: part.callId, text: JSON.stringify(part.content) }]
          : [],
      ),
    })),
  };
}

/** Answers as a persona does behind a server; what was asked is kept. */
function persona(requests: Request[]): Script {
  return async (request) => {
    requests.push(request);
    const answer = await answerAs(rounds(AGREES), wireOf(request), requests.length - 1);
    if (answer.kind === "failed") throw new Error(`the persona does not know what to say: ${answer.failure}`);
    if (answer.text !== "") request.report(new vscode.LanguageModelTextPart(answer.text));
    for (const { id, name, arguments: text } of answer.calls) {
      const input: unknown = JSON.parse(text);
      assert.ok(typeof input === "object" && input !== null);
      request.report(new vscode.LanguageModelToolCallPart(id, name, input));
    }
  };
}

async function judged(app: Application, key: string): Promise<PanelState> {
  const look = async (): Promise<PanelState | undefined> => {
    const state = await app.worker.panelState({ key });
    return state !== null && state.outcome !== null ? state : undefined;
  };
  return await eventually(app.worker.onFindingsChanged, look, "an outcome", 60_000);
}

/** Triages one finding; a person says `agrees` to the question whether code may be sent. */
async function triage(app: Application, agrees: boolean): Promise<{ key: string; asked: readonly Asked[] }> {
  const { key } = await row(app, ({ title }) => title.includes(QUANTITY), "the finding");
  const asked = await answering(app, { modal: agrees }, () => run("skepticalTriage.triageFinding", key));
  return { key, asked };
}

suite("the editor's language models", () => {
  suiteSetup(async () => {
    await forgetLog();
    await setModel("editor", `${VENDOR}/large-1`);
    // A new worker starts with the new settings; one that runs may hear of them after the first command.
    await (await application()).worker.restart();
  });

  suiteTeardown(async () => {
    await answerWith(null);
    await setModel(undefined, undefined);
    const app = await application();
    await answering(app, { pick: 0 }, () => run("skepticalTriage.forgetConsent"));
    await forgetLog();
  });

  test("without consent no model is asked, and the person is told why nothing was triaged (ruling 32)", async () => {
    const app = await application();
    await answerWith(async () => assert.fail("a model was asked"));
    const { key, asked } = await triage(app, false);
    const question = asked.find(({ how }) => how === "modal");
    assert.match(`${question?.text} ${question?.detail}`, /the editor's models of fake-models.*Fake Large/s);
    assert.ok(asked.some(({ how, text }) => how === "tell" && /did not allow sending code/.test(text)));
    assert.equal((await app.worker.panelState({ key }))?.outcome, null);
  });

  test("a finding is judged by the chosen model, from the worker to its extension and back, and the panel names it", async function () {
    this.timeout(120_000);
    const app = await application();
    const requests: Request[] = [];
    await answerWith(persona(requests));
    const { key } = await triage(app, true);
    const state = await judged(app, key);
    assert.match(state.reviewer ?? "", /^large-1, a model of this editor \(fake-models\)$/);
    assert.equal(state.rounds.length, 3);
    assert.ok(requests.length >= 4);
    assert.deepEqual([...new Set(requests.map(({ model }) => model))], ["large-1"]);
    // Instructions stand in the first message: the editor knows two roles.
    const [first] = requests;
    assert.deepEqual(
      first?.messages.map(({ role }) => role),
      [vscode.LanguageModelChatMessageRole.User],
    );
    assert.equal(first?.options.toolMode, vscode.LanguageModelChatToolMode.Required);
    const results = requests.flatMap(({ messages }) => messages.flatMap(({ content }) => content));
    assert.ok(
      results.some((part) => part instanceof vscode.LanguageModelToolResultPart),
      "evidence went back as a result",
    );
  });

  test("cancelling reaches the model's extension, and what it had said does not count", async function () {
    this.timeout(120_000);
    const app = await application();
    await forgetLog();
    await app.worker.restart();
    const started = Promise.withResolvers<undefined>();
    const stopped = Promise.withResolvers<undefined>();
    await answerWith(async ({ report, token }) => {
      report(new vscode.LanguageModelTextPart("Let me think"));
      token.onCancellationRequested(() => stopped.resolve(undefined));
      started.resolve(undefined);
      // Ends in silence, as the editor's own models do.
      await stopped.promise;
    });
    const { key } = await row(app, ({ title }) => title.includes(QUANTITY), "the finding");
    // Answers of the test before are kept: this one is asked anew.
    const running = app.worker.runTriage({ kind: "keys", keys: [key], how: { fresh: true } });
    await started.promise;
    await app.worker.cancelTriage({ keys: [key] });
    await stopped.promise;
    await running;
    assert.equal((await app.worker.panelState({ key }))?.outcome, null);
  });

  test("a model that fails in its extension leaves the finding open, with the extension's words", async function () {
    this.timeout(120_000);
    const app = await application();
    await answerWith(async () => {
      throw Object.assign(new Error("You are out of requests."), { name: "ChatQuotaExceeded" });
    });
    const { key } = await row(app, ({ title }) => title.includes(QUANTITY), "the finding");
    await app.worker.runTriage({ kind: "keys", keys: [key], how: { fresh: true } });
    const state = await judged(app, key);
    assert.match(JSON.stringify(state.rounds), /has no quota left.*out of requests/);
    assert.notEqual(state.state, "dismissed");
    assert.equal(state.outcome?.proposesDismissal ?? false, false);
  });

  test("Set Up a Model… tries one of the editor's models and sets it", async function () {
    this.timeout(120_000);
    const app = await application();
    await answerWith(async ({ report }) => {
      report(new vscode.LanguageModelToolCallPart("c", "answer", { verdict: "VALID", reasoning: "It is doubled." }));
    });
    const before = { ...app.steps };
    const labels: string[] = [];
    Object.assign(app.steps, {
      async pick({ choices }: PickStep<unknown>) {
        const wanted = choices.find(({ label }) => label === "The Editor's Models" || label === "Fake Small");
        labels.push(wanted?.label ?? "");
        return wanted?.value;
      },
    });
    try {
      const asked = await answering(app, { modal: true, choose: 0 }, () => run("skepticalTriage.setUpModel"));
      assert.deepEqual(labels, ["The Editor's Models", "Fake Small"]);
      const told = asked.find(({ how }) => how === "choose");
      assert.match(`${told?.text} ${told?.detail}`, /Fake Small works It answered in .*calling tools/s);
      const setting = (): true | undefined =>
        vscode.workspace.getConfiguration("skepticalTriage").get("editorModel") === `${VENDOR}/small-1` || undefined;
      await eventually(vscode.workspace.onDidChangeConfiguration, setting, "the setting");
    } finally {
      Object.assign(app.steps, before);
    }
  });

  test("the steps are the editor's own quick input: accepted, left, and stepped back from by keyboard", async () => {
    const step = { title: "T", step: 2 } as const;
    const choices = [
      { label: "one", value: 1 },
      { label: "two", value: 2 },
    ];
    const accept = "workbench.action.acceptSelectedQuickOpenItem";
    const picked = editorSteps.pick({ ...step, placeholder: "which", choices });
    assert.equal(await dispatched(picked, "workbench.action.quickOpenSelectNext", accept), 2);
    const left = editorSteps.pick({ ...step, placeholder: "which", choices });
    assert.equal(await dispatched(left, "workbench.action.closeQuickOpen"), undefined);
    const back = editorSteps.pick({ ...step, placeholder: "which", choices });
    assert.equal(await dispatched(back, "workbench.action.quickInputBack"), BACK);
    const input = { ...step, prompt: "p", password: false, value: "given", problem: () => null };
    assert.equal(await dispatched(editorSteps.input(input), accept), "given");
    const refused = editorSteps.input({ ...input, problem: () => "not this" });
    assert.equal(
      await dispatched(refused, accept, "workbench.action.quickInputBack"),
      BACK,
      "a wrong text is not taken",
    );
  });
});

/** Runs commands one after the other once the quick input is there; gives what it came to. */
async function dispatched<T>(answer: Promise<T>, ...commands: readonly string[]): Promise<T> {
  for (const command of commands) {
    await delay(300);
    await run(command);
  }
  return await answer;
}
