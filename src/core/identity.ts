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

type Spot = Pick<Keyed, "line" | "column">;

/** The key before occurrences are numbered: 20 hex digits of the hash of file and canonical text (C17). */
export function baseKey(file: string | null, message: string, hash: Hash): string {
  return hash(`${file ?? ""}\n${canonicalText(message)}`, BASE_LENGTH);
}

const BASE_LENGTH = 20;

/** The base key of a key whose occurrence may have been numbered. */
export function baseOf(key: string): string {
  return key.length === BASE_LENGTH ? key : key.slice(0, BASE_LENGTH);
}

/**
 * One key a finding (C17): its base key, then `-2`, `-3` ... for further occurrences in one ingest. Occurrences are numbered by
 * line and column, so the order of the input and other findings change nothing. `spotOf` tells where the finding at an index stands.
 */
export function numberKeys(bases: readonly string[], spotOf: (index: number) => Spot | undefined): string[] {
  const keys = [...bases];
  const firsts = new Map<string, number>();
  // Few keys repeat: a list for each of half a million would be half a million lists.
  const groups = new Map<string, number[]>();
  for (const [index, key] of bases.entries()) {
    const first = firsts.get(key);
    const group = groups.get(key);
    if (first === undefined) firsts.set(key, index);
    else if (group === undefined) groups.set(key, [first, index]);
    else group.push(index);
  }
  for (const [key, group] of groups) {
    const ordered = group.toSorted((a, b) => comparePlace(spotOf(a), spotOf(b)));
    for (const [nth, index] of ordered.entries()) if (nth > 0) keys[index] = `${key}-${nth + 1}`;
  }
  return keys;
}

/** The keys of one ingest, same order. */
export function findingKeys(findings: readonly Keyed[], hash: Hash): string[] {
  const bases = findings.map(({ file, message }) => baseKey(file, message, hash));
  return numberKeys(bases, (index) => findings[index]);
}

function comparePlace(a: Spot | undefined, b: Spot | undefined): number {
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
