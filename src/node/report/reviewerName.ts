import type { ModelIdentity } from "../../core/modelIdentity.ts";

/** Who judged, in words. */
export function reviewerName(identity: ModelIdentity): string {
  return identity.provider === "built-in" ? "built-in reviewer" : `${identity.model} at ${identity.provider}`;
}
