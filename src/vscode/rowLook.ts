import type { Grouping } from "../protocol/query.ts";
import type { FindingRow } from "../protocol/worker.ts";

/** A codicon and the theme colour it is drawn in; null for the colour of the text. */
export interface Look {
  readonly icon: string;
  readonly color: string | null;
}

/** How a finding looks before any decision, by the severity as ingested. */
const BY_SEVERITY = {
  P0: { icon: "error", color: "list.errorForeground" },
  P1: { icon: "error", color: "list.errorForeground" },
  P2: { icon: "warning", color: "list.warningForeground" },
  Nit: { icon: "info", color: "charts.blue" },
} as const satisfies Record<FindingRow["severity"], Look>;

/** The state of a finding as an icon: what runs, what waits for a person, what was decided, else how severe it is. */
export function lookOf(row: FindingRow): Look {
  if (row.state === "running") return { icon: "sync~spin", color: "charts.blue" };
  if (row.state === "stale") return { icon: "history", color: "charts.yellow" };
  if (row.state === "proposed") return { icon: "question", color: "charts.yellow" };
  if (row.decision === "dismissed") return { icon: "circle-slash", color: "disabledForeground" };
  if (row.decision === "confirmed") return { icon: "pass-filled", color: "list.errorForeground" };
  if (row.hard) return { icon: "lock", color: BY_SEVERITY[row.severity].color };
  if (row.action === "filter") return { icon: "circle-slash", color: "disabledForeground" };
  if (row.action === "needs-human") return { icon: "account", color: "charts.yellow" };
  if (row.action === "keep" || row.action === "settled") return { icon: "bug", color: BY_SEVERITY[row.severity].color };
  return BY_SEVERITY[row.severity];
}

/** Many lines for the hover of a row; plain text, so that nothing in a finding can become a link (ruling 33). */
export function tooltipOf(row: FindingRow): string {
  const severity = row.shownSeverity === row.severity ? row.severity : `${row.severity}, shown as ${row.shownSeverity}`;
  return [
    row.title,
    "",
    placeOf(row),
    row.summary,
    `${severity} · ${row.rule === null ? row.tool : `${row.tool} ${row.rule}`}`,
    ...(row.clusterSize > 1 ? [`Reported ${row.clusterSize} times with the same words`] : []),
    ...(row.hard ? ["A hard fact: it is never triaged away"] : []),
    ...(PLACE_NOTE[row.place] === null ? [] : [PLACE_NOTE[row.place]]),
  ].join("\n");
}

const PLACE_NOTE = {
  exact: null,
  relocated: "Found on another line than the one cited",
  "out-of-range": "The cited line is not in the file",
  "missing-file": "The cited file is not in this workspace",
  "file-level": "About the whole file",
  none: "Names no place",
} as const satisfies Record<FindingRow["place"], string | null>;

/** Leaves room for the state behind the label; the hover has the whole claim. */
const MOST_TITLE = 60;

/** A row's label: how severe and where come first, since a narrow view cuts off the rest. What its group says is not repeated. */
export function labelOf(row: FindingRow, grouping: Grouping): string {
  const file = grouping === "file" || row.file === null ? "" : baseName(row.file);
  const place = row.line === null ? file : `${file}:${row.line}`;
  return [grouping === "severity" ? "" : row.severity, place, shortened(row.title)]
    .filter((part) => part !== "")
    .join(" ");
}

/** What stands behind the label: the state in words, and the folder where the group does not name it. */
export function restOf(row: FindingRow, grouping: Grouping): string {
  const state = row.summary.replace(`${row.severity} · `, "");
  const folder = grouping === "file" || row.file === null ? "" : folderName(row.file);
  return [state, folder].filter((part) => part !== "").join(" · ");
}

function shortened(text: string): string {
  if (text.length <= MOST_TITLE) return text;
  const cut = text.lastIndexOf(" ", MOST_TITLE);
  return `${text.slice(0, cut > MOST_TITLE / 2 ? cut : MOST_TITLE)}…`;
}

/** "src/cart.ts:14", "src/cart.ts" or "no file". */
export function placeOf(row: FindingRow): string {
  if (row.file === null) return "no file";
  return row.line === null ? row.file : `${row.file}:${row.line}`;
}

/** The last part of a path written with `/`. */
export function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** The folder part of a path written with `/`; empty at the top. */
export function folderName(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf("/")));
}
