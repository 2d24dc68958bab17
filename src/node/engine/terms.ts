import type { Finding } from "../../core/finding.ts";
import type { Terms } from "../../core/policy.ts";
import type { EngineOptions } from "./engineOptions.ts";

/** What of the policy a person has set for a finding, and where the session stands now. */
export function termsOf(
  { costMode, history, untouchable }: Pick<EngineOptions, "costMode" | "history" | "untouchable">,
  finding: Finding,
): Terms {
  return {
    costMode: costMode(),
    heightened: history.streak().warned,
    untouchable: untouchable(finding),
    braked: history.braked(),
  };
}
