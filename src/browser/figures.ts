import type { PanelState } from "../protocol/panel.ts";
import type { Receipt, Reproduction } from "./shapes.ts";

/** "850 ms", "1.2 s", "2 min 5 s". */
export function durationWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** "4 model calls, 8,123 tokens in, 512 tokens out"; a reviewer that calls no model costs nothing. */
export function costWords({ calls, prompt, completion }: PanelState["cost"]): string {
  if (calls === 0) return "No model calls, no tokens.";
  const tokens = prompt + completion === 0 ? "" : `, ${group(prompt)} tokens in, ${group(completion)} tokens out`;
  return `${group(calls)} model ${calls === 1 ? "call" : "calls"}${tokens}.`;
}

/** "1 call, 2,100 tokens in, 160 out"; what was kept from earlier cost nothing. */
export function ledgerWords({ calls, prompt, completion, cached }: PanelState["ledger"][number]): string {
  const kept = cached === 0 ? "" : `${group(cached)} from earlier answers`;
  if (calls === 0) return kept === "" ? "no call" : kept;
  const asked = `${group(calls)} ${calls === 1 ? "call" : "calls"}, ${group(prompt)} tokens in, ${group(completion)} out`;
  return kept === "" ? asked : `${asked}; ${kept}`;
}

function group(count: number): string {
  return count.toLocaleString("en");
}

/** The exact argument list as one line: an argument that holds anything but plain characters is quoted, so that its borders show. */
export function commandLine(argv: readonly string[]): string {
  return argv.map((part) => quoted(part)).join(" ");
}

function quoted(part: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(part)) return part;
  return part.includes("'") ? JSON.stringify(part) : `'${part}'`;
}

/** "exit 0", or that there was none. */
export function exitWords({ exitCode }: Receipt): string {
  return exitCode === null ? "no exit code" : `exit ${exitCode}`;
}

/** "round 2", "the arbiter", "a check": who asked for a run. */
export function askedBy(by: string): string {
  const round = /^round-([123])$/.exec(by)?.[1];
  if (round !== undefined) return `round ${round}`;
  const refuter = /^refuter-(\d+)-(\d+)-(.+)$/s.exec(by);
  if (refuter !== null) {
    const [, pass, nth, lens] = refuter;
    return `refuter ${nth}${pass === "1" ? "" : ` of pass ${pass}`} (${lens})`;
  }
  if (by === "refuters-scope") return "the look at what refuters left out";
  if (by === "second-opinion") return "the second opinion";
  if (by === "rebuttal") return "the second opinion, after the objection";
  if (by === "arbiter") return "the arbiter";
  if (by === "pack") return "the evidence";
  if (by === "person") return "a person";
  return by === "check" ? "a check" : by;
}

/** How a reproduction ended, and that this alone says nothing about the finding. */
export function runEndWords(run: Exclude<Reproduction["run"], null | { readonly kind: "running" }>): string {
  if (run.kind === "failed") return `It did not run to its end: ${run.why} That says nothing about the finding.`;
  const { exitCode, durationMs } = run.receipt;
  const how = exitCode === null ? "without an exit code" : `with exit code ${exitCode}`;
  return `It ended ${how} after ${durationWords(durationMs)}. That settles nothing by itself: what it printed is yours to judge.`;
}

/** "3 lines kept of a longer output". */
export function keptWords({ lines, truncated }: Receipt): string {
  const count = lines.length === 1 ? "1 line" : `${group(lines.length)} lines`;
  if (lines.length === 0) return truncated ? "output cut, no line kept" : "no output";
  return truncated ? `${count} kept of a longer output` : `${count} kept`;
}

/** "src/a.ts:4" or "src/a.ts:4-6"; lines 1-based and inclusive. */
export function placeWords(file: string, line: number | null, endLine: number | null): string {
  if (line === null) return file;
  return endLine === null || endLine <= line ? `${file}:${line}` : `${file}:${line}-${endLine}`;
}

/** A moment in the reader's own time zone; what is no date is shown as it came. */
export function momentWords(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(time);
}

/** A path that the extension host may be asked to open: relative, no scheme, no way up. The host checks again. */
export function looksLocal(path: string): boolean {
  return !/^([a-z][a-z\d+.-]*:|[\\/])/i.test(path) && !path.split(/[\\/]/).includes("..");
}

/** Quoted lines without the indent they share, so that deeply nested code starts at the edge of its box. */
export function withoutIndent(text: string): string {
  const lines = text.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const first = indents[0] ?? "";
  const shared = indents.reduce((kept, indent) => (indent.startsWith(kept) ? kept : commonStart(kept, indent)), first);
  return lines.map((line) => (line.startsWith(shared) ? line.slice(shared.length) : line.trimStart())).join("\n");
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

/** "6 stretches of 4 files bear on it: about 430 tokens for a model". */
export function stretchesWords(pieces: readonly { readonly file: string }[], tokens: number): string {
  const files = new Set(pieces.map(({ file }) => file)).size;
  const count = pieces.length === 1 ? "1 stretch" : `${pieces.length} stretches`;
  const where = files === 1 ? "1 file" : `${files} files`;
  return `${count} of ${where} ${pieces.length === 1 ? "bears" : "bear"} on it: about ${group(tokens)} tokens for a model`;
}
