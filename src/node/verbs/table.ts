import type { VerbName } from "../../core/ports.ts";
import { blame } from "./blame.ts";
import { diff } from "./diff.ts";
import { grep } from "./grep.ts";
import { log } from "./log.ts";
import { read } from "./read.ts";
import { show } from "./show.ts";
import type { Verb } from "./verb.ts";

/** Every verb of tier 0 (design, section 6). A new one is its file and a line here; models are offered it by that alone. */
export const VERBS: { readonly [V in VerbName]: Verb<V> } = { read, grep, log, blame, diff, show };

/** The verb that a name means, the function names of models included. */
export const VERB_OF_NAME: ReadonlyMap<string, VerbName> = new Map(
  verbNames().flatMap((verb) => [verb, ...VERBS[verb].names].map((name) => [name, verb] as const)),
);

/** All verbs in the order in which models are offered them. */
export function verbNames(): VerbName[] {
  return Object.keys(VERBS).filter((name): name is VerbName => name in VERBS);
}
