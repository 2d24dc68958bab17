import { lensTitle } from "../../core/lens.ts";
import { SEVERITIES } from "../../core/finding.ts";
import type { Refutation, Refuter } from "../../core/refuter.ts";
import type { Entry } from "../engine/entry.ts";
import { type CitationRecord, citationRecord } from "./judgeRows.ts";

type Counted = Extract<Refuter, { kind: "counted" }>;

/** Which finding a part of the result is about. */
interface About {
  readonly key: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly severity: string;
  /** The vote in words (R4.13). */
  readonly recount: string;
}

interface LensCount {
  readonly lens: string;
  readonly title: string;
  readonly against: number;
  readonly forClaim: number;
  readonly needsCheck: number;
  readonly abstained: number;
}

/** What the refuters of a whole run came to (R4.21): the last line of `triage --strategy refute --format jsonl`. */
export interface RefutationResult {
  readonly kind: "refutation";
  /** Claims that stand, with what speaks for them. `polarity` `safe`: the claim says that all is well. */
  readonly survivors: readonly (About & {
    readonly polarity: Refutation["polarity"];
    readonly defending: readonly {
      readonly lens: string;
      readonly scenario: string;
      readonly citations: readonly CitationRecord[];
    }[];
  })[];
  /** Claims that do not, with the strongest attack and its line. */
  readonly refuted: readonly (About & {
    readonly polarity: Refutation["polarity"];
    readonly strongest: {
      readonly lens: string;
      readonly attack: string;
      readonly refuterConfidence: string;
      readonly at: CitationRecord | null;
    } | null;
  })[];
  /** Claims on which neither side carries, or on which fewer than two refuters counted (`none`). */
  readonly undecided: readonly (About & { readonly result: "undecided" | "none" })[];
  readonly abstentions: readonly {
    readonly key: string;
    readonly lens: string;
    readonly pass: number;
    readonly reason: string;
    readonly attack: string;
  }[];
  readonly perLens: readonly LensCount[];
  readonly untouched: readonly { readonly key: string; readonly text: string }[];
  readonly recommendation: string;
}

interface Claim {
  readonly about: About;
  readonly refutation: Refutation;
}

/** The result of all entries that refuters were asked about. */
export function refutationResult(entries: readonly Entry[]): RefutationResult {
  const claims = entries.flatMap(claimOf);
  const of = (...results: Refutation["recount"]["result"][]): Claim[] =>
    claims.filter(({ refutation }) => results.includes(refutation.recount.result));
  const [survivors, refuted, open] = [of("survives"), of("refuted"), of("undecided", "none")];
  return {
    kind: "refutation",
    survivors: survivors.map(({ about, refutation }) => ({
      ...about,
      polarity: refutation.polarity,
      defending: defending(refutation),
    })),
    refuted: refuted.map(({ about, refutation }) => ({
      ...about,
      polarity: refutation.polarity,
      strongest: strongest(refutation),
    })),
    undecided: open.map(({ about, refutation }) => ({
      ...about,
      result: refutation.recount.result === "none" ? "none" : "undecided",
    })),
    abstentions: claims.flatMap(abstentions),
    perLens: perLens(claims.flatMap(({ refutation }) => refutation.refuters)),
    untouched: claims.flatMap(({ about, refutation }) =>
      refutation.untouched.map((text) => ({ key: about.key, text })),
    ),
    recommendation: recommend(survivors, refuted, open),
  };
}

function claimOf({ finding, triaged }: Entry): Claim[] {
  const refutation = triaged?.refutation ?? null;
  if (refutation === null) return [];
  const { key, place, citedPath, severity } = finding;
  const file = place.file ?? citedPath;
  return [{ about: { key, file, line: place.line, severity, recount: refutation.recount.text }, refutation }];
}

function defending({ refuters }: Refutation) {
  return refuters
    .filter((one): one is Counted => one.kind === "counted" && one.side === "for")
    .map(({ lens, scenario, citations }) => ({
      lens: lens.id,
      scenario,
      citations: citations.filter(({ ok }) => ok).map(citationRecord),
    }));
}

const WEIGHT = { high: 2, medium: 1, low: 0 } as const;

/** The attack of the surest refuter; of equally sure ones that with the most lines. */
function strongest({ refuters }: Refutation) {
  const [best] = refuters
    .filter((one): one is Counted => one.kind === "counted" && one.side === "against")
    .sort((a, b) => WEIGHT[b.refuterConfidence] - WEIGHT[a.refuterConfidence] || linesOf(b) - linesOf(a));
  if (best === undefined) return null;
  const at = best.citations.find(({ ok }) => ok);
  const { lens, attack, refuterConfidence } = best;
  return { lens: lens.id, attack, refuterConfidence, at: at === undefined ? null : citationRecord(at) };
}

function linesOf({ citations }: Counted): number {
  return citations.filter(({ ok }) => ok).length;
}

function abstentions({ about: { key }, refutation }: Claim) {
  return refutation.refuters.flatMap((one) =>
    one.kind === "abstained"
      ? [{ key, lens: one.lens.id, pass: one.pass, reason: one.reason, attack: one.attack }]
      : [],
  );
}

function perLens(refuters: readonly Refuter[]): LensCount[] {
  return [...Map.groupBy(refuters, ({ lens }) => lensTitle(lens))].map(([title, all]) => {
    const side = (wanted: Counted["side"]): number =>
      all.filter((one) => one.kind === "counted" && one.side === wanted).length;
    return {
      lens: all[0]?.lens.id ?? "",
      title,
      against: side("against"),
      forClaim: side("for"),
      needsCheck: side("needs-check"),
      abstained: all.filter(({ kind }) => kind === "abstained").length,
    };
  });
}

/** What to do next, worst first. A refutation never closes anything here: the policy or a person does. */
function recommend(survivors: readonly Claim[], refuted: readonly Claim[], open: readonly Claim[]): string {
  const parts = [
    part(survivors, "survived: look at", "first"),
    part(refuted, "refuted: check the strongest attack on", "before you dismiss"),
    part(open, "undecided: judge", "yourself, or challenge again with another model"),
  ].filter((text) => text !== "");
  return parts.length === 0
    ? "No refuter was asked: checks settled everything, or nothing was to be judged."
    : parts.join(" ");
}

function part(claims: readonly Claim[], lead: string, tail: string): string {
  const [worst] = claims.map(({ about }) => about).sort((a, b) => severityOf(a.severity) - severityOf(b.severity));
  if (worst === undefined) return "";
  const place = worst.file === null ? worst.key : `${worst.file}${worst.line === null ? "" : `:${worst.line}`}`;
  const more = claims.length === 1 ? "" : ` and ${claims.length - 1} more`;
  return `${claims.length} ${lead} ${worst.severity} ${place}${more} ${tail}.`;
}

function severityOf(severity: string): number {
  return SEVERITIES.findIndex((known) => known === severity);
}
