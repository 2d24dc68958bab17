import type { State } from "../core/outcome.ts";
import { type FindingsQuery, SHOW_ALL } from "../protocol/query.ts";

/** The states of a finding as a person reads them, in the order of the work. */
export const STATE_WORDS = {
  new: "Not triaged",
  running: "Being triaged",
  proposed: "Waits for you",
  stale: "Code changed since",
  decided: "Decided",
} as const satisfies Record<State, string>;

export const STATES = ["new", "running", "proposed", "stale", "decided"] as const satisfies readonly State[];

/** Whether two queries show the same; the order of what was chosen does not count. */
export function sameQuery(one: FindingsQuery, other: FindingsQuery): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

/** Whether a query leaves anything out that it would show without its conditions; dismissed and suppressed findings are left out by the default. */
export function narrows({ suppressed: _suppressed, dismissed: _dismissed, ...conditions }: FindingsQuery): boolean {
  return !sameQuery({ ...SHOW_ALL, ...conditions }, SHOW_ALL);
}

/** A query in a few words: "P0, P1 · waits for you · rule sql-injection · “total”"; empty for the query that shows all. */
export function queryInWords(query: FindingsQuery): string {
  const { text, severities, states, tools, rules, path, changedOnly, suppressed, dismissed, waiting } = query;
  return [
    severities.join(", "),
    states.map((state) => STATE_WORDS[state].toLowerCase()).join(", "),
    waiting ? "waits for you" : "",
    changedOnly ? "changed files" : "",
    chosen("tool", tools),
    chosen("rule", rules),
    path.trim() === "" ? "" : `path ${path.trim()}`,
    text.trim() === "" ? "" : `“${text.trim()}”`,
    suppressed ? "with suppressed" : "",
    dismissed ? "with dismissed" : "",
  ]
    .filter((part) => part !== "")
    .map(visible)
    .join(" · ");
}

/** Names of tools and rules come from outside: what would hide or reorder text is written out (ruling 33). */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function chosen(noun: string, values: readonly string[]): string {
  const [first, second] = values.map((value) => (value === "" ? `no ${noun}` : value));
  if (first === undefined) return "";
  if (second === undefined) return values[0] === "" ? first : `${noun} ${first}`;
  return `${values.length} ${noun}s`;
}

function canonical(query: FindingsQuery): FindingsQuery {
  return {
    text: query.text.trim(),
    severities: query.severities.toSorted(),
    states: query.states.toSorted(),
    tools: query.tools.toSorted(),
    rules: query.rules.toSorted(),
    path: query.path.trim(),
    changedOnly: query.changedOnly,
    suppressed: query.suppressed,
    dismissed: query.dismissed,
    waiting: query.waiting,
  };
}
