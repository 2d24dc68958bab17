import type { DecidedEntry, LoggedOpinion, TriagedEntry } from "./audit.ts";
import { figure } from "./figure.ts";
import type { Streak } from "./streak.ts";

// The token lines of the second opinion's own system (R1.26, R1.30-R1.33): for the output channel only, never persisted. Their names
// and the order of their members are that system's.

/** Longest key in characters, path and summary together (R1.33). */
const MOST_KEY = 120;

/** A finding as the lines name it: `path|canonical issue`. `issue` holds no code. */
export interface KeyParts {
  readonly file: string | null;
  readonly issue: string;
}

/** The line of a dismissal asked of a second opinion, or closed by a person (R1.19, R1.30). */
export function dismissLine(
  entry: Pick<TriagedEntry | DecidedEntry, "severity" | "evidence" | "authorization">,
  opinion: Pick<LoggedOpinion, "mapped" | "verdictConfidence" | "thread">,
  key: KeyParts,
  at: Date,
): string {
  return line("DISMISS_VERDICT", [
    ["key", keyOf(key)],
    ["severity", entry.severity],
    ["verdict", verdictOf(entry, opinion)],
    ["confidence", confidence(opinion)],
    ["codex_thread", opinion.thread],
    ["evidence", evidence(entry.evidence)],
    ["timestamp", at.toISOString()],
    ["intent", "dismiss"],
    ["authorization", entry.authorization === "none" ? "human-required" : entry.authorization],
  ]);
}

/** What the opinion came to in the end: nothing is told as dismissed that the checks, the others or a setting keep open (R1.18). */
function verdictOf(
  { authorization }: Pick<TriagedEntry, "authorization">,
  { mapped }: Pick<LoggedOpinion, "mapped">,
): LoggedOpinion["mapped"] {
  if (mapped !== "DISMISS_VERIFIED" && mapped !== "DISMISS_CANDIDATE") return mapped;
  if (authorization === "none") return "NEED_HUMAN";
  return authorization === "human-required" ? "DISMISS_CANDIDATE" : "DISMISS_VERIFIED";
}

/** The line of an informational opinion (R1.31). */
export function seekLine(
  entry: Pick<TriagedEntry, "severity" | "evidence">,
  opinion: LoggedOpinion,
  key: KeyParts,
  at: Date,
): string {
  return line("SEEK_VERDICT", [
    ["key", keyOf(key)],
    ["severity", entry.severity],
    ["intent", opinion.intent],
    ["verdict", opinion.mapped],
    ["confidence", confidence(opinion)],
    ["codex_thread", opinion.thread],
    ["evidence", evidence(entry.evidence)],
    ["timestamp", at.toISOString()],
  ]);
}

/** The warning after several dismissals in a row (R1.26). */
export function warningLine({ run }: Streak, at: Date): string {
  return line("DISMISS_PATTERN_WARN", [
    ["streak", String(run)],
    ["scope", "all-severity"],
    ["reason", "systematic-over-dismiss-risk"],
    ["action", "heightened-scrutiny"],
    ["timestamp", at.toISOString()],
  ]);
}

/** The members of such a line. The key holds a bare `|`, so it is split on blank, bar, blank (R1.32); unknown members are kept. */
export function readTokenLine(
  text: string,
): { readonly token: string; readonly members: ReadonlyMap<string, string> } | null {
  const found = /^\[([A-Z_]+)\]\s+(.*)$/.exec(text.trim());
  if (found === null) return null;
  const [, token = "", rest = ""] = found;
  const members = rest.split(" | ").flatMap((part): [string, string][] => {
    const cut = part.indexOf("=");
    return cut < 1 ? [] : [[part.slice(0, cut), part.slice(cut + 1)]];
  });
  return { token, members: new Map(members) };
}

function line(token: string, members: readonly (readonly [string, string])[]): string {
  return `[${token}] ${members.map(([name, value]) => `${name}=${plainValue(value)}`).join(" | ")}`;
}

/** A value that cannot pass for more than one: on one line, without characters nobody sees, and with no bar between blanks. */
function plainValue(value: string): string {
  return value.replace(/[\s\p{C}\p{Z}]+/gu, " ").replace(/ \|(?= )/g, " /");
}

function keyOf({ file, issue }: KeyParts): string {
  const key = `${file ?? ""}|${issue.replace(/\s+/g, " ").trim()}`;
  return key.length <= MOST_KEY ? key : `${key.slice(0, MOST_KEY - 1)}…`;
}

function confidence({ verdictConfidence }: Pick<LoggedOpinion, "verdictConfidence">): string {
  return figure(verdictConfidence ?? 0);
}

/** Places only, never source text (R1.33). */
function evidence(places: readonly string[]): string {
  return places.length === 0 ? "none" : places.slice(0, 5).join(", ");
}
