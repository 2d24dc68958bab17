import type { Behaviour, ChatRequest, Script } from "./scriptedReplies.ts";

/** Who is asked: the round's question or the arbiter. */
export type Role = "premise" | "defences" | "missed" | "arbiter";

/** What a persona sees of a request: its role, the place and code of the packet, and whether evidence has come back. */
export interface Seen {
  readonly role: Role;
  readonly claim: string;
  /** Workspace-relative; null where the claim has no place. */
  readonly file: string | null;
  readonly line: number;
  /** Code of the packet by 1-based line. */
  readonly code: ReadonlyMap<number, string>;
  readonly hasEvidence: boolean;
  readonly mayAsk: boolean;
}

/** An answer as a round or the arbiter gives it. */
export interface PersonaAnswer {
  readonly verdict: "VALID" | "INVALID" | "UNCERTAIN";
  readonly crux: string;
  readonly reasoning: string;
  readonly citations: readonly { file: string; line: number; endLine: number; quote: string }[];
  readonly grepUsed?: boolean;
}

/** What a persona says in one role: an answer, something else the server does, or either by what is seen. */
type Said = PersonaAnswer | Behaviour;
export type Persona = Readonly<Record<Role, Said | ((seen: Seen) => Said)>>;

const HEADINGS: ReadonlyMap<string, Role> = new Map([
  ["# Round 1: premise", "premise"],
  ["# Round 2: defences", "defences"],
  ["# Round 3: missed", "missed"],
  ["# Arbiter", "arbiter"],
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
  const place = /^Place: (.+?)(?::(\d+)(?:-\d+)?)?$/m.exec(packet);
  const fence = /^<<<CODE [0-9a-f]+\n([\s\S]*?)\n[0-9a-f]+ CODE>>>$/m.exec(packet)?.[1] ?? "";
  const numbered = [...fence.matchAll(/^(\d+): (.*)$/gm)];
  return {
    role,
    claim: /^<<<CLAIM [0-9a-f]+\n([\s\S]*?)\n[0-9a-f]+ CLAIM>>>$/m.exec(packet)?.[1] ?? "",
    file: place?.[1] ?? null,
    line: Number(place?.[2] ?? 1),
    code: new Map(numbered.map(([, line, text]) => [Number(line), text ?? ""])),
    hasEvidence: request.messages.some(
      ({ role: who, content }) => who === "tool" || (who === "user" && (content ?? "").includes("Result of ")),
    ),
    mayAsk:
      request.tools?.some((tool) => tool.function.name === "read_file") ??
      JSON.stringify(request).includes("read_file"),
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

/** Reads around the place before it answers, once. */
function afterReading(then: (seen: Seen) => Said): (seen: Seen) => Said {
  return (seen) => {
    if (seen.hasEvidence || !seen.mayAsk || seen.file === null) return then(seen);
    const range = { file: seen.file, from: Math.max(1, seen.line - 10), to: seen.line + 10 };
    return { does: "call", calls: [{ name: "read_file", arguments: range }] };
  };
}

/** A script that answers rounds and arbiter as the persona says. `pieceMs` paces the streams. */
export function rounds(persona: Persona, pieceMs = 0): Script {
  return (request) => {
    const seen = see(request);
    if (seen === null)
      return { does: "status", status: 400, error: { message: "no round or arbiter prompt in the request" } };
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
};

/** Everyone holds the claim to be wrong, each with another line. */
export const DISMISSES: Persona = {
  premise: says("INVALID", "Only callers inside the program reach this line."),
  defences: afterReading(says("INVALID", "The line before rules the case out.", -1)),
  missed: says("INVALID", "The other callers pass the same guard.", 1),
  arbiter: says("INVALID", "The cited guard runs on every path."),
};

/** Rounds disagree, and the arbiter decides against the first. */
export const SPLITS: Persona = { ...DISMISSES, premise: AGREES.premise };

const DOUBTS: Persona = {
  premise: says("UNCERTAIN", "The callers are outside the repository."),
  defences: says("UNCERTAIN", "The limit is configured at run time."),
  missed: says("UNCERTAIN", "Nothing new was found."),
  arbiter: says("VALID", "No line contradicts the claim."),
};

/** One round answers nonsense, one refuses, one works: too few for a verdict. */
const FAILS: Persona = {
  premise: { does: "say", text: "Let me think about it. It is complicated." },
  defences: { does: "refuse", text: "I cannot help with that." },
  missed: AGREES.missed,
  arbiter: AGREES.arbiter,
};

const STALLS: Persona = { ...AGREES, defences: { does: "stall", at: "middle" } };

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
