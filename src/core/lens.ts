import type { ClaimTopic } from "./claimKind.ts";

/** The lenses that come with the program (R4.5); each has a prompt file `prompts/lenses/ID.md`. */
export const LENS_IDS = [
  "forgery",
  "confusion",
  "other-path",
  "downstream",
  "regression",
  "specification",
  "preconditions",
  "concurrency",
  "limits",
] as const;
export type LensId = (typeof LENS_IDS)[number];

/** The angle from which one refuter attacks a claim: one of ours, or a person's own words. */
export type Lens =
  | { readonly kind: "own"; readonly id: LensId }
  | { readonly kind: "given"; readonly id: string; readonly text: string };

/** What a lens is called for a person. */
const TITLES: Readonly<Record<LensId, string>> = {
  forgery: "Forged input",
  confusion: "Mixed-up configuration or tenant",
  "other-path": "Another path to the place",
  downstream: "Effect further on",
  regression: "Change against before",
  specification: "What was asked for",
  preconditions: "What has to hold first",
  concurrency: "Two at once",
  limits: "Values at the limits",
};

/** Lenses by what a claim is about, most telling first; later ones come into play with more refuters or in a loop. */
const SETS: Readonly<Record<ClaimTopic, readonly LensId[]>> = {
  security: [
    "forgery",
    "confusion",
    "other-path",
    "downstream",
    "preconditions",
    "specification",
    "concurrency",
    "limits",
    "regression",
  ],
  data: [
    "other-path",
    "downstream",
    "concurrency",
    "limits",
    "preconditions",
    "confusion",
    "specification",
    "regression",
    "forgery",
  ],
  correctness: [
    "preconditions",
    "other-path",
    "downstream",
    "limits",
    "specification",
    "concurrency",
    "confusion",
    "regression",
    "forgery",
  ],
  regression: [
    "regression",
    "other-path",
    "preconditions",
    "downstream",
    "limits",
    "concurrency",
    "specification",
    "confusion",
    "forgery",
  ],
  design: [
    "specification",
    "downstream",
    "preconditions",
    "other-path",
    "regression",
    "confusion",
    "limits",
    "concurrency",
    "forgery",
  ],
  plain: [
    "preconditions",
    "other-path",
    "specification",
    "downstream",
    "limits",
    "regression",
    "confusion",
    "concurrency",
    "forgery",
  ],
};

/** The title of a lens; a given one is its own words, cut. */
export function lensTitle(lens: Lens): string {
  if (lens.kind === "own") return TITLES[lens.id];
  return lens.text.length <= 60 ? lens.text : `${lens.text.slice(0, 59)}…`;
}

/**
 * The lenses of one pass: a person's own ones word for word, each once whatever its case and blanks; else ours by topic. Refuters beyond the lenses
 * there are get none: copies of one angle prove nothing (L3). A `plain` claim gets the same lens for all (R4.5).
 */
export function lensesFor(topic: ClaimTopic, given: readonly string[], count: number): readonly Lens[] {
  const told = given.filter((text) => sameWords(text) !== "");
  const once = told.filter((text, at) => told.findIndex((other) => sameWords(other) === sameWords(text)) === at);
  const own: Lens[] = once.map((text, index) => ({ kind: "given", id: `given-${index + 1}`, text }));
  if (own.length > 0) return own.slice(0, count);
  if (topic === "plain") return Array.from({ length: count }, () => ({ kind: "own", id: "preconditions" }));
  return SETS[topic].slice(0, count).map((id) => ({ kind: "own", id }));
}

/** What makes two lenses one: their words, without case, blanks and punctuation at the end. */
function sameWords(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/[\s.!?…]+$/, "");
}

/** Lenses that no earlier pass has used, most telling first; empty where all have been (R4.25). */
export function freshLenses(topic: ClaimTopic, seen: ReadonlySet<string>, count: number): readonly Lens[] {
  return SETS[topic]
    .filter((id) => !seen.has(id))
    .slice(0, count)
    .map((id) => ({ kind: "own", id }));
}
