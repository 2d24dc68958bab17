import type * as z from "zod";
import type { OpinionForm, RefuterForm } from "../../src/core/answers.ts";
import type { Behaviour, ChatRequest, Script } from "./scriptedReplies.ts";

/** Who is asked: the round's question, the arbiter, a refuter, a second opinion or its answer to an objection. */
export type Role = "premise" | "defences" | "missed" | "arbiter" | "refuter" | "opinion" | "rebuttal";

/** What a persona sees of a request: its role, the place and code of the packet, and whether evidence has come back. */
export interface Seen {
  readonly role: Role;
  readonly claim: string;
  /** Workspace-relative; null where the claim has no place. */
  readonly file: string | null;
  readonly line: number;
  /** Code of the packet by 1-based line. */
  readonly code: ReadonlyMap<number, string>;
  /** Lines that it has read of the file, by 1-based line. */
  readonly read: ReadonlyMap<number, string>;
  readonly hasEvidence: boolean;
  readonly mayAsk: boolean;
  /** A refuter's own; empty for others. */
  readonly claimId: string;
  readonly lens: string;
}

/** An answer as a round or the arbiter gives it. */
export interface PersonaAnswer {
  readonly verdict: "VALID" | "INVALID" | "UNCERTAIN";
  readonly crux: string;
  readonly reasoning: string;
  readonly citations: readonly { file: string; line: number; endLine: number; quote: string }[];
  readonly grepUsed?: boolean;
}

/** An answer of a refuter (R4.8). */
export type RefuterReply = z.input<typeof RefuterForm>;
/** An answer of a second opinion (R1.11). */
export type OpinionReply = z.input<typeof OpinionForm>;

/** What a persona says in one role: an answer, something else the server does, or either by what is seen. */
export type Said = PersonaAnswer | RefuterReply | OpinionReply | Behaviour;
export type Persona = Readonly<Record<Role, Said | ((seen: Seen) => Said)>>;

const HEADINGS: ReadonlyMap<string, Role> = new Map([
  ...["", " (regression)", " (design)"].flatMap((variant): [string, Role][] => [
    [`# Round 1: premise${variant}`, "premise"],
    [`# Round 2: defences${variant}`, "defences"],
    [`# Round 3: missed${variant}`, "missed"],
  ]),
  ["# Arbiter", "arbiter"],
  ["# Refuter", "refuter"],
  ["# Second opinion", "opinion"],
  ["# Rebuttal", "rebuttal"],
]);

/** Who a request asks, by the heading of the prompt file in it; null where it holds none. */
export function roleOf(request: ChatRequest): Role | null {
  const lines = request.messages
    .filter(({ role }) => role === "system" || role === "user")
    .flatMap(({ content }) => (content ?? "").split("\n"));
  const heading = lines.findLast((line) => HEADINGS.has(line.trim()));
  return HEADINGS.get(heading?.trim() ?? "") ?? null;
}

/** Reads a request as a persona sees it; null where it asks for no role. */
export function see(request: ChatRequest): Seen | null {
  const role = roleOf(request);
  if (role === null) return null;
  const packet = request.messages.find((message) => message.role === "user")?.content ?? "";
  const after = packet.slice(packet.lastIndexOf("\n# Refuter"));
  const place = /^Place: (.+?)(?::(\d+)(?:-\d+)?)?$/m.exec(packet);
  const fence = /^<<<CODE [0-9a-f]+\n([\s\S]*?)\n[0-9a-f]+ CODE>>>$/m.exec(packet)?.[1] ?? "";
  const numbered = [...fence.matchAll(/^(\d+): (.*)$/gm)];
  return {
    role,
    claim: /^<<<CLAIM [0-9a-f]+\n([\s\S]*?)\n[0-9a-f]+ CLAIM>>>$/m.exec(packet)?.[1] ?? "",
    file: place?.[1] ?? null,
    line: Number(place?.[2] ?? 1),
    code: new Map(numbered.map(([, line, text]) => [Number(line), text ?? ""])),
    read: new Map(
      request.messages
        .filter(({ role: who }) => who === "tool" || who === "user")
        .flatMap(({ content }) => [...(content ?? "").matchAll(/^ *(\d+)\t(.*)$/gm)])
        .map(([, line, text]) => [Number(line), text ?? ""]),
    ),
    hasEvidence: request.messages.some(
      ({ role: who, content }) => who === "tool" || (who === "user" && (content ?? "").includes("Result of ")),
    ),
    mayAsk:
      request.tools?.some((tool) => tool.function.name === "read_file") ??
      JSON.stringify(request).includes("read_file"),
    claimId: role === "refuter" ? (/^claimId: (.*)$/m.exec(after)?.[1] ?? "") : "",
    lens: role === "refuter" ? (/^lens: (.*)$/m.exec(after)?.[1] ?? "") : "",
  };
}

/** Cites the code line nearest to the claimed one that has text on it; empty where the packet has no code. */
export function citeNear({ file, line, code }: Seen, offset = 0): PersonaAnswer["citations"] {
  const wanted = line + offset;
  const [nearest] = [...code]
    .filter(([, text]) => /\w/.test(text) && !text.includes("[REDACTED"))
    .sort(([a], [b]) => Math.abs(a - wanted) - Math.abs(b - wanted));
  if (file === null || nearest === undefined) return [];
  return [{ file, line: nearest[0], endLine: nearest[0], quote: nearest[1].trim() }];
}

function says(verdict: PersonaAnswer["verdict"], crux: string, offset = 0): (seen: Seen) => Said {
  return (seen) => ({
    verdict,
    crux,
    reasoning: `${crux} The cited line shows it.`,
    citations: citeNear(seen, offset),
    ...(seen.role === "defences" ? { grepUsed: seen.hasEvidence } : {}),
  });
}

/** Lines of the packet as evidence texts: the nearest to the place, `count` different ones. */
function evidenceNear(seen: Seen, offset: number, count = 1): string[] {
  const known = { ...seen, code: new Map([...seen.code, ...seen.read]) };
  const steps = [0, 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6, 7, 8, 9, 10, 11];
  const texts = steps.flatMap((step) => citeNear(known, offset + step));
  return [...new Set(texts.map(({ file, line, quote }) => `${file}:${line}: ${quote}`))].slice(0, count);
}

/** A refuter that has done its work; different lenses look at different lines. */
function refutes(refuted: boolean, attack: string): (seen: Seen) => Said {
  return afterReading((seen) => ({
    claimId: seen.claimId,
    lens: seen.lens,
    verdict: refuted ? "refuted" : "survives",
    refuted,
    severity: "medium",
    confidence: "high",
    workDone: true,
    reReadSources: seen.file === null ? [] : [seen.file],
    evidence: evidenceNear(seen, seen.lens.length % 5),
    attack,
    scenario: refuted ? "" : attack,
    needsOracle: "",
  }));
}

/** A second opinion that has looked for itself. */
function opines(verdict: OpinionReply["codex_verdict"], confidence: number, reasoning: string): (seen: Seen) => Said {
  return afterReading((seen) => ({
    codex_verdict: verdict,
    impact_assessment: "NOT_ASSESSED",
    confidence,
    evidence_refs: evidenceNear(seen, 0, 5),
    reasoning,
  }));
}

/** Reads around the place before it answers, once. */
function afterReading(then: (seen: Seen) => Said): (seen: Seen) => Said {
  return (seen) => {
    if (seen.hasEvidence || !seen.mayAsk || seen.file === null) return then(seen);
    const range = { file: seen.file, from: Math.max(1, seen.line - 10), to: seen.line + 10 };
    return { does: "call", calls: [{ name: "read_file", arguments: range }] };
  };
}

/** A script that answers in every role as the persona says. `pieceMs` paces the streams. */
export function rounds(persona: Persona, pieceMs = 0): Script {
  return (request) => {
    const seen = see(request);
    if (seen === null) return { does: "status", status: 400, error: { message: "no prompt of a role in the request" } };
    const said = persona[seen.role];
    const spoken = typeof said === "function" ? said(seen) : said;
    const behaviour: Behaviour = "does" in spoken ? spoken : { does: "answer", value: spoken };
    return behaviour.does === "answer" || behaviour.does === "call" || behaviour.does === "say"
      ? { pieceMs, ...behaviour }
      : behaviour;
  };
}

/** Everyone holds the claim to be true. */
export const AGREES: Persona = {
  premise: says("VALID", "Input from outside reaches this line."),
  defences: afterReading(says("VALID", "No guard stands before this line.")),
  missed: says("VALID", "Nothing new was found."),
  arbiter: says("VALID", "All rounds reach the line unguarded."),
  refuter: refutes(false, "No line on the way holds the value back."),
  opinion: opines("ACTIONABLE", 0.9, "The lines reach the place unguarded."),
  rebuttal: opines("ACTIONABLE", 0.8, "The artefact shows another case."),
};

/** Everyone holds the claim to be wrong, each with another line. */
export const DISMISSES: Persona = {
  premise: says("INVALID", "Only callers inside the program reach this line."),
  defences: afterReading(says("INVALID", "The line before rules the case out.", -1)),
  missed: says("INVALID", "The other callers pass the same guard.", 1),
  arbiter: says("INVALID", "The cited guard runs on every path."),
  refuter: refutes(true, "The line rules the case out."),
  opinion: opines("NON_ACTIONABLE", 0.97, "The lines rule the case out."),
  rebuttal: opines("NON_ACTIONABLE", 0.97, "The artefact and the lines rule the case out."),
};

/** Rounds disagree, and the arbiter decides against the first. */
export const SPLITS: Persona = { ...DISMISSES, premise: AGREES.premise };

const DOUBTS: Persona = {
  premise: says("UNCERTAIN", "The callers are outside the repository."),
  defences: says("UNCERTAIN", "The limit is configured at run time."),
  missed: says("UNCERTAIN", "Nothing new was found."),
  arbiter: says("VALID", "No line contradicts the claim."),
  refuter: refutes(false, "Nothing was found that breaks it."),
  opinion: opines("UNCERTAIN", 0.5, "The callers are outside the repository."),
  rebuttal: opines("UNCERTAIN", 0.5, "The artefact does not tell."),
};

/** One round answers nonsense, one refuses, one works: too few for a verdict. */
const FAILS: Persona = {
  premise: { does: "say", text: "Let me think about it. It is complicated." },
  defences: { does: "refuse", text: "I cannot help with that." },
  missed: AGREES.missed,
  arbiter: AGREES.arbiter,
  refuter: { does: "say", text: "It looks fine to me." },
  opinion: { does: "refuse", text: "I cannot help with that." },
  rebuttal: { does: "refuse", text: "I cannot help with that." },
};

const STALLED: Behaviour = { does: "stall", at: "middle" };
const STALLS: Persona = { ...AGREES, defences: STALLED, refuter: STALLED, opinion: STALLED };

/** Different findings get different fates, always the same for the same claim. */
function mixed(request: ChatRequest): Persona {
  const fates = [SPLITS, AGREES, DISMISSES, DOUBTS];
  const claim = see(request)?.claim ?? "";
  const sum = Array.from(claim).reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return fates[sum % fates.length] ?? AGREES;
}

function script(persona: (request: ChatRequest) => Persona): Script {
  return (request, index) => {
    const answer = rounds(persona(request), 40);
    return typeof answer === "function" ? answer(request, index) : { does: "reset" };
  };
}

/** The personas that can be started from the command line. They stream slowly enough to watch. */
export const PERSONAS: ReadonlyMap<string, Script> = new Map([
  ["mixed", script(mixed)],
  ["agrees", script(() => AGREES)],
  ["dismisses", script(() => DISMISSES)],
  ["splits", script(() => SPLITS)],
  ["doubts", script(() => DOUBTS)],
  ["fails", script(() => FAILS)],
  ["stalls", script(() => STALLS)],
]);
