import * as z from "zod/mini";
import type { Severity } from "../core/finding.ts";
import type { State } from "../core/outcome.ts";
import type { FindingsQuery } from "./query.ts";

// What the page with the search and filter bar and the extension host tell each other.

export const MOST_TEXT = 500;
const MOST_CHOSEN = 1000;

const severity = z.enum(["P0", "P1", "P2", "Nit"] satisfies readonly Severity[]);
const state = z.enum(["new", "running", "proposed", "decided", "stale"] satisfies readonly State[]);
const text = z.string().check(z.maxLength(MOST_TEXT));
const names = z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(MOST_CHOSEN));

/** A query as the page sends it, or as the editor's storage gives it back: of an older version, or of another hand. */
export const QueryShape = z.strictObject({
  text,
  severities: z.array(severity),
  states: z.array(state),
  tools: names,
  rules: names,
  path: text,
  changedOnly: z.boolean(),
  suppressed: z.boolean(),
  dismissed: z.boolean(),
  waiting: z.boolean(),
}) satisfies z.ZodMiniType<FindingsQuery>;

/** What is chosen from a list of the editor's own, since the lists are longer than the bar is high. */
export const PICKED = ["tools", "rules", "states"] as const;
export type Picked = (typeof PICKED)[number];

/** Page -> extension host: what the person does in the bar; parsed, never trusted. */
export const FromFilter = z.discriminatedUnion("type", [
  /** The page has loaded and can show a filter. */
  z.object({ type: z.literal("ready") }),
  /** The whole query as the bar now has it; text and path come when the person pauses. */
  z.object({ type: z.literal("query"), query: QueryShape }),
  z.object({ type: z.literal("pick"), what: z.enum(PICKED) }),
  /** Opens the list of saved filters, where they are applied, saved and deleted. */
  z.object({ type: z.literal("saved") }),
  z.object({ type: z.literal("clear") }),
]);
export type FromFilter = z.infer<typeof FromFilter>;

/** Everything the bar shows. */
export interface FilterView {
  readonly query: FindingsQuery;
  /** Null until the worker has answered once. */
  readonly counts: {
    readonly shown: number;
    readonly total: number;
    readonly waiting: number;
    readonly bySeverity: Readonly<Record<Severity, number>>;
  } | null;
  /** Name of the saved filter that is the present one; null where none is. */
  readonly saved: string | null;
}

/** Extension host -> page: after `ready`, and whenever filter or counts change. */
export interface ToFilter {
  readonly type: "filter";
  readonly view: FilterView;
}
