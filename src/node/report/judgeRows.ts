import type { Opinion } from "../../core/opinion.ts";
import type { Refutation, Refuter } from "../../core/refuter.ts";
import type { CheckedCitation } from "../../core/round.ts";

// Refuters and second opinions as rows of `triage --format jsonl` hold them: everything that was said, and of code only what was quoted.

export interface CitationRecord {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  readonly quote: string;
  readonly ok: boolean;
}

/** A citation without the code that was read again. */
export function citationRecord(citation: CheckedCitation): CitationRecord {
  const { file, line, endLine, quote, ok } = citation;
  return { file, line, endLine, quote, ok };
}

type Rows<T> = T extends { readonly citations: readonly CheckedCitation[] }
  ? Omit<T, "citations"> & { readonly citations: readonly CitationRecord[] }
  : T;
export type RefuterRecord = Rows<Refuter>;
export type RefutationRecord = Omit<Refutation, "refuters"> & { readonly refuters: readonly RefuterRecord[] };

export function refutationRecord(refutation: Refutation): RefutationRecord {
  return { ...refutation, refuters: refutation.refuters.map(refuterRecord) };
}

function refuterRecord(refuter: Refuter): RefuterRecord {
  return refuter.kind === "abstained" ? refuter : { ...refuter, citations: refuter.citations.map(citationRecord) };
}

type Gave = Extract<Opinion, { kind: "gave" }>;
export type OpinionRecord =
  | Extract<Opinion, { kind: "abstained" }>
  | (Omit<Gave, "refs"> & {
      readonly refs: readonly (Omit<Gave["refs"][number], "citation"> & { readonly citation: CitationRecord | null })[];
    });

export function opinionRecord(opinion: Opinion): OpinionRecord {
  if (opinion.kind === "abstained") return opinion;
  const refs = opinion.refs.map(({ citation, ...ref }) => ({
    ...ref,
    citation: citation === null ? null : citationRecord(citation),
  }));
  return { ...opinion, refs };
}
