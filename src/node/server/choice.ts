import type { WorkerSettings } from "../../protocol/worker.ts";
import type { ReviewerChoice } from "../reviewers.ts";

/** What decides who judges a run. */
export interface ChoiceParts {
  readonly settings: WorkerSettings;
  readonly trusted: boolean;
  /** The stored key of an origin; null where none is. */
  keyOf(origin: string): string | null;
  /** Asks the person once per server before code leaves the machine (ruling 32). */
  consent(origin: string, model: string): Promise<boolean>;
}

export type Chosen =
  | { readonly kind: "chosen"; readonly choice: ReviewerChoice }
  | { readonly kind: "refused"; readonly why: string };

/** Who judges this run: chosen when it starts, never switched while it runs (ruling 32). */
export async function chooseReviewer(parts: ChoiceParts): Promise<Chosen> {
  const { model, serverUrl, serverModel } = parts.settings;
  const builtIn: Chosen = { kind: "chosen", choice: { kind: "built-in" } };
  const ready = serverUrl !== "" && serverModel !== "" && parts.trusted;
  if (model === "built-in" || (model === "auto" && !ready)) return builtIn;
  if (!parts.trusted) return refused("Models are asked in trusted workspaces only.");
  if (!ready)
    return refused(
      "Set the server's address and the model's name in the settings (skepticalTriage.serverUrl, skepticalTriage.serverModel).",
    );
  const origin = URL.parse(serverUrl)?.origin;
  if (origin === undefined || !/^https?:/.test(serverUrl))
    return refused(`The server's address is no http address: ${serverUrl}`);
  if (!(await parts.consent(origin, serverModel)))
    return model === "auto" ? builtIn : refused(`You did not allow sending code to ${origin}.`);
  return {
    kind: "chosen",
    choice: { kind: "server", url: serverUrl, model: serverModel, apiKey: parts.keyOf(origin) },
  };
}

function refused(why: string): Chosen {
  return { kind: "refused", why };
}
