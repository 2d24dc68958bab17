import { endOfString } from "./jsonValues.ts";

/** A JSON document that was made valid: by dropping commas before closing brackets, and by leaving out an entry that was cut off. */
export interface RepairedJson {
  readonly value: unknown;
  /** What had to be done, as a sentence. */
  readonly problem: string;
  /** True where the text ends before the document does, so that entries are missing. */
  readonly isCut: boolean;
  /** 1-based line behind which nothing was read, or the first line that was mended. */
  readonly line: number;
}

// Deeper nesting is no report.
const DEEPEST = 200;

/**
 * Makes sense of what models and killed builds write: `[1, 2,]`, and documents that end in the middle of a list's entry (its whole entries
 * are kept, a half one never). Null where the text is broken in any other way.
 */
export function repairJson(text: string): RepairedJson | null {
  const scanned = scan(text);
  if (scanned === null || (scanned.commas.length === 0 && !scanned.isCut)) return null;
  const { commas, end, closers, isCut } = scanned;
  const pieces = [0, ...commas.map((comma) => comma + 1)].map((from, index) => text.slice(from, commas[index] ?? end));
  try {
    const value: unknown = JSON.parse(pieces.join("") + closers);
    const line = text.slice(0, isCut ? end : (commas[0] ?? 0)).split(/\r\n|\n|\r/).length;
    const problem = isCut
      ? "The file ends here in the middle of an entry; the entries before it were read."
      : "A comma too much stands here; the file was read all the same.";
    return { value, problem, isCut, line };
  } catch {
    return null;
  }
}

interface Scanned {
  /** Offsets of commas that nothing follows. */
  readonly commas: readonly number[];
  /** Where the last whole entry of a list ends; the text's end where nothing is missing. */
  readonly end: number;
  /** The brackets that are still open there. */
  readonly closers: string;
  readonly isCut: boolean;
}

function scan(text: string): Scanned | null {
  const token = /["{}[\],]|[^\s"{}[\],]+/g;
  const open: string[] = [];
  const commas: number[] = [];
  let comma = -1;
  let whole: { readonly end: number; readonly closers: string } | null = null;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [piece] = found;
    if (piece === ",") {
      comma = found.index;
      continue;
    }
    if (piece === '"') token.lastIndex = endOfString(text, token.lastIndex);
    else if (piece === "{" || piece === "[") open.push(piece === "{" ? "}" : "]");
    else if (piece === "}" || piece === "]") {
      if (comma !== -1) commas.push(comma);
      if (open.pop() !== piece) return null;
      // Only a list's entry is kept as the last one: half an object would read as a finding that says less than it did.
      if (open.at(-1) === "]") whole = { end: token.lastIndex, closers: open.toReversed().join("") };
    }
    if (open.length > DEEPEST) return null;
    comma = -1;
  }
  if (open.length === 0) return { commas, end: text.length, closers: "", isCut: false };
  if (whole === null) return null;
  const { end, closers } = whole;
  return { commas: commas.filter((each) => each < end), end, closers, isCut: true };
}
