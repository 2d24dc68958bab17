import type { Receipt } from "../check.ts";
import { citationOfText } from "../evidenceRef.ts";
import type { Intent } from "../method.ts";
import type { Artefact, CheckedRef, Opinion, OpinionAnswer } from "../opinion.ts";
import type { Hash } from "../ports.ts";
import type { ModelIdentity } from "../modelIdentity.ts";
import type { Given } from "../reviewer.ts";
import { callsItReal } from "../statedChecks.ts";
import { type Ground, madeUpReport, MOST_REASONING, reread, shorten, unlooked } from "./footing.ts";

/** What an opinion was asked, and what its own conversation had run. */
export interface OpinionAsked {
  readonly key: string;
  readonly intent: Intent;
  readonly by: ModelIdentity;
  readonly receipts: readonly Receipt[];
  readonly rebuttal: { readonly thread: string; readonly artefacts: readonly Artefact[] } | null;
}

/**
 * Turns what a second opinion gave into one that counts. Its references are held against the workspace, or against what its own
 * conversation had run; "not actionable" counts only where it looked for itself (R1.10), nothing is left to look at, and a line resolves.
 */
export async function finishOpinion(
  asked: OpinionAsked,
  given: Given<OpinionAnswer>,
  ground: Ground,
  hash: Hash,
): Promise<Opinion> {
  const { intent } = asked;
  const by = given.by ?? asked.by;
  const { mask } = ground;
  if (given.kind === "abstained") return { kind: "abstained", intent, reason: mask(given.reason), by };
  const { answer } = given;
  const flaw = answer.verdict === "UNCERTAIN" ? null : madeUpReport(answer.reasoning, ground.footing);
  if (flaw !== null) return { kind: "abstained", intent, reason: mask(flaw), by };
  const refs = await checkRefs(answer, asked.receipts, ground);
  const note = answer.verdict === "NON_ACTIONABLE" ? weakness(answer, refs, asked, ground) : null;
  return {
    kind: "gave",
    intent,
    thread: asked.rebuttal?.thread ?? hash([asked.key, intent, JSON.stringify(answer)].join("\n"), 12),
    verdict: note === null ? answer.verdict : "UNCERTAIN",
    stated: answer.verdict,
    impact: answer.impact,
    verdictConfidence: answer.verdictConfidence,
    refs,
    reasoning: shorten(mask(answer.reasoning), MOST_REASONING),
    by,
    note,
    rebuttal: asked.rebuttal?.artefacts ?? null,
  };
}

/** Why "not actionable" does not carry; null where it does. */
function weakness(
  { reasoning }: OpinionAnswer,
  refs: readonly CheckedRef[],
  { receipts }: OpinionAsked,
  { footing }: Ground,
): string | null {
  if (callsItReal(reasoning))
    return "It called the finding not actionable, and in its words real: counted as uncertain.";
  // A request that failed, or found nothing, has shown it nothing.
  if (!receipts.some(({ exitCode }) => exitCode === 0))
    return "It called the finding not actionable without looking at the repository itself: counted as uncertain.";
  if (!refs.some(({ ok, citation }) => ok && citation !== null))
    return "It called the finding not actionable but named no line that could be read again: counted as uncertain.";
  const open = unlooked(footing.duties);
  return open === null
    ? null
    : `It called the finding not actionable before everything was looked at: counted as uncertain. ${open}`;
}

/** Most references looked at. */
const MOST_REFS = 40;

async function checkRefs(answer: OpinionAnswer, receipts: readonly Receipt[], ground: Ground): Promise<CheckedRef[]> {
  const against = answer.verdict === "NON_ACTIONABLE";
  return await Promise.all(
    answer.evidenceRefs.slice(0, MOST_REFS).map(async (text): Promise<CheckedRef> => {
      const masked = shorten(ground.mask(text), 400);
      const cited = citationOfText(text);
      if (cited !== null) {
        const [citation] = await reread([cited], against, ground);
        return { text: masked, ok: citation?.ok === true, citation: citation ?? null, receipt: null };
      }
      const run = receipts.find((receipt) => names(text, receipt));
      // A command that failed or was cut shows nothing, and one that only opened a file shows no more than that: its lines have to be named.
      const shows = run?.exitCode === 0 && !run.truncated && run.verb !== "read";
      return { text: masked, ok: shows, citation: null, receipt: run?.id ?? null };
    }),
  );
}

/** Whether a text names a run of the same conversation: its verb and every argument of it. */
function names(text: string, { verb, argv }: Receipt): boolean {
  const words = argv.filter((word) => word.length > 2);
  return text.includes(verb) && words.length > 0 && words.every((word) => text.includes(word));
}
