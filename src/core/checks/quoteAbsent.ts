import type { Atom } from "../check.ts";
import type { Finding } from "../finding.ts";
import { findQuote, foldCode, foldLines, hidesSecret, quoteWeight } from "../quoteSearch.ts";
import { closestShare, namesIn, tokensOf } from "../tokens.ts";
import { type Ground, groundOf, type Premise, premiseAtom, searchWord } from "./absent.ts";
import { type CheckContext, citeFirstLine, result } from "./check.ts";

const NAME = "quote-absent";
/** Share of a quote's tokens from which a stretch of code may be what was meant, anywhere and in the cited file. */
export const LIKE_ANYWHERE = 0.85;
export const LIKE_IN_FILE = 0.7;
/** Letters and digits of a quote that can be missed: "}" stands everywhere. */
const ENOUGH = 8;
const MOST_TOKENS = 120;
const MOST_FILES = 60;
/** Tokens that a piece of a quote keeps at least. */
const FEWEST_INNER = 3;

/**
 * Class 8: the code that a finding quotes and rests on is nowhere. Refuted only where the reviewed tree, ignored files, both sides
 * of the change and the history hold neither the quote nor anything like it, and every sentence speaks about the quoted code.
 */
export async function checkQuoteAbsent(
  finding: Finding,
  atoms: readonly Atom[],
  context: CheckContext,
): Promise<Premise> {
  const { quote } = finding;
  const { file } = finding.place;
  if (quote === null || file === null || quoteWeight(quote) < ENOUGH || hidesSecret(quote))
    return { kind: "open", result: null };
  const text = await context.repository.text(file);
  if (text === null || findQuote(foldLines(text.lines), quote, null) !== null) return { kind: "open", result: null };
  const open = (why: string): Premise => ({
    kind: "open",
    result: result(NAME, null, "unknown", `The quoted code is not in ${file}. ${why}`),
  });
  if (text.truncated) return open("Only the head of this large file was read.");
  if (!restsOn(quote, atoms)) return open("The finding says more than what it quotes, so that alone settles nothing.");
  if (ESCAPED.test(quote)) return open("It is written with escapes, so the code itself may look otherwise.");
  const ground = await groundOf(finding, context);
  if (typeof ground === "string") return open(ground);
  const named = await otherAnchor(quote, atoms, context);
  if (named !== null) return open(`It also names ${named}, which may be what is meant.`);
  const seen = await findLike(quote, file, ground, context);
  if (typeof seen === "string") return open(seen);
  if (sharesNames(quote, text.lines))
    return open("Most of its names stand in this file: it may be told in other words.");
  const atom = premiseAtom(8, atoms.length, `${context.mask(quote)} stands in ${file}`, file);
  const citations = await citeFirstLine(file, context);
  const said = `The quoted code is neither in ${file} nor anywhere else: not in ignored files, not on the other side of the change, not in the history, and nothing is like it.`;
  return { kind: "refuted", result: result(NAME, atom, "refuted", said, citations, seen) };
}

/** Characters as markup or JSON write them. */
const ESCAPED = /&(?:nbsp|amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);|\\u[\da-f]{4}|\\x[\da-f]{2}/i;
/** Share of a quote's names from which a file that holds them may hold what was meant. */
const NAMES_IN_FILE = 2 / 3;

/** True where the file holds most names of the quote, letter case aside: `total(cart)` may stand for the function that takes a cart. */
function sharesNames(quote: string, lines: readonly string[]): boolean {
  const names = [...new Set(namesIn(quote).map((name) => name.toLowerCase()))];
  const there = new Set(lines.flatMap(namesIn).map((name) => name.toLowerCase()));
  return names.length > 0 && names.filter((name) => there.has(name)).length / names.length >= NAMES_IN_FILE;
}

/** True where every part that carries weight holds the quoted code itself. */
function restsOn(quote: string, atoms: readonly Atom[]): boolean {
  const wanted = foldCode(quote).replace(/;+$/, "");
  const weighty = atoms.filter(({ weight }) => weight);
  return weighty.length > 0 && weighty.every(({ text }) => foldCode(text).includes(wanted));
}

/** A name in the claim, outside the quote, that the tree knows or that could not be searched; null where there is none. */
async function otherAnchor(quote: string, atoms: readonly Atom[], context: CheckContext): Promise<string | null> {
  const own = new Set(namesIn(quote));
  for (const name of codeNames(atoms.map(({ text }) => text).join("\n"))) {
    if (own.has(name)) continue;
    const found = await searchWord(name, context);
    if (found === null || found.files.length > 0) return name;
  }
  return null;
}

/** Names that a text writes as code: in backticks, with a call behind, or spelled as only code is. */
export function codeNames(text: string): string[] {
  const spans = Array.from(text.matchAll(/`([^`\n]{1,300})`/g), ([, span]) => namesIn(span ?? "")).flat();
  const bare = text.match(/[A-Za-z_$][\w$]*(?=\()|\b[a-z$_][a-z0-9]*[A-Z][\w$]*|\b[A-Za-z0-9]+_\w+/g) ?? [];
  return [...new Set([...spans, ...bare])].filter((name) => name.length > 1);
}

/**
 * Receipts of having found nothing like the quote; or a sentence about what was found, or could not be searched. A stretch in which
 * at most `spare` tokens differ still holds one of `spare + 1` names: only files with one of them need to be read.
 */
async function findLike(
  quote: string,
  file: string,
  ground: Ground,
  context: CheckContext,
): Promise<string[] | string> {
  const pieces = piecesOf(quote);
  const tokens = pieces.flat();
  const spare = Math.floor(tokens.length * (1 - LIKE_ANYWHERE) + 1e-9);
  const names = namesIn(tokens.join(" ")).slice(0, spare + 1);
  if (tokens.length > MOST_TOKENS || names.length < spare + 1)
    return "It holds too few names for its absence to be shown.";
  const here = await shareIn(file, tokens, context);
  if (here >= LIKE_IN_FILE) return `Some code of this file has ${percent(here)} of it.`;
  const receipts: string[] = [];
  const files = new Set<string>();
  for (const name of names) {
    const found = await searchWord(name, context);
    if (found === null) return `The search for ${name} was not complete.`;
    receipts.push(found.receipt);
    for (const hit of found.files) files.add(hit);
  }
  if (files.size > MOST_FILES) return `${files.size} files would have to be read to show that it is nowhere.`;
  for (const other of files) {
    const text = await context.repository.text(other);
    const whole = text !== null && findQuote(foldLines(text.lines), quote, null) !== null;
    const share = await shareIn(other, tokens, context);
    if (whole || share >= LIKE_ANYWHERE) return `Something like it stands in ${other}.`;
  }
  for (const { file: changed, removed } of ground.sides) {
    const gone = removed.map(({ text }) => text);
    if (
      findQuote(foldLines(gone), quote, null) !== null ||
      closestShare(tokens, tokensOf(gone.join("\n"))) >= LIKE_IN_FILE
    )
      return `The change under review takes such code out of ${changed}.`;
  }
  const past = await ground.history.everHeld(heaviest(pieces), context.signal);
  if (past !== false) return past === null ? "The history could not be searched." : "Earlier commits held it.";
  return receipts;
}

/** The largest share of the tokens in one file; 1 where it cannot be read whole, so that nothing rests on it. */
async function shareIn(file: string, tokens: readonly string[], context: CheckContext): Promise<number> {
  context.signal.throwIfAborted();
  const text = await context.repository.text(file);
  return text === null || text.truncated ? 1 : closestShare(tokens, tokensOf(text.lines.join("\n")));
}

/**
 * The tokens of each line or part of a quote. A reviewer may cut code in the middle of a word, so a word at either end is left
 * out where enough is left.
 */
function piecesOf(quote: string): string[][] {
  const pieces = quote.split(/\r\n|\n|\r|…|\.{3}/).map((piece) => {
    const tokens = tokensOf(piece);
    const from = tokens.length > FEWEST_INNER && isWord(tokens[0]) ? 1 : 0;
    const to = tokens.length - from > FEWEST_INNER && isWord(tokens.at(-1)) ? tokens.length - 1 : tokens.length;
    return tokens.slice(from, to);
  });
  return pieces.filter((tokens) => tokens.length > 0);
}

function isWord(token: string | undefined): boolean {
  return token !== undefined && /^[\p{L}\p{N}_$]/u.test(token);
}

function heaviest(pieces: readonly string[][]): string[] {
  return pieces.reduce((best, tokens) => (tokens.join("").length > best.join("").length ? tokens : best), []);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
