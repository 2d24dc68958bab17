import type { LanguageModelAccessInformation } from "vscode";
import { type EditorModelAliveParams, editorModelAlive } from "../protocol/models.ts";
import type { Consent } from "./consent.ts";
import { languageModelHost } from "./languageModelHost.ts";
import { LanguageModels } from "./languageModels.ts";

// Loaded when the worker first asks what models the editor has, with the parser of the messages behind it.

/** The editor's language models as the worker asks them. */
export function loadModels(
  access: LanguageModelAccessInformation,
  consent: Consent,
  tell: (method: string, params: unknown) => Promise<void>,
): LanguageModels {
  return new LanguageModels({
    host: languageModelHost(access),
    agreed: (vendor) => consent.has(`editor:${vendor}`),
    alive: (request) => void tell(editorModelAlive, { request } satisfies EditorModelAliveParams),
    now: () => performance.now(),
  });
}
