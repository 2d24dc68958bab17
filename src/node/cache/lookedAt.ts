import type { CheckResult } from "../../core/check.ts";
import { fold } from "../../core/citation.ts";
import { buildPack } from "../../core/evidence/gather.ts";
import type { Finding } from "../../core/finding.ts";
import type { Packet } from "../../core/packet.ts";
import type { Hash, Mask, Repository, Structures, VerbCall, Verbs } from "../../core/ports.ts";
import { findRegion, hashLines, type Region } from "../../core/regions.ts";
import { createDesk } from "../../core/reviewer.ts";

/** What looking at the code works with. */
export interface LookPorts {
  readonly repository: Repository;
  readonly structures: Structures;
  readonly verbs: Verbs;
  readonly mask: Mask;
  readonly hash: Hash;
}

/** Searches a pack may make for its print. */
const PACK_BUDGET = { calls: 12, bytes: 2_000_000 } as const;

/** What the program puts before a reviewer, as a print, and the files it is from. */
export interface PackPrint {
  readonly print: string;
  readonly files: readonly string[];
}

/**
 * A print of what the program puts before a reviewer: the text of the pack's pieces, without their line numbers, and what checks
 * have settled. Made without language servers, which the command line lacks. Where it differs, something was added or changed
 * that bears on the claim.
 */
export async function packPrint(
  finding: Finding,
  checks: readonly CheckResult[],
  ports: LookPorts,
  signal: AbortSignal,
): Promise<PackPrint> {
  const desk = createDesk(
    async (call) => await ports.verbs.run(call, "pack", signal),
    PACK_BUDGET,
    () => undefined,
  );
  const { pieces } = await buildPack(finding, [], { ...ports, desk });
  const texts = pieces.map(({ file, text }) => `${file}\n${plain(text.join("\n"))}`);
  const files = [...new Set(pieces.map(({ file }) => file))];
  const facts = checks.flatMap(({ atom, verdict }) =>
    atom !== null && (verdict === "refuted" || verdict === "confirmed") ? [`${verdict}: ${atom.text}`] : [],
  );
  return { print: ports.hash(JSON.stringify([texts.toSorted(), facts])), files };
}

/** What a reviewer had looked up, so that it can be told whether it reads the same now. */
export type Lookup =
  | { readonly kind: "lines"; readonly call: Extract<VerbCall, { verb: "read" }>; readonly region: Region }
  | { readonly kind: "output"; readonly call: VerbCall; readonly print: string };

/** Notes a lookup down. Lines are known by their text, wherever it moves to; other output by all it says but line numbers. */
export async function noteLookup(call: VerbCall, output: string, { repository, hash }: LookPorts): Promise<Lookup> {
  if (call.verb === "read") {
    const text = await repository.text(call.file);
    const line = Math.max(1, call.from);
    const endLine = Math.min(call.to, text?.lines.length ?? 0);
    if (text !== null && line <= endLine) {
      const region: Region = {
        role: "cited",
        file: call.file,
        line,
        endLine,
        hash: hashLines(text, line, endLine, hash),
      };
      return { kind: "lines", call, region };
    }
  }
  return { kind: "output", call, print: hash(plain(withoutPlaces(call, output))) };
}

/** The call that looks the same thing up as the code stands now. */
export async function callNow(lookup: Lookup, { repository, hash }: LookPorts): Promise<VerbCall> {
  if (lookup.kind === "output") return lookup.call;
  return (await movedLines(lookup, repository, hash)) ?? lookup.call;
}

/** True where a lookup reads as it did. */
export async function readsSame(lookup: Lookup, ports: LookPorts, by: string, signal: AbortSignal): Promise<boolean> {
  const { repository, hash, verbs } = ports;
  if (lookup.kind === "lines") return (await movedLines(lookup, repository, hash)) !== null;
  const { output } = await verbs.run(lookup.call, by, signal);
  return hash(plain(withoutPlaces(lookup.call, output))) === lookup.print;
}

async function movedLines(
  { call, region }: Extract<Lookup, { kind: "lines" }>,
  repository: Repository,
  hash: Hash,
): Promise<VerbCall | null> {
  const text = await repository.text(region.file);
  const line = text === null ? null : findRegion(text, region, hash);
  return line === null ? null : { ...call, from: line, to: line + region.endLine - region.line };
}

/** Workspace-relative paths of the files that a packet shows, sorted. */
export function filesShown(packet: Packet): readonly string[] {
  return [
    ...new Set([...(packet.file === null ? [] : [packet.file]), ...packet.related.map(({ file }) => file)]),
  ].toSorted();
}

/** Hashes of the files that a packet shows, as they read now. */
export async function textsShown(packet: Packet, { repository, hash }: LookPorts): Promise<string> {
  const texts: string[] = [];
  for (const file of filesShown(packet))
    texts.push(`${file} ${hash((await repository.text(file))?.lines.join("\n") ?? "")}`);
  return hash(texts.join("\n"));
}

/** Output of a verb without the line numbers that the verb itself puts before each line; a number of the code counts. */
function withoutPlaces({ verb }: VerbCall, output: string): string {
  if (verb === "grep") return output.replace(/^(.*?):\d+: /gm, "$1: ");
  return verb === "read" || verb === "show" ? output.replace(/^\d+\t/gm, "") : output;
}

/** Text without the count of a masked secret, which differs from session to session, and folded. */
function plain(text: string): string {
  return fold(text.replace(/(\[REDACTED:[^\]#]*)#\d+\]/g, "$1]"));
}
