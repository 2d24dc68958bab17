import { fold } from "../../core/citation.ts";
import type { Finding } from "../../core/finding.ts";
import type { SourceText } from "../../core/ports.ts";

/** What a flagged region read like when its finding was placed: the thing that is followed through edits. */
interface Anchor {
  /** Flagged lines, white space folded. */
  readonly text: string;
  /** 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
}

/** Follows flagged regions through the edits of their files. */
export class Follower {
  readonly #anchors = new Map<string, Anchor & { readonly file: string }>();
  readonly #texts = new Map<string, readonly string[]>();

  /** Remembers what a finding's flagged lines read like; `text` is its file now, null where there is none. */
  place(finding: Finding, text: SourceText | null): void {
    const { line, endLine } = finding.place;
    if (text === null || line === null || line > text.lines.length) {
      this.#anchors.delete(finding.key);
      return;
    }
    const last = Math.max(line, endLine ?? line);
    this.#texts.set(text.file, text.lines);
    this.#anchors.set(finding.key, { file: text.file, text: regionText(text.lines, line, last), line, endLine: last });
  }

  /**
   * A file reads differently now. The answer tells for each key where its region stands: a 1-based line, null where its
   * text is gone, `unknown` where it was never placed in this file.
   */
  edit(file: string, now: readonly string[]): (key: string) => number | "unknown" | null {
    const before = this.#texts.get(file) ?? now;
    this.#texts.set(file, now);
    return (key) => {
      const anchor = this.#anchors.get(key);
      if (anchor?.file !== file) return "unknown";
      const line = follow(anchor, before, now);
      if (line !== null) this.#anchors.set(key, { ...anchor, line, endLine: anchor.endLine + line - anchor.line });
      return line;
    };
  }
}

/** Where an anchor stands now: 1-based line, or null where its text is gone. */
export function follow(anchor: Anchor, before: readonly string[], now: readonly string[]): number | null {
  const expected = anchor.line + shiftAt(anchor.line, before, now);
  if (anchor.text === "") return expected;
  const height = anchor.endLine - anchor.line;
  if (regionText(now, expected, expected + height) === anchor.text) return expected;
  let best: number | null = null;
  for (let line = 1; line + height <= now.length; line += 1) {
    const nearer = best === null || Math.abs(line - expected) < Math.abs(best - expected);
    if (nearer && regionText(now, line, line + height) === anchor.text) best = line;
  }
  return best;
}

/** By how many lines an edit moved a line: lines after the first changed one move with the text's length. */
function shiftAt(line: number, before: readonly string[], now: readonly string[]): number {
  let same = 0;
  while (same < before.length && same < now.length && before[same] === now[same]) same += 1;
  return line <= same ? 0 : now.length - before.length;
}

function regionText(lines: readonly string[], line: number, endLine: number): string {
  return line < 1 ? "" : fold(lines.slice(line - 1, endLine).join("\n"));
}
