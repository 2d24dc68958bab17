import type { Hash } from "./ports.ts";

/** A piece of data between marks that its own content cannot hold: each mark depends on the whole of it. */
export function fenceData(label: string, content: string, hash: Hash): string {
  return fenceWith(hash(`${label}\n${content}`, 16), label, content);
}

/** The same with a mark that depends on more than this one piece. */
export function fenceWith(mark: string, label: string, content: string): string {
  return `<<<${label} ${mark}\n${content}\n${mark} ${label}>>>`;
}

/** Words of the program that may quote a path or what a tool printed, outside a fence or as one line of a list: short, and on one line. */
export function oneLine(text: string, most = 600): string {
  return text.replace(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, " ").slice(0, most);
}

/** A path outside a fence: one that is no plain path is shown as a JSON string, so that it cannot pass for more. */
export function plainPath(path: string): string {
  return /^[\w./@+ ()[\]-]{1,300}$/.test(path) ? path : quoted(path);
}

/** A text outside a fence as a JSON string in which also the characters that nobody sees are written out. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
