import type { Finding } from "./finding.ts";

/** What readers call it: `repro` in markdown reviews, `reproduction` in JSON of agents. */
const MEMBERS = ["reproduction", "repro"] as const;

/** How to reproduce a finding, as its source wrote it (R3.1); null where it says nothing. It is text, and no command yet. */
export function reproductionOf({ extra }: Pick<Finding, "extra">): string | null {
  for (const member of MEMBERS) {
    const value = extra[member];
    const text = typeof value === "string" ? value.trim() : "";
    if (text !== "") return text;
  }
  return null;
}
