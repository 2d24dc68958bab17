import { MODEL_ROLES, type ModelRole } from "../../core/method.ts";
import type { EditorModelRow } from "../../protocol/models.ts";
import type { RoleModel, WorkerSettings } from "../../protocol/worker.ts";
import type { ModelChoice, ReviewerChoice, RoleChoices } from "../reviewers.ts";

/** What decides who judges a run. */
export interface ChoiceParts {
  readonly settings: WorkerSettings;
  readonly trusted: boolean;
  /** `program`: nobody asked for this run, so no model is asked for the first time. */
  readonly startedBy: "person" | "program";
  /** True: the fallback model judges, as a person asked. */
  readonly otherModel: boolean;
  /** The stored key of an origin; null where none is. */
  keyOf(origin: string): string | null;
  /** What the editor offers; empty where it offers nothing. */
  editorModels(): Promise<readonly EditorModelRow[]>;
  /** Asks the person once per server or vendor (`editor:VENDOR`) before code leaves the machine (ruling 32). */
  consent(origin: string, model: string): Promise<boolean>;
}

export type Chosen =
  | {
      readonly kind: "chosen";
      readonly choice: ReviewerChoice;
      readonly roles: RoleChoices;
      /** One sentence for each role whose own model cannot be asked; the model of the rounds takes that role. */
      readonly notes: readonly string[];
    }
  | Refused;

type Refused = { readonly kind: "refused"; readonly why: string };
type Picked<C> = { readonly kind: "picked"; readonly choice: C } | Refused;

/** Who judges this run: chosen when it starts, never switched while it runs (ruling 32). */
export async function chooseReviewer(parts: ChoiceParts): Promise<Chosen> {
  if (parts.otherModel) return await chooseOther(parts);
  const first = await chooseFirst(parts);
  if (first.kind === "refused") return first;
  const { choice } = first;
  if (choice.kind === "built-in") return { kind: "chosen", choice, roles: {}, notes: [] };
  return { kind: "chosen", choice, ...(await chooseRoles(parts)) };
}

/** Challenge again with another model: the fallback in every role. */
async function chooseOther(parts: ChoiceParts): Promise<Chosen> {
  const wanted = parts.settings.roles.fallback;
  if (!parts.trusted) return refused("Models are asked in trusted workspaces only.");
  if (wanted === undefined)
    return refused("No other model is set. Name one as `fallback` in the setting skepticalTriage.roles.");
  const picked = await pickRole(parts, wanted);
  return picked.kind === "refused" ? picked : { kind: "chosen", choice: picked.choice, roles: {}, notes: [] };
}

const BUILT_IN: Picked<ReviewerChoice> = { kind: "picked", choice: { kind: "built-in" } };

async function chooseFirst(parts: ChoiceParts): Promise<Picked<ReviewerChoice>> {
  const { model, serverUrl, serverModel, editorModel } = parts.settings;
  if (model === "built-in" || (model === "auto" && !parts.trusted)) return BUILT_IN;
  if (!parts.trusted) return refused("Models are asked in trusted workspaces only.");
  if (model === "editor") return await pickEditor(parts, editorModel, parts.startedBy === "person");
  const ready = serverUrl !== "" && serverModel !== "";
  if (model === "server")
    return ready
      ? await pickServer(parts, serverUrl, serverModel)
      : refused(
          "Set the server's address and the model's name in the settings (skepticalTriage.serverUrl, skepticalTriage.serverModel), or use Set Up a Model.",
        );
  if (ready) {
    if (originOf(serverUrl) === null) return badAddress(serverUrl);
    const server = await pickServer(parts, serverUrl, serverModel);
    if (server.kind === "picked") return server;
  }
  // Nobody named these models: they are taken only where a person has agreed to them before.
  const editor = await pickEditor(parts, editorModel, false);
  return editor.kind === "picked" ? editor : BUILT_IN;
}

async function chooseRoles(parts: ChoiceParts): Promise<{ roles: RoleChoices; notes: readonly string[] }> {
  const roles: Partial<Record<ModelRole, ModelChoice>> = {};
  const notes: string[] = [];
  for (const role of MODEL_ROLES) {
    const wanted = parts.settings.roles[role];
    if (wanted === undefined) continue;
    const picked = await pickRole(parts, wanted);
    if (picked.kind === "picked") roles[role] = picked.choice;
    else notes.push(`The model set for the role "${role}" is not asked: ${picked.why}`);
  }
  return { roles, notes };
}

async function pickRole(parts: ChoiceParts, wanted: RoleModel): Promise<Picked<ModelChoice>> {
  return "editorModel" in wanted
    ? await pickEditor(parts, wanted.editorModel, parts.startedBy === "person")
    : await pickServer(parts, wanted.serverUrl, wanted.serverModel);
}

async function pickServer(parts: ChoiceParts, url: string, model: string): Promise<Picked<ModelChoice>> {
  const origin = originOf(url);
  if (origin === null) return badAddress(url);
  if (!(await parts.consent(origin, model))) return refused(`You did not allow sending code to ${origin}.`);
  return { kind: "picked", choice: { kind: "server", url, model, apiKey: parts.keyOf(origin) } };
}

/** `asks` false: only a model that the editor and the person have allowed before. */
async function pickEditor(parts: ChoiceParts, wanted: string, asks: boolean): Promise<Picked<ModelChoice>> {
  const rows = await parts.editorModels();
  const row = wanted === "" ? rows[0] : rows.find(({ vendor, id }) => `${vendor}/${id}` === wanted);
  if (row === undefined)
    return refused(
      rows.length === 0
        ? "This editor offers no language models. Choose another reviewer with Set Up a Model."
        : `The editor does not offer the model ${wanted} now. Choose another one with Set Up a Model.`,
    );
  if (row.access === "denied")
    return refused(`The editor does not let this extension ask ${row.name} (${row.vendor}).`);
  if (!asks && (row.access !== "granted" || !row.agreed))
    return refused(
      `${row.name} (${row.vendor}) is not asked for the first time by a triage that started by itself. Triage a finding yourself once.`,
    );
  if (!row.agreed && !(await parts.consent(editorOrigin(row.vendor), row.name)))
    return refused(`You did not allow sending code to the models of ${row.vendor}.`);
  return { kind: "picked", choice: { kind: "editor", row } };
}

/** What stands for the vendor of editor models where a server has its origin. */
export function editorOrigin(vendor: string): string {
  return `editor:${vendor}`;
}

function originOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.origin : null;
}

function badAddress(url: string): Refused {
  return refused(`The server's address is no http address: ${url}`);
}

function refused(why: string): Refused {
  return { kind: "refused", why };
}
