import type { Mask, Repository } from "../ports.ts";
import { maskLines } from "../lines.ts";
import { type Piece, PIECE_KINDS, type Stretch, tokensOf } from "./pack.ts";

/** Most tokens of a pack: what it costs to send to a model, and what a person reads in a minute. */
export const MOST_TOKENS = 3500;
/** Stretches with fewer lines between them are shown as one. */
const GAP = 2;

/** What fits, and what does not. */
export interface Cut {
  readonly pieces: readonly Piece[];
  /** Sum of the pieces. */
  readonly tokens: number;
  readonly left: readonly Stretch[];
}

interface Budgeted {
  readonly repository: Repository;
  readonly mask: Mask;
}

/**
 * Reads stretches, most telling first, until the budget is spent; what did not fit is given back. Overlapping ones become one
 * piece. Files are masked whole before they are cut, because half a secret is no secret to a mask.
 */
export async function cutPack(stretches: readonly Stretch[], ports: Budgeted, most = MOST_TOKENS): Promise<Cut> {
  const texts = new Map<string, readonly string[] | null>();
  const read = async (file: string): Promise<readonly string[] | null> => {
    if (!texts.has(file)) {
      const text = await ports.repository.text(file);
      texts.set(file, text === null ? null : maskLines(text.lines, ports.mask));
    }
    return texts.get(file) ?? null;
  };
  let pieces: Piece[] = [];
  const left: Stretch[] = [];
  for (const stretch of stretches.toSorted((a, b) => rank(a) - rank(b))) {
    const lines = await read(stretch.file);
    const bounded = lines === null ? null : within(stretch, lines.length);
    if (lines === null || bounded === null) continue;
    const joined = join(pieces, bounded, lines);
    if (total(joined) <= most || pieces.length === 0) pieces = joined;
    else left.push(bounded);
  }
  return { pieces: grouped(pieces), tokens: total(pieces), left };
}

function rank({ kind }: Stretch): number {
  return PIECE_KINDS.indexOf(kind);
}

function within(stretch: Stretch, length: number): Stretch | null {
  const line = Math.max(1, stretch.line);
  const endLine = Math.min(length, stretch.endLine);
  return line > endLine ? null : { ...stretch, line, endLine };
}

/** The pieces with one more stretch: beside the others, or as part of those it touches. */
function join(pieces: readonly Piece[], stretch: Stretch, lines: readonly string[]): Piece[] {
  const touching = pieces.filter(
    (piece) =>
      piece.file === stretch.file && piece.line <= stretch.endLine + GAP && stretch.line <= piece.endLine + GAP,
  );
  const line = Math.min(stretch.line, ...touching.map((piece) => piece.line));
  const endLine = Math.max(stretch.endLine, ...touching.map((piece) => piece.endLine));
  const [first = stretch] = touching;
  const whys = [...touching.map(({ why }) => why), stretch.why].flatMap((why) => why.split("; "));
  const text = lines.slice(line - 1, endLine);
  const piece: Piece = {
    kind: first.kind,
    file: stretch.file,
    line,
    endLine,
    why: [...new Set(whys)].join("; "),
    text,
    tokens: tokensOf(text),
  };
  const at = pieces.findIndex((each) => touching.includes(each));
  const others = pieces.filter((each) => !touching.includes(each));
  return at < 0 ? [...pieces, piece] : others.toSpliced(at, 0, piece);
}

function total(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Pieces of one file together, files in the order of their most telling piece. */
function grouped(pieces: readonly Piece[]): Piece[] {
  return [...Map.groupBy(pieces, ({ file }) => file).values()].flatMap((ofFile) =>
    ofFile.toSorted((a, b) => a.line - b.line),
  );
}

/** `src/a.ts:3-9`. */
export function placeWords({ file, line, endLine }: Stretch): string {
  return line === endLine ? `${file}:${line}` : `${file}:${line}-${endLine}`;
}
