import { type Lens, lensTitle } from "../../core/lens.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import { differs } from "../../core/opinionWords.ts";
import type { Refuter } from "../../core/refuter.ts";
import type { CheckedCitation } from "../../core/round.ts";
import type { OpinionView, RefutationView, RefuterView } from "../../protocol/panel.ts";
import type { Entry } from "../engine/entry.ts";
import { reviewerName } from "../report/reviewerName.ts";

/** Cited lines shown of one refuter, and of one among many: a loop may bring dozens. */
const MOST_CITED = { few: 6, many: 2 } as const;
/** From so many refuters on they are many. */
const MANY = 14;
/** Longest stretch of code shown for one of a refuter's lines, in characters. */
const MOST_SHOWN = 500;
/** Sources of one refuter that are named. */
const MOST_SOURCES = 8;
/** References of a second opinion that are shown. */
const MOST_REFS = 40;

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
  const most = refuters.length < MANY ? MOST_CITED.few : MOST_CITED.many;
  return refuters
    .map((refuter): RefuterView => {
      const title = lensTitle(refuter.lens);
      if (refuter.kind === "abstained") return { ...refuter, title, uncited: 0 };
      const { citations, reReadSources } = refuter;
      return {
        ...refuter,
        title,
        citations: citations.slice(0, most).map(shortened),
        uncited: Math.max(0, citations.length - most),
        reReadSources: reReadSources.slice(0, MOST_SOURCES),
      };
    })
    .sort((a, b) => a.pass - b.pass || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
}

function shortened(citation: CheckedCitation): CheckedCitation {
  const { quote, shown } = citation;
  return { ...citation, quote: quote.slice(0, MOST_SHOWN), shown: shown.slice(0, MOST_SHOWN) };
}

/** The second opinion on an entry, with who gave it; null where there is none. */
export function opinionView({ triaged, progress }: Entry): OpinionView | null {
  const opinion = (progress ?? triaged)?.opinion ?? null;
  if (opinion === null) return null;
  const besides = progress === null && triaged?.method?.strategy !== "verdict" ? (triaged?.reviewer ?? null) : null;
  const told = { who: reviewerName(opinion.by), family: familyOf(opinion.by, besides) };
  if (opinion.kind === "abstained") return { ...opinion, ...told };
  const refs = opinion.refs.slice(0, MOST_REFS).map((ref) => ({
    ...ref,
    citation: ref.citation === null ? null : shortened(ref.citation),
  }));
  return { ...opinion, ...told, refs };
}

/** Two of one family err alike; where a family is not known, only the very same model is called the same. */
function familyOf(by: ModelIdentity, besides: ModelIdentity | null): OpinionView["family"] {
  if (besides === null || by.provider === "built-in") return null;
  if (differs(by, besides)) return "another";
  const same = by.model === besides.model || (by.family !== undefined && by.family === besides.family);
  return same ? "same" : null;
}
