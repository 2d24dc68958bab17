import picomatch from "picomatch";
import { SEVERITIES, type Severity } from "../../core/finding.ts";
import type { FindingGroup, FindingsQuery, Grouping } from "../../protocol/query.ts";
import { cleanLine } from "../report/clean.ts";
import type { Indexed } from "./indexed.ts";

/** The value that a grouping groups by. */
export function groupOf(item: Indexed, by: Grouping): string {
  return by === "file" ? item.path : item[by];
}

/** True for findings that a query shows. `changed` holds the changed files, or null where they are not asked for or not known. */
export function matcher(query: FindingsQuery, changed: ReadonlySet<string> | null): (item: Indexed) => boolean {
  const words = wordsOf(query.text);
  const path = pathTest(query.path);
  const severities = new Set(query.severities);
  const states = new Set(query.states);
  const tools = new Set(query.tools);
  const rules = new Set(query.rules);
  const conditions: ((item: Indexed) => boolean)[] = [({ listed }) => listed];
  if (!query.suppressed) conditions.push(({ suppressed }) => !suppressed);
  if (!query.dismissed) conditions.push(({ dismissed }) => !dismissed);
  if (severities.size > 0) conditions.push(({ severity }) => severities.has(severity));
  if (tools.size > 0) conditions.push(({ tool }) => tools.has(tool));
  if (rules.size > 0) conditions.push(({ rule }) => rules.has(rule));
  if (query.changedOnly && changed !== null) conditions.push((item) => changed.has(item.path));
  if (path !== null) conditions.push((item) => path(item.path));
  if (states.size > 0) conditions.push(({ state }) => states.has(state));
  if (query.waiting) conditions.push(({ waiting }) => waiting);
  if (words.length > 0) conditions.push((item) => holdsAll(item, words));
  return (item) => conditions.every((condition) => condition(item));
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

function holdsAll({ message, path, rule, tool }: Indexed, words: readonly RegExp[]): boolean {
  return words.every((word) => word.test(message) || word.test(path) || word.test(rule) || word.test(tool));
}

/** Shown findings in groups; groups and members stand in the order of the view. */
export interface Grouped {
  readonly groups: readonly FindingGroup[];
  /** By the group's id. */
  readonly members: ReadonlyMap<string, readonly Indexed[]>;
}

/** Puts the shown findings into groups and counts them. */
export function groupsOf(shown: readonly Indexed[], by: Grouping): Grouped {
  const counted = new Map<string, Counted>();
  for (const item of shown) {
    const id = groupOf(item, by);
    let group = counted.get(id);
    if (group === undefined) {
      group = { id, members: [], waiting: 0, bySeverity: { P0: 0, P1: 0, P2: 0, Nit: 0 }, worst: 0 };
      counted.set(id, group);
    }
    group.members.push(item);
    group.bySeverity[item.severity] += 1;
    if (item.waiting) group.waiting += 1;
  }
  // What would hurt most stands first.
  for (const group of counted.values())
    group.worst = SEVERITIES.findIndex((severity) => group.bySeverity[severity] > 0);
  const sorted = [...counted.values()].sort(
    (a, b) => a.worst - b.worst || (by === "file" ? 0 : b.members.length - a.members.length) || compare(a.id, b.id),
  );
  return {
    groups: sorted.map(({ id, members, waiting, bySeverity }) => {
      return { id, label: cleanLine(id), total: members.length, waiting, bySeverity };
    }),
    members: new Map(sorted.map(({ id, members }) => [id, members])),
  };
}

interface Counted {
  readonly id: string;
  readonly members: Indexed[];
  waiting: number;
  readonly bySeverity: Record<Severity, number>;
  /** Position of the worst severity in it. */
  worst: number;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
