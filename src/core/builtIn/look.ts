import type { CheckResult } from "../check.ts";
import { citeLines } from "../checks/check.ts";
import type { CodePlace } from "../code/modules.ts";
import type { Adapters } from "../evidence/site.ts";
import { maskLines } from "../lines.ts";
import type { RoundTask } from "../reviewer.ts";
import type { Answer, Citation } from "../round.ts";

/** Longest piece of code that a sentence quotes. */
const MOST_QUOTED = 90;

/** The code at a place as a sentence quotes it: trimmed, masked, cut. */
export async function quoteAt(place: CodePlace, adapters: Adapters): Promise<string> {
  const text = await adapters.repository.text(place.file);
  const line = (text === null ? "" : (maskLines(text.lines, adapters.mask)[place.line - 1] ?? "")).trim();
  const short = line.length <= MOST_QUOTED ? line : `${line.slice(0, MOST_QUOTED - 1)}…`;
  return short.includes("`") || short === ""
    ? `${place.file}:${place.line}`
    : `${place.file}:${place.line} \`${short}\``;
}

/** The check that confirmed a part of the claim that carries weight: the only ground on which this reviewer says VALID (ruling 6). */
export function confirmedBy(checks: readonly CheckResult[]): CheckResult | undefined {
  return checks.find((check) => check.atom?.weight === true && check.verdict === "confirmed");
}

/** An answer of the built-in reviewer: it names the lines it looked at and stays undecided unless a check confirmed something. */
export async function answerFrom(
  task: Pick<RoundTask, "checks">,
  crux: string,
  sentences: readonly (string | null)[],
  places: readonly CodePlace[],
  adapters: Adapters,
): Promise<Answer> {
  const confirmed = confirmedBy(task.checks);
  const distinct = [...new Map(places.map((place) => [`${place.file}:${place.line}`, place])).values()];
  const citations: Citation[] = await citeLines(distinct, adapters);
  const reasoning = sentences.filter((sentence) => sentence !== null && sentence !== "").join(" ");
  if (confirmed === undefined) return { verdict: "UNCERTAIN", crux, reasoning, citations };
  return { verdict: "VALID", crux: confirmed.text, reasoning, citations: [...confirmed.citations, ...citations] };
}

/** `a.ts:1, b.ts:2 and 3 more`. */
export function listPlaces(places: readonly CodePlace[], most = 4): string {
  const shown = places.slice(0, most).map((place) => `${place.file}:${place.line}`);
  const rest = places.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
