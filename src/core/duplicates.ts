import { canonicalText } from "./identity.ts";
import type { FindingStatus, HardFact } from "./finding.ts";
import type { Hash } from "./ports.ts";

/** What `clusterIds` needs of a finding. `file` is workspace-relative or null. */
export interface Clusterable {
  readonly file: string | null;
  readonly category: string | null;
  readonly rule: string | null;
  readonly message: string;
  readonly status: FindingStatus;
  readonly hard: HardFact | null;
}

// What a writer marks as code, and words that only code has: camelCase, snake_case, dotted, called, digits inside.
const QUOTED = /`[^`\n]{1,200}`|"[^"\n]{1,80}"|'[A-Za-z_$][\w$.]{0,80}'/g;
const CODE_WORD =
  /\b(?:[A-Za-z$_][\w$]*(?:\.[A-Za-z$_][\w$]*)+|[A-Za-z$_][\w$]*(?=\()|[a-z$]+[A-Z][\w$]*|\w*[A-Za-z]_\w+|_\w+|[A-Za-z]+\d\w*)/g;

/** The canonical text with every identifier replaced by one mark (C18): equal for two findings that differ only in names. */
export function maskedText(message: string): string {
  return canonicalText(message.replace(QUOTED, "§").replace(CODE_WORD, "§")).toLowerCase();
}

/**
 * What a finding clusters by (C18, ruling 11): file, category and masked text. Without a category the rule takes its place, so that
 * two defects on one line stay apart. Null for hard facts and findings without a file, which never cluster; the status is part of
 * it, so that one that is suppressed never answers for one that is open.
 */
export function clusterText(finding: Clusterable): string | null {
  if (finding.hard !== null || finding.file === null) return null;
  const kind = finding.category?.toLowerCase() ?? `rule:${finding.rule ?? ""}`;
  return [finding.file, kind, finding.status, maskedText(finding.message)].join("\n");
}

/** Exact clusters of some findings: each one's id, or null where it stands alone; in input order. */
export function clusterIds(findings: readonly Clusterable[], hash: Hash): (string | null)[] {
  const ids = findings.map(clusterText);
  const counts = new Map<string, number>();
  for (const id of ids) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return ids.map((id) => (id === null || counts.get(id) === 1 ? null : hash(`cluster\n${id}`, 20)));
}
