import type { FilterView } from "../../protocol/filter.ts";
import { plain } from "../clean.ts";

type Query = FilterView["query"];
type Counts = NonNullable<FilterView["counts"]>;
export type Severity = Query["severities"][number];
type State = Query["states"][number];

/** Worst first. */
export const SEVERITIES = ["P0", "P1", "P2", "Nit"] as const satisfies readonly Severity[];

const STATES = {
  new: "Not triaged",
  running: "Being triaged",
  proposed: "Waits for you",
  stale: "Code changed",
  decided: "Decided",
} as const satisfies Record<State, string>;

/** "8,412". */
export function figures(count: number): string {
  return count.toLocaleString("en");
}

/** At most four characters for a narrow button: "999", "8.4k", "84k", "1.2M". */
export function shortFigures(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  const digits = value < 9.95 ? Math.floor(value * 10) / 10 : Math.floor(value);
  return `${digits}${unit}`;
}

/** How many are shown, as the bar's last line says it; `shown` and `total` as the worker counts them. */
export function shownWords({ shown, total }: Counts): string {
  const noun = total === 1 ? "finding" : "findings";
  if (shown === total) return `${figures(total)} ${noun}`;
  if (shown === 0) return total === 1 ? "The only one is hidden" : `All ${figures(total)} are hidden`;
  return `${figures(shown)} of ${figures(total)} ${noun}`;
}

/** What a button that opens a list says: the one value that is chosen, how many there are, or only what it chooses. */
export function pickWords(
  what: "tools" | "rules" | "states",
  query: Query,
): { readonly text: string; readonly set: boolean } {
  const noun = { tools: "Tool", rules: "Rule", states: "State" }[what];
  const chosen = what === "states" ? query.states.map((state) => STATES[state]) : query[what];
  const [only, ...more] = chosen;
  if (only === undefined) return { text: noun, set: false };
  if (more.length > 0) return { text: `${chosen.length} ${noun.toLowerCase()}s`, set: true };
  return { text: only === "" ? `No ${noun.toLowerCase()}` : plain(only), set: true };
}

/** Whether anything is set that Clear would take back. */
export function isSet(query: Query): boolean {
  const { text, severities, states, tools, rules, path, changedOnly, suppressed, dismissed, waiting } = query;
  const lists = [severities, states, tools, rules].some((list) => list.length > 0);
  return lists || `${text}${path}`.trim() !== "" || changedOnly || suppressed || dismissed || waiting;
}

/** The list with a value put in or taken out; the order is that of `all`. */
export function toggled<T>(list: readonly T[], value: T, all: readonly T[]): T[] {
  return all.filter((one) => (one === value ? !list.includes(one) : list.includes(one)));
}
