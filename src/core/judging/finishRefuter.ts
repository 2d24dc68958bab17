import type { Polarity } from "../claimKind.ts";
import { fold } from "../citation.ts";
import { citationOfText } from "../evidenceRef.ts";
import { type Lens, lensTitle } from "../lens.ts";
import type { Given } from "../reviewer.ts";
import type { Refuter, RefuterAnswer } from "../refuter.ts";
import type { CheckedCitation } from "../round.ts";
import { callsItReal } from "../statedChecks.ts";
import { type Ground, madeUpReport, MOST_CRUX, reread, shorten, unlooked } from "./footing.ts";

/** What a refuter was asked. */
export interface Asked {
  readonly lens: Lens;
  readonly pass: number;
  readonly claimId: string;
  readonly polarity: Polarity;
}

/** Most sources kept of one refuter's list. */
const MOST_SOURCES = 40;

/**
 * Turns what a refuter gave into a vote. It counts only where the work was done: sources opened again, and evidence of which at
 * least one line was re-read by the program (R4.7, R4.11); that holds for a survival as much. Else it abstains, and its attack is kept.
 */
export async function finishRefuter(asked: Asked, given: Given<RefuterAnswer>, ground: Ground): Promise<Refuter> {
  const { lens, pass } = asked;
  const { mask } = ground;
  if (given.kind === "abstained") return { kind: "abstained", lens, pass, reason: mask(given.reason), attack: "" };
  const { answer } = given;
  const attack = shorten(mask(answer.attack.trim()), MOST_CRUX);
  const abstained = (reason: string): Refuter => ({ kind: "abstained", lens, pass, reason: mask(reason), attack });
  const flaw = flawOf(answer, asked, ground);
  if (flaw !== null) return abstained(flaw);
  const citations = await citationsOf(answer, ground);
  if (!citations.some(({ ok }) => ok)) return abstained("none of the lines it names could be read again");
  const stated = sideOf(answer);
  const open = stated === "against" ? unlooked(ground.footing.duties) : null;
  return {
    kind: "counted",
    lens,
    pass,
    side: open === null ? stated : "needs-check",
    stated: answer.verdict,
    refuterConfidence: answer.confidence,
    impact: answer.severity,
    attack,
    scenario: shorten(mask(answer.scenario.trim()), MOST_CRUX),
    citations,
    reReadSources: answer.reReadSources.slice(0, MOST_SOURCES).map((source) => shorten(mask(source), 300)),
    note: open === null ? null : `It refuted the claim before everything was looked at: counted as undecided. ${open}`,
    ...(given.by === undefined ? {} : { by: given.by }),
  };
}

function sideOf({ verdict, refuted }: RefuterAnswer): "against" | "for" | "needs-check" {
  if (verdict === "needs_oracle") return "needs-check";
  return refuted ? "against" : "for";
}

/** Why an answer is no vote; null where it may be one. */
function flawOf(answer: RefuterAnswer, asked: Asked, { footing }: Ground): string | null {
  if (answer.claimId !== asked.claimId) return `it answers about another claim (${answer.claimId.slice(0, 60)})`;
  if (!sameLens(answer.lens, asked.lens)) return `it attacked through another lens (${answer.lens.slice(0, 60)})`;
  if (!agrees(answer, asked.polarity))
    return `it contradicts itself: verdict ${answer.verdict}, and refuted is ${answer.refuted}`;
  if (answer.refuted && asked.polarity === "bug" && callsItReal(answer.attack))
    return "it contradicts itself: it refutes the claim, and its attack calls it real";
  if (!answer.workDone) return "it says itself that the work was not done";
  if (answer.reReadSources.every((source) => source.trim() === "")) return "it opened no source again";
  if (answer.evidence.every((text) => text.trim() === "")) return "it gives no evidence";
  if (answer.verdict === "needs_oracle") return null;
  return madeUpReport(`${answer.attack}\n${answer.scenario}`, footing);
}

/** Whether verdict and `refuted` say the same about a claim of this polarity (R4.10). */
function agrees({ verdict, refuted }: RefuterAnswer, polarity: Polarity): boolean {
  if (verdict === "needs_oracle") return !refuted;
  if (polarity === "safe") return refuted === (verdict === "confirmed_bug");
  return refuted === (verdict === "refuted");
}

function sameLens(said: string, lens: Lens): boolean {
  const names = [lens.id, lensTitle(lens), ...(lens.kind === "given" ? [lens.text] : [])];
  return names.some((name) => fold(name).toLowerCase() === fold(said).toLowerCase());
}

async function citationsOf(answer: RefuterAnswer, ground: Ground): Promise<CheckedCitation[]> {
  const cited = answer.evidence.map(citationOfText).filter((citation) => citation !== null);
  return await reread(cited, answer.refuted, ground);
}
