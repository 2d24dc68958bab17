import { type Lens, lensTitle } from "../../core/lens.ts";
import { judgesIn } from "../../core/judgement.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import { countedRefs } from "../../core/opinion.ts";
import { differs } from "../../core/opinionWords.ts";
import type { Refuter } from "../../core/refuter.ts";
import type { CheckedCitation } from "../../core/round.ts";
import type { OpinionView, RefutationView, RefuterView } from "../../protocol/panel.ts";
import type { Entry } from "../engine/entry.ts";
import { reviewerName } from "../report/reviewerName.ts";

/** From so many refuters on they are many: a loop may bring dozens. */
const MANY = 14;
/** What is shown of one refuter: cited lines, characters of each, sources it opened. */
const ROOM = { few: { cited: 6, shown: 500, sources: 8 }, many: { cited: 1, shown: 300, sources: 3 } } as const;
/** References of a second opinion that are shown. */
const MOST_REFS = 40;

/** Whether an entry has so many refuters that less of everything is shown. */
export function judgesOf({ triaged, progress }: Entry): "few" | "many" {
  return (progress?.refuters ?? triaged?.refutation?.refuters ?? []).length < MANY ? "few" : "many";
}

/** What refuters have said about an entry so far; null where none was asked. */
export function refutationView({ triaged, progress }: Entry): RefutationView | null {
  if (progress === null) {
    const refutation = triaged?.refutation ?? null;
    return refutation === null ? null : { ...refutation, refuters: viewsOf(refutation.refuters), awaited: [] };
  }
  const { stage, refuters, recount, method } = progress;
  if (refuters.length === 0 && method?.strategy !== "refute") return null;
  const passes = Math.max(1, ...refuters.map(({ pass }) => pass), stage.kind === "refuters" ? stage.pass : 1);
  const awaited = stage.kind === "refuters" ? missing(stage.lenses, refuters, stage.pass) : [];
  return { refuters: viewsOf(refuters), awaited, recount, polarity: null, passes, stopped: null, untouched: [] };
}

/** Lenses of a pass whose refuters have not answered; several may share one. */
function missing(lenses: readonly Lens[], refuters: readonly Refuter[], pass: number): string[] {
  const came = refuters.filter((one) => one.pass === pass).map(({ lens }) => lens.id);
  const open = lenses.filter(({ id }) => {
    const at = came.indexOf(id);
    if (at >= 0) came.splice(at, 1);
    return at < 0;
  });
  return open.map(lensTitle).sort();
}

function viewsOf(refuters: readonly Refuter[]): readonly RefuterView[] {
  const room = refuters.length < MANY ? ROOM.few : ROOM.many;
  return refuters
    .map((refuter): RefuterView => {
      const title = lensTitle(refuter.lens);
      if (refuter.kind === "abstained") return { ...refuter, title, uncited: 0 };
      const { citations, reReadSources } = refuter;
      return {
        ...refuter,
        title,
        citations: citations.slice(0, room.cited).map((citation) => shortened(citation, room.shown)),
        uncited: Math.max(0, citations.length - room.cited),
        reReadSources: reReadSources.slice(0, room.sources),
      };
    })
    .sort((a, b) => a.pass - b.pass || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
}

function shortened(citation: CheckedCitation, most: number): CheckedCitation {
  const { quote, shown } = citation;
  return { ...citation, quote: quote.slice(0, most), shown: shown.slice(0, most) };
}

/** The second opinion on an entry, with who gave it; null where there is none. */
export function opinionView({ triaged, progress }: Entry): OpinionView | null {
  const opinion = (progress ?? triaged)?.opinion ?? null;
  if (opinion === null) return null;
  const besides = progress === null && triaged !== null ? judgesIn(triaged, triaged.reviewer) : [];
  const told = { who: reviewerName(opinion.by), family: familyOf(opinion.by, besides) };
  if (opinion.kind === "abstained") return { ...opinion, ...told, counted: 0 };
  const refs = opinion.refs.slice(0, MOST_REFS).map((ref) => ({
    ...ref,
    citation: ref.citation === null ? null : shortened(ref.citation, ROOM.few.shown),
  }));
  return { ...opinion, ...told, refs, counted: countedRefs(opinion.refs) };
}

/** Two of one family err alike; where a family is not known, only the very same model is called the same. One of several is enough for that. */
function familyOf(by: ModelIdentity, besides: readonly ModelIdentity[]): OpinionView["family"] {
  if (besides.length === 0 || by.provider === "built-in") return null;
  if (besides.every((other) => differs(by, other))) return "another";
  const same = besides.some(
    (other) => by.model === other.model || (by.family !== undefined && by.family === other.family),
  );
  return same ? "same" : null;
}
