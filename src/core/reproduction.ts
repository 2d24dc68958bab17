import type { Finding } from "./finding.ts";

/** What readers call it: `repro` in markdown reviews, `reproduction` in JSON of agents. */
const MEMBERS = ["reproduction", "repro"] as const;

/** Code marks around the whole of it: one pair of backticks, or one fence. */
const MARKED = /^(?:`([^`\n]+)`|(?:```|~~~)[\w-]*\n([^]*?)\n(?:```|~~~))$/;

/** How to reproduce a finding, as its source wrote it (R3.1), without code marks around it; null where it says nothing. It is text, and no command yet. */
export function reproductionOf({ extra }: Pick<Finding, "extra">): string | null {
  for (const member of MEMBERS) {
    const value = extra[member];
    const text = typeof value === "string" ? value.trim() : "";
    const [, inline, fenced] = MARKED.exec(text) ?? [];
    if (text !== "") return (inline ?? fenced ?? text).trim();
  }
  return null;
}
