import type { Claimed } from "../../finding.ts";
import type { Found, Unranked } from "./piece.ts";
import { ranked, worse } from "./piece.ts";
import type { ReadSeverity } from "./severityWords.ts";

/** The findings of a report, each once, and what describes none of them and has no rank of its own. */
export interface Merged {
  readonly claimed: readonly Claimed[];
  readonly unranked: readonly Found[];
}

/** One finding and all that tells of it; `detail` is the richest. */
interface Told {
  detail: Found;
  others: Found[];
}

/**
 * A summary table and its detail sections count once: what has the same id, or the same number or title with a likeness, is one finding.
 * The section keeps its words; a rank of its own wins over one of the section around it, and of two the worse one. Two rows, or two
 * sections, never become one: nothing is lost. Linear but for titles that share rare words.
 */
export function mergeFound(all: readonly Found[]): Merged {
  const sections = all.filter(({ shape }) => shape === "section");
  const told = new Map<Found, Told>(sections.map((detail) => [detail, { detail, others: [] }]));
  const index = indexOf(sections);
  const rest: Told[] = [];
  for (const found of all) {
    if (found.shape === "section") continue;
    const detail = index.find(found);
    const known = detail === null ? undefined : told.get(detail);
    if (known === undefined) rest.push({ detail: found, others: [] });
    else known.others.push(found);
  }
  const ordered = [...told.values(), ...mergeLoose(rest)].sort((a, b) => a.detail.line - b.detail.line);
  const done = ordered.map((each) => ({ each, claimed: join(each) }));
  return {
    claimed: done.flatMap(({ claimed }) => (claimed === null ? [] : [claimed])),
    unranked: done.filter(({ claimed }) => claimed === null).map(({ each }) => each.detail),
  };
}

/** Rows, items and lines that no section details: a line of a summary, or a block of JSON, repeats what is told elsewhere. */
function mergeLoose(rest: readonly Told[]): Told[] {
  const repeats = ({ detail }: Told): boolean => detail.shape === "json" || (detail.summary && detail.shape !== "row");
  const own = rest.filter((each) => !repeats(each));
  // Most reports repeat nothing, and an index of thousands of titles takes its time.
  const index = own.length < rest.length ? indexOf(own.map(({ detail }) => detail)) : null;
  const byDetail = new Map(own.map((each) => [each.detail, each]));
  const kept = [...own];
  const items = new Map(
    own.filter(({ detail }) => detail.shape !== "row" && detail.id !== null).map((each) => [each.detail.id, each]),
  );
  for (const each of rest) {
    if (!repeats(each)) continue;
    const found = index?.find(each.detail) ?? null;
    const known = found === null ? undefined : byDetail.get(found);
    if (known === undefined) kept.push(each);
    else known.others.push(each.detail);
  }
  // A row and a bullet of the same id are one; so are two bullets.
  const gone = new Set<Told>();
  for (const each of own) {
    const item = each.detail.id === null ? undefined : items.get(each.detail.id);
    if (item === undefined || item === each || gone.has(item)) continue;
    item.others.push(each.detail, ...each.others);
    gone.add(each);
    if (each.detail.shape === "row") items.delete(each.detail.id);
  }
  return kept.filter((each) => !gone.has(each));
}

interface Index {
  /** What details this one; each detail is given at most once to rows, and at most once to all else. */
  readonly find: (found: Found) => Found | null;
}

function indexOf(details: readonly Found[]): Index {
  if (details.length === 0) return { find: () => null };
  const byId = groupBy(details, ({ id }) => (id === null ? [] : [id.toUpperCase()]));
  const byNumber = groupBy(details, ({ number }) => (number === null ? [] : [number]));
  const byTitle = groupBy(details, ({ title }) => (title === "" ? [] : [canonical(title)]));
  const byWord = groupBy(details, ({ title }) => [...wordsOf(title)]);
  const byPlace = groupBy(details, (each) => placeKey(each));
  const taken = new Set<string>();
  const free = (detail: Found, found: Found): boolean => !taken.has(`${detail.line} ${found.shape} ${found.summary}`);
  const first = (list: readonly Found[] | undefined, found: Found, fits: (detail: Found) => boolean): Found | null =>
    (list ?? []).slice(0, 40).find((detail) => free(detail, found) && fits(detail)) ?? null;
  return {
    find(found) {
      const id = found.id?.toUpperCase() ?? "";
      const same = (byId.get(id) ?? []).find((detail) => free(detail, found)) ?? null;
      const detail =
        same ??
        (byId.has(id)
          ? null
          : (first(byTitle.get(canonical(found.title)), found, (each) => agree(each, found)) ??
            first(byNumber.get(found.number ?? ""), found, (each) => agree(each, found) && alike(each, found)) ??
            first(
              rareWords(found, byWord),
              found,
              (each) => agree(each, found) && sameRank(each, found) && overlap(each, found),
            ) ??
            first(
              placeKey(found).flatMap((key) => byPlace.get(key) ?? []),
              found,
              (each) => agree(each, found) && sameRank(each, found) && shareWord(each, found),
            )));
      if (detail !== null) taken.add(`${detail.line} ${found.shape} ${found.summary}`);
      return detail;
    },
  };
}

function groupBy(all: readonly Found[], keysOf: (found: Found) => readonly string[]): Map<string, Found[]> {
  const groups = new Map<string, Found[]>();
  for (const each of all) {
    for (const key of keysOf(each)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [each]);
      else known.push(each);
    }
  }
  return groups;
}

/** Two ids, or two files, are two findings. */
function agree(detail: Found, found: Found): boolean {
  if (detail.id !== null && found.id !== null && detail.id.toUpperCase() !== found.id.toUpperCase()) return false;
  const [a, b] = [detail.body.path, found.body.path];
  return a === null || b === null || fileName(a) === fileName(b);
}

function sameRank(detail: Found, found: Found): boolean {
  return detail.severity === null || found.severity === null || detail.severity.severity === found.severity.severity;
}

function alike(detail: Found, found: Found): boolean {
  const places = placeKey(detail).some((key) => placeKey(found).includes(key));
  const file = detail.body.path !== null && found.body.path !== null;
  const unsaid = found.title === "" && sameRank(detail, found);
  return places || unsaid || shareWord(detail, found) || (file && sameRank(detail, found));
}

function placeKey({ body }: Found): readonly string[] {
  return body.path === null || body.span.line === null ? [] : [`${fileName(body.path)}:${body.span.line}`];
}

function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
}

/** A title as it is compared: lower case, words only. */
export function canonical(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function wordsOf(title: string): ReadonlySet<string> {
  const words = canonical(title.slice(0, 300)).split(" ");
  // CJK has no blanks between words: pairs of its characters stand for them.
  const pairs = words.flatMap((word) =>
    /[\u2e80-\u9fff\uac00-\ud7af]/.test(word)
      ? Array.from(word.slice(0, 60)).map((_, at, all) => `${all[at]}${all[at + 1] ?? ""}`)
      : [word],
  );
  return new Set(pairs.filter((word) => word.length >= 4 || /[\u2e80-\u9fff]/.test(word)));
}

function shareWord(detail: Found, found: Found): boolean {
  const words = wordsOf(found.title === "" ? found.body.message : found.title);
  return [...wordsOf(detail.title)].some((word) => words.has(word));
}

/** Nearly all words of the shorter title stand in the longer one. A line of a summary may be looser. */
function overlap(detail: Found, found: Found): boolean {
  const [a, b] = [wordsOf(detail.title), wordsOf(found.title)];
  const size = Math.min(a.size, b.size);
  const common = [...a].filter((word) => b.has(word)).length;
  return size >= 2 && common >= 2 && common / size >= (found.summary ? 0.6 : 0.75);
}

/** Details that share a word which few have. */
function rareWords(found: Found, byWord: ReadonlyMap<string, readonly Found[]>): readonly Found[] {
  const lists = [...wordsOf(found.title)]
    .map((word) => byWord.get(word) ?? [])
    .filter((list) => list.length > 0 && list.length <= 24);
  return lists
    .sort((a, b) => a.length - b.length)
    .slice(0, 4)
    .flat();
}

function join({ detail, others }: Told): Claimed | null {
  const told = [detail, ...others];
  const own = told
    .filter(({ inherited }) => !inherited)
    .reduce<ReadSeverity | null>((worst, { severity }) => worse(worst, severity), null);
  const severity = own ?? told.reduce<ReadSeverity | null>((worst, each) => worse(worst, each.severity), null);
  if (severity === null) return null;
  const body = others.reduce<Unranked>((known, other) => enrich(known, other.body), detail.body);
  // A bullet that explains a row does not repeat its title.
  const row = detail.shape === "item" ? others.find(({ shape }) => shape === "row") : undefined;
  const repeats = row === undefined || canonical(body.message).includes(canonical(row.body.message));
  return ranked(repeats ? body : { ...body, message: `${row.body.message}\n${body.message}` }, severity);
}

/** What a row or bullet says and the section does not: place, id, fix, category, and its text for the gate. */
function enrich(body: Unranked, other: Unranked): Unranked {
  const placed = body.path !== null || other.path === null;
  const lined = body.span.line !== null || other.span.line === null;
  const text = [body.extra["text"], other.extra["text"]].filter((part) => typeof part === "string").join("\n");
  return {
    ...body,
    path: placed ? body.path : other.path,
    span: lined ? body.span : other.span,
    sourceId: body.sourceId ?? other.sourceId,
    rule: body.rule ?? other.rule,
    category: body.category ?? other.category,
    fix: body.fix ?? other.fix,
    helpUri: body.helpUri ?? other.helpUri,
    finderConfidence: body.finderConfidence ?? other.finderConfidence,
    cwe: [...new Set([...body.cwe, ...other.cwe])],
    related: body.related.length > 0 ? body.related : other.related,
    extra: { ...other.extra, ...body.extra, text },
  };
}
