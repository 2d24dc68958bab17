import { checkCitation } from "./citation.ts";
import { citationOfText } from "./evidenceRef.ts";
import type { Judgement } from "./judgement.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { Artefact } from "./opinion.ts";
import type { Outcome } from "./outcome.ts";
import type { Mask, Repository } from "./ports.ts";
import { leaningWords } from "./promptLint.ts";

/** Most artefacts of one objection, and the longest of them in characters. */
export const MOST_ARTEFACTS = 6;
export const LONGEST_ARTEFACT = 8000;

/**
 * Why an objection to a second opinion is refused; null where it may be sent (R1.25): only against "fix it", once, and with objective things
 * alone, while its own words are known and the same model (`models`: those that may be asked now) can go on. A text said to be from a file of the workspace has to stand there.
 */
export async function refuseRebuttal(
  { opinion, outcome }: Pick<Judgement, "opinion"> & { readonly outcome: Outcome },
  artefacts: readonly Artefact[],
  models: readonly ModelIdentity[],
  { repository, mask }: { readonly repository: Repository; readonly mask: Mask },
): Promise<string | null> {
  if (opinion?.kind !== "gave" || outcome.mapped !== "FIX_REQUIRED")
    return "An objection goes against a second opinion that asks for a fix, and there is none.";
  if (opinion.rebuttal !== null) return "It was objected to once already; more is not taken.";
  const { by, reasoning } = opinion;
  if (reasoning === "") return "The words of the second opinion are known no more: ask for a new one first.";
  if (!models.some(({ provider, model }) => provider === by.provider && model === by.model))
    return `The second opinion is from ${by.model}, which is not asked now: no other can go on with its conversation.`;
  if (artefacts.length === 0)
    return "An objection needs something objective: test output, a line of a specification, a rule of the language.";
  if (artefacts.length > MOST_ARTEFACTS) return `At most ${MOST_ARTEFACTS} things can be put against it.`;
  for (const artefact of artefacts) {
    const why = await problemOf(artefact, repository, mask);
    if (why !== null) return why;
  }
  return null;
}

async function problemOf({ source, text }: Artefact, repository: Repository, mask: Mask): Promise<string | null> {
  if (text.trim() === "" || source.trim() === "") return "Say for each thing where it is from, and give its text.";
  if (text.length > LONGEST_ARTEFACT)
    return `One thing is longer than ${LONGEST_ARTEFACT} characters: give the lines that matter.`;
  const [leaning] = leaningWords(`${source}\n${text}`);
  if (leaning !== undefined) return `Only objective things count, no opinion or appeal: ${leaning}.`;
  const cited = citationOfText(`${source}: ${text}`);
  if (cited === null || (await repository.text(cited.file)) === null) return null;
  const checked = await checkCitation({ ...cited, quote: text }, repository, mask);
  return checked.ok ? null : `${cited.file} does not hold that text: ${checked.note ?? ""}`;
}
