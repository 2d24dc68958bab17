import type { CancellationToken } from "vscode";
import type { EditorModelRow } from "../protocol/models.ts";
import type * as models from "../protocol/modelSetup.ts";
import type { WorkerSettings } from "../protocol/worker.ts";
import type { Asker, Choice } from "./asker.ts";
import { SERVER_PRESETS, type ServerPreset } from "./modelPresets.ts";
import { originOf } from "./origin.ts";
import { plainLabel } from "./plainLabel.ts";
import { BACK, type Back, type Steps } from "./steps.ts";

export interface SetupPorts {
  readonly worker: {
    findLocalServers(token: CancellationToken): Promise<models.FindLocalServersResult>;
    listServerModels(
      params: models.ListServerModelsParams,
      token: CancellationToken,
    ): Promise<models.ListServerModelsResult>;
    testModel(params: models.TestModelParams, token: CancellationToken): Promise<models.TestModelResult>;
  };
  readonly keys: { has(origin: string): Promise<boolean>; store(origin: string, key: string): Promise<void> };
  readonly steps: Steps;
  readonly ask: Pick<Asker, "choose" | "say">;
  editorModels(): Promise<readonly EditorModelRow[]>;
  /** Asks whether code may be sent to the models of a vendor, where that was not agreed to before. */
  agree(row: EditorModelRow): Promise<boolean>;
  /** Writes settings of the user, in the order given: who judges comes last. */
  save(settings: Partial<WorkerSettings>): Promise<void>;
}

const TITLE = "Set Up a Model";
const USE = "Use This Model";
const AGAIN = "Test Again";
const STEP_BACK = "Back";

type Next = Stage | Back | "done" | undefined;
/** One question; `step` counts from 1. Gives the next question, or how it ended. */
type Stage = (step: number) => Promise<Next>;

/** Leads to a model that works: which, its key, a test call, then the settings. True where a model was set up. */
export async function setUpModel(ports: SetupPorts): Promise<boolean> {
  const trail: Stage[] = [presets(ports)];
  for (;;) {
    const stage = trail.at(-1);
    if (stage === undefined) return false;
    const next = await stage(trail.length);
    if (next === undefined || next === "done") return next === "done";
    if (next === BACK) trail.pop();
    else trail.push(next);
  }
}

type First = "local" | "editor" | "built-in" | ServerPreset;

const FIRST: readonly Choice<First>[] = [
  {
    label: "Look for Local Servers",
    detail: "Asks the ports 11434, 1234, 8000 and 8080 of this machine, once",
    value: "local",
  },
  ...SERVER_PRESETS.map((preset) => ({ label: preset.label, detail: preset.detail, value: preset })),
  {
    label: "The Editor's Models",
    detail: "Language models that this editor offers, such as those of Copilot",
    value: "editor",
  },
  {
    label: "Built-In Reviewer",
    detail: "No model and no network: decides only what its evidence entails",
    value: "built-in",
  },
];

function presets(ports: SetupPorts): Stage {
  return async (step) => {
    const placeholder = "Who should judge what the checks cannot settle?";
    const picked = await ports.steps.pick<First>({ title: TITLE, step, placeholder, choices: FIRST });
    if (picked === undefined || picked === BACK) return undefined;
    if (picked === "local") return localServers(ports);
    if (picked === "editor") return editorModels(ports);
    if (picked === "built-in") return await use(ports, { model: "built-in" }, "the built-in reviewer");
    return picked.url === null ? address(ports, picked) : keyThenModel(ports, picked, picked.url);
  };
}

function localServers(ports: SetupPorts): Stage {
  return async (step) => {
    const found = await ports.steps.wait("Looking for model servers on this machine", (token) =>
      ports.worker.findLocalServers(token),
    );
    if (found === undefined) return BACK;
    const servers = found.servers.map((server) => ({
      label: server.name,
      description: server.url,
      detail: plainLabel(server.models.length === 0 ? "It has no model yet" : server.models.slice(0, 6).join(", ")),
      value: server,
    }));
    const placeholder =
      servers.length === 0
        ? "No model server answers on this machine. Start one and look again."
        : "Servers that answer on this machine";
    const again: Choice<null> = { label: "Look Again", value: null };
    const choices: readonly Choice<models.LocalServer | null>[] = [...servers, again];
    const picked = await ports.steps.pick({ title: TITLE, step, placeholder, choices });
    if (picked === undefined || picked === BACK) return picked;
    return picked === null ? await localServers(ports)(step) : chooseModel(ports, picked.url);
  };
}

function address(ports: SetupPorts, preset: ServerPreset): Stage {
  return async (step) => {
    const url = await ports.steps.input({
      title: `${TITLE}: ${preset.label}`,
      step,
      prompt: "Base address of the server; it often ends in /v1",
      password: false,
      value: preset.example,
      problem: addressProblem,
    });
    if (url === undefined || url === BACK) return url;
    return keyThenModel(ports, preset, url.trim());
  };
}

function addressProblem(text: string): string | null {
  const url = text.trim();
  if (originOf(url) === null || /^https?:\/\/$/.test(url)) return "An address that starts with http:// or https://";
  return url.includes("RESOURCE") ? "Put the name of your resource in the place of RESOURCE" : null;
}

function keyThenModel(ports: SetupPorts, preset: ServerPreset, url: string): Stage {
  return preset.key === "none" ? chooseModel(ports, url) : key(ports, preset, url);
}

function key(ports: SetupPorts, preset: ServerPreset, url: string): Stage {
  return async (step) => {
    const origin = originOf(url) ?? url;
    const stored = await ports.keys.has(origin);
    const empty = stored ? " Empty: the stored key is kept." : preset.key === "optional" ? " Empty: no key." : "";
    const given = await ports.steps.input({
      title: `${TITLE}: Key for ${origin}`,
      step,
      prompt: `It is kept in the editor's secret storage and sent to ${origin} only.${empty}`,
      password: true,
      value: "",
      problem: (text) => (text.trim() === "" && empty === "" ? "Enter the key of this server" : null),
    });
    if (given === undefined || given === BACK) return given;
    if (given.trim() !== "") await ports.keys.store(origin, given.trim());
    return chooseModel(ports, url);
  };
}

function chooseModel(ports: SetupPorts, url: string): Stage {
  return async (step) => {
    const listed = await ports.steps.wait(`Asking ${originOf(url) ?? url} for its models`, (token) =>
      ports.worker.listServerModels({ url }, token),
    );
    if (listed === undefined) return BACK;
    if (listed.kind === "failed") {
      const pressed = await ports.ask.choose(
        "The server's models could not be listed",
        listed.why,
        "Try Again",
        STEP_BACK,
      );
      if (pressed === undefined) return undefined;
      return pressed === STEP_BACK ? BACK : await chooseModel(ports, url)(step);
    }
    if (listed.kind === "unlisted") return await typeModel(ports, url, listed.why)(step);
    if (listed.models.length === 0) return await typeModel(ports, listed.url, "The server lists no model.")(step);
    return await chooseAmong(ports, listed.url, listed.models, step);
  };
}

async function chooseAmong(ports: SetupPorts, url: string, names: readonly string[], step: number): Promise<Next> {
  const choices: readonly Choice<string | null>[] = [
    ...names.map((name) => ({ label: plainLabel(name), value: name })),
    { label: "Another Name…", value: null },
  ];
  const picked = await ports.steps.pick({ title: TITLE, step, placeholder: "Which of its models?", choices });
  if (picked === undefined || picked === BACK) return picked;
  return picked === null
    ? typeModel(ports, url, "Name of the model as the server knows it")
    : testServer(ports, url, picked);
}

function typeModel(ports: SetupPorts, url: string, prompt: string): Stage {
  return async (step) => {
    const name = await ports.steps.input({
      title: TITLE,
      step,
      prompt,
      password: false,
      value: "",
      problem: nameProblem,
    });
    return name === undefined || name === BACK ? name : testServer(ports, url, name.trim());
  };
}

function nameProblem(text: string): string | null {
  return text.trim() === "" ? "Enter the name of a model" : null;
}

function testServer(ports: SetupPorts, serverUrl: string, serverModel: string): Stage {
  const params = { serverUrl, serverModel };
  return test(ports, params, serverModel, { ...params, model: "server" });
}

function editorModels(ports: SetupPorts): Stage {
  return async (step) => {
    const rows = await ports.editorModels();
    if (rows.length === 0) {
      const why =
        "Models of the editor come from extensions such as Copilot, or from models you add in its chat settings.";
      const pressed = await ports.ask.choose("This editor offers no language models", why, STEP_BACK);
      return pressed === undefined ? undefined : BACK;
    }
    const choices = rows.map((row) => ({
      label: plainLabel(row.name),
      description: plainLabel(`${row.vendor} · ${row.family}`),
      value: row,
    }));
    const placeholder = "Which of the editor's models?";
    const picked = await ports.steps.pick({ title: TITLE, step, placeholder, choices });
    if (picked === undefined || picked === BACK) return picked;
    if (!(await ports.agree(picked))) return await editorModels(ports)(step);
    const editorModel = `${picked.vendor}/${picked.id}`;
    return test(ports, { editorModel }, picked.name, { editorModel, model: "editor" });
  };
}

/** The test call: its result in words, and only what works is set. */
function test(
  ports: SetupPorts,
  params: models.TestModelParams,
  name: string,
  settings: Partial<WorkerSettings>,
): Stage {
  return async (step) => {
    const result = await ports.steps.wait(`Testing ${name}`, (token) => ports.worker.testModel(params, token));
    if (result === undefined) return BACK;
    const works = result.kind === "works";
    const pressed = works
      ? await ports.ask.choose(`${name} works`, result.words.join("\n"), USE, STEP_BACK)
      : await ports.ask.choose(`${name} cannot be used yet`, result.why, AGAIN, STEP_BACK);
    if (pressed === AGAIN) return await test(ports, params, name, settings)(step);
    if (pressed === USE) return await use(ports, settings, name);
    return pressed === STEP_BACK ? BACK : undefined;
  };
}

async function use(ports: SetupPorts, settings: Partial<WorkerSettings>, name: string): Promise<"done"> {
  await ports.save(settings);
  ports.ask.say(`From now on ${name} judges what the checks cannot settle.`);
  return "done";
}
