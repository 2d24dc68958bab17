import { figure } from "../../core/figure.ts";
import { lensTitle } from "../../core/lens.ts";
import { countedRefs } from "../../core/opinion.ts";
import type { Refuter } from "../../core/refuter.ts";
import type { CheckedCitation } from "../../core/round.ts";
import type { Triaged } from "../../core/triage.ts";
import { mappedWords } from "./words.ts";

/** One thing that was said, for a report: who, what, and the lines it rests on. */
export interface JudgeLine {
  /** `refuter`, `recount`, `missed` (what no refuter looked at), `opinion`, `argued` (another severity), `left out`. */
  readonly who: string;
  readonly text: string;
  readonly citations: readonly CheckedCitation[];
}

/** What refuters and second opinion said, what was argued for and what was left out; empty where rounds judged alone. */
export function judgeLines({ refutation, opinion, outcome, reductions }: Triaged): readonly JudgeLine[] {
  const lines: JudgeLine[] = (refutation?.refuters ?? []).map(refuterLine);
  const plain = (who: string, text: string): void => void lines.push({ who, text, citations: [] });
  if (refutation !== null) {
    plain("recount", refutation.recount.text);
    for (const text of refutation.untouched) plain("missed", text);
  }
  if (opinion?.kind === "abstained") plain("opinion", `no answer: ${opinion.reason}`);
  if (opinion?.kind === "gave") {
    const { verdict, verdictConfidence, refs, note, reasoning } = opinion;
    const figures = `its own confidence ${figure(verdictConfidence)}, references ${countedRefs(refs)}`;
    const follows = outcome.mapped === null ? "" : ` → ${mappedWords(outcome.mapped)}`;
    const text = `${OPINIONS[verdict]} (${figures})${follows}: ${note ?? reasoning}`;
    lines.push({ who: "opinion", text, citations: refs.flatMap(({ citation }) => citation ?? []) });
  }
  const suggested = outcome.severitySuggestion;
  if (suggested !== null) plain("argued", `${suggested.to}: ${suggested.why}`);
  for (const text of reductions) plain("left out", text);
  return lines;
}

const OPINIONS = { ACTIONABLE: "actionable", NON_ACTIONABLE: "not actionable", UNCERTAIN: "uncertain" } as const;
const SIDES = { against: "against it", for: "for it", "needs-check": "not decided" } as const;

function refuterLine(refuter: Refuter): JudgeLine {
  const title = lensTitle(refuter.lens);
  if (refuter.kind === "abstained") {
    const kept = refuter.attack === "" ? "" : ` It said all the same: ${refuter.attack}`;
    return { who: "refuter", text: `${title}: does not count, ${refuter.reason}.${kept}`, citations: [] };
  }
  const { side, refuterConfidence, attack, scenario, note, citations } = refuter;
  const said = [attack, scenario, note ?? ""].filter((part) => part !== "").join(" ");
  const text = `${title}: ${SIDES[side]} (its own confidence: ${refuterConfidence})${said === "" ? "" : `. ${said}`}`;
  return { who: "refuter", text, citations };
}
