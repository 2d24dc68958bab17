import type { Hash } from "./ports.ts";

const QUOTE_CHARACTERS = /["'`´«»‘’‚‛“”„‟‹›]/g;
// A line number is only dropped where it is one: after a file name, after `#L`, or after the word "line".
const AFTER_FILE = /(\.[A-Za-z][A-Za-z0-9]{0,9})(?::\d+(?:[-–]\d+)?){1,3}/g;
const AFTER_HASH = /#L\d+(?:[-–]L?\d+)?/g;
const AFTER_WORD = /\b(lines?|ln|columns?|col)\.? ?#?\d+(?:(?: ?[-–,] ?| and | to )\d+)*/gi;

/**
 * The words of a finding that make its identity (R1.4, ruling 19): without line numbers and quote characters, white space folded;
 * what was quoted stays.
 */
export function canonicalText(message: string): string {
  return message
    .normalize("NFC")
    .replace(QUOTE_CHARACTERS, "")
    .replace(AFTER_FILE, "$1")
    .replace(AFTER_HASH, "")
    .replace(AFTER_WORD, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** What `findingKeys` needs of a finding. `file` is workspace-relative where it is known, else as cited, else null; `line` is 1-based. */
export interface Keyed {
  readonly file: string | null;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * One key a finding (C17): 20 hex digits of the hash of file and canonical text, then `-2`, `-3` ... for further occurrences in
 * one ingest. Occurrences are numbered by line and column, so the order of the input and other findings change nothing.
 */
export function findingKeys(findings: readonly Keyed[], hash: Hash): string[] {
  const groups = new Map<string, number[]>();
  for (const [index, finding] of findings.entries()) {
    const text = `${finding.file ?? ""}\n${canonicalText(finding.message)}`;
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [index]);
    else group.push(index);
  }
  const keys = new Map<number, string>();
  for (const [text, group] of groups) {
    const base = hash(text).slice(0, 20);
    const ordered = group.toSorted((a, b) => comparePlace(findings[a], findings[b]));
    for (const [nth, index] of ordered.entries()) keys.set(index, nth === 0 ? base : `${base}-${nth + 1}`);
  }
  return findings.map((_, index) => keys.get(index) ?? "");
}

function comparePlace(a: Keyed | undefined, b: Keyed | undefined): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

/**
 * The fingerprints of one ingest that may serve as identity (C17): a value that stands on more than one finding, is empty or holds
 * blanks identifies nothing. In: one record a finding; out: the trusted part of each, same order.
 */
export function trustedFingerprints(
  all: readonly Readonly<Record<string, string>>[],
): Readonly<Record<string, string>>[] {
  const seen = new Map<string, number>();
  for (const record of all) {
    for (const [name, value] of Object.entries(record)) {
      const id = `${name}\n${value}`;
      seen.set(id, (seen.get(id) ?? 0) + 1);
    }
  }
  return all.map((record) =>
    Object.fromEntries(
      Object.entries(record).filter(
        ([name, value]) => value !== "" && !/\s/.test(value) && seen.get(`${name}\n${value}`) === 1,
      ),
    ),
  );
}
