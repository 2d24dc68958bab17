import { labelOf } from "./labels.ts";
import { readPlaces } from "./places.ts";
import { readSeverity } from "./severityWords.ts";

// Header words by role; a column has the first role that fits and is still free. Words of other languages are those of the labels.
const ROLES = {
  severity: /^(?:severity|sev)$/i,
  location: /^(?:locations?|files?|paths?|where|affected(?: code| files?| locations?)?|file[ :/]+line|source)$/i,
  line: /^(?:lines?|line (?:no\.?|number)|lines? affected)$/i,
  category: /^(?:category|type|class|kind)$/i,
  fix: /^(?:(?:suggested |proposed |recommended )?fix(?:es)?|recommend\w*|remediation|mitigation|suggestions?)$/i,
  description:
    /^(?:descriptions?|issues?|findings?|problems?|titles?|summary|messages?|details?|vulnerabilit(?:y|ies)|what)$/i,
  id: /^(?:id|#|№|no\.?|nr\.?|(?:finding|issue|vuln\w*) ?(?:id|#|no\.?)|ref)$/i,
  rule: /^(?:rules?|rule ?id|check)$/i,
} as const;
/** What a column of a finding table holds. */
export type Role = keyof typeof ROLES;
const ORDER: readonly Role[] = ["severity", "location", "line", "category", "fix", "description", "id", "rule"];
const BY_LABEL: ReadonlyMap<string, Role> = new Map([
  ["severity", "severity"],
  ["location", "location"],
  ["lines", "line"],
  ["category", "category"],
  ["fix", "fix"],
  ["description", "description"],
  ["title", "description"],
  ["id", "id"],
  ["rule", "rule"],
]);
// Used as the severity only where no column is named so and its cells hold severities (R3.23 names Impact).
const MAYBE_SEVERITY = /^(?:impact|risk(?: level)?|level|priority|优先级|风险等级)$/i;

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly role: Role | null;
}

/** The roles of a table's columns, by name, then by what their cells hold. */
export function assignRoles(header: readonly string[], body: readonly (readonly string[])[]): Column[] {
  const taken = new Set<Role>();
  const columns = header.map((name): Column => {
    const role = roleOf(name.trim(), taken);
    if (role !== null) taken.add(role);
    return { name: name.trim(), role };
  });
  const byContent = (role: Role, fits: (column: Column, index: number) => boolean): void => {
    const index = taken.has(role) ? -1 : columns.findIndex((column, at) => column.role === null && fits(column, at));
    const column = columns[index];
    if (column === undefined) return;
    columns[index] = { name: column.name, role };
    taken.add(role);
  };
  const sample = body.slice(0, 200);
  const mostly = (index: number, test: (cell: string) => boolean): boolean =>
    sample.length > 0 && sample.filter((cells) => test(cells[index] ?? "")).length * 2 >= sample.length;
  byContent(
    "severity",
    (column, at) => MAYBE_SEVERITY.test(column.name) && mostly(at, (cell) => readSeverity(cell, {}) !== null),
  );
  byContent("location", (_, at) => mostly(at, (cell) => readPlaces(cell).some(({ span }) => span.line !== null)));
  return columns;
}

function roleOf(name: string, taken: ReadonlySet<Role>): Role | null {
  const role = ORDER.find((each) => !taken.has(each) && ROLES[each].test(name));
  if (role !== undefined) return role;
  // English words beyond those above mean other things at the head of a column: "Source", "Impact", "Status".
  const other = /^[ -~]*$/.test(name) ? undefined : BY_LABEL.get(labelOf(name) ?? "");
  return other === undefined || taken.has(other) ? null : other;
}

/** True for the five columns of R3.5, in any order. */
export function isFindingTable(columns: readonly Column[]): boolean {
  return (["location", "severity", "category", "description", "fix"] as const).every((role) =>
    columns.some((column) => column.role === role),
  );
}
