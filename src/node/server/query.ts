import picomatch from "picomatch";
import { SEVERITIES, type Severity } from "../../core/finding.ts";
import type { FindingGroup, FindingsQuery, Grouping } from "../../protocol/query.ts";
import { type Entry, stateOf, waitsForPerson } from "../engine/entry.ts";
import { cleanLine } from "../report/clean.ts";

/** A finding's workspace-relative path, or the one its source wrote; empty where there is none. */
export function pathOf({ finding }: Entry): string {
  return finding.place.file ?? finding.citedPath ?? "";
}

/** The value that a grouping groups by. */
export function groupOf(entry: Entry, by: Grouping): string {
  if (by === "file") return pathOf(entry);
  if (by === "rule") return entry.finding.rule ?? "";
  if (by === "severity") return entry.finding.severity;
  return by === "tool" ? entry.finding.tool : stateOf(entry);
}

/** True for listed entries that a query shows. `changed` holds the changed files, or null where they are not asked for or not known. */
export function matcher(query: FindingsQuery, changed: ReadonlySet<string> | null): (entry: Entry) => boolean {
  const words = wordsOf(query.text);
  const path = pathTest(query.path);
  const severities = new Set(query.severities);
  const states = new Set(query.states);
  const tools = new Set(query.tools);
  const rules = new Set(query.rules);
  const conditions: ((entry: Entry) => boolean)[] = [];
  if (!query.suppressed) conditions.push(({ finding }) => finding.status === "open");
  // A dismissal that the code outgrew is open again, so it is shown again.
  if (!query.dismissed)
    conditions.push(({ decided, staleReason }) => decided?.decision !== "dismissed" || staleReason !== null);
  if (severities.size > 0) conditions.push(({ finding }) => severities.has(finding.severity));
  if (tools.size > 0) conditions.push(({ finding }) => tools.has(finding.tool));
  if (rules.size > 0) conditions.push(({ finding }) => rules.has(finding.rule ?? ""));
  if (query.changedOnly && changed !== null) conditions.push(({ finding }) => changed.has(finding.place.file ?? ""));
  if (path !== null) conditions.push((entry) => path(pathOf(entry)));
  if (states.size > 0) conditions.push((entry) => states.has(stateOf(entry)));
  if (query.waiting) conditions.push(waitsForPerson);
  if (words.length > 0) conditions.push((entry) => holdsAll(entry, words));
  return (entry) => conditions.every((condition) => condition(entry));
}

function pathTest(path: string): ((file: string) => boolean) | null {
  const wanted = path.trim();
  if (wanted === "") return null;
  if (/[*?{[]/.test(wanted)) return picomatch(wanted, { dot: true, nocase: true });
  const part = wanted.toLowerCase();
  return (file) => file.toLowerCase().includes(part);
}

/** One test a word. A pattern without regard to case makes no copy of the text, which matters for 100,000 of them. */
function wordsOf(text: string): RegExp[] {
  const words = text.split(/\s+/).filter(Boolean);
  return words.map((word) => new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i"));
}

function holdsAll(entry: Entry, words: readonly RegExp[]): boolean {
  const { message, rule, tool } = entry.finding;
  return words.every(
    (word) => word.test(message) || word.test(pathOf(entry)) || (rule !== null && word.test(rule)) || word.test(tool),
  );
}

/** Counts the groups of the shown entries; the order is that of the view. */
export function groupsOf(shown: readonly Entry[], by: Grouping): FindingGroup[] {
  const groups = new Map<string, { total: number; waiting: number; bySeverity: Record<Severity, number> }>();
  for (const entry of shown) {
    const id = groupOf(entry, by);
    let group = groups.get(id);
    if (group === undefined) {
      group = { total: 0, waiting: 0, bySeverity: { P0: 0, P1: 0, P2: 0, Nit: 0 } };
      groups.set(id, group);
    }
    group.total += 1;
    group.bySeverity[entry.finding.severity] += 1;
    if (waitsForPerson(entry)) group.waiting += 1;
  }
  const found = [...groups].map(([id, group]) => ({ id, label: cleanLine(id), ...group }));
  if (by === "severity") return found.sort((a, b) => rank(a.id) - rank(b.id));
  return found.sort(
    (a, b) => worst(a) - worst(b) || (by === "file" ? compare(a.id, b.id) : b.total - a.total || compare(a.id, b.id)),
  );
}

function rank(severity: string): number {
  return SEVERITIES.findIndex((known) => known === severity);
}

/** Position of a group's worst severity: what would hurt most stands first. */
function worst(group: FindingGroup): number {
  return SEVERITIES.findIndex((severity) => group.bySeverity[severity] > 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
