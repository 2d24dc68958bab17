import type { ModelIdentity } from "../../core/modelIdentity.ts";

/** What stands before the vendor in the provider of the editor's own models. */
const EDITOR = "editor:";

/** Who judged, in words. */
export function reviewerName({ provider, model }: ModelIdentity): string {
  if (provider === "built-in") return "built-in reviewer";
  return provider.startsWith(EDITOR)
    ? `${model}, a model of this editor (${provider.slice(EDITOR.length)})`
    : `${model} at ${provider}`;
}
