import type { Model } from "./ports.ts";
import type { Given } from "./reviewer.ts";

/** What a model came to in one conversation; `refused` where it would not answer. */
export type Spoken<T> = Given<T> & { readonly refused?: boolean };

/** A model that refuses may have a neighbour that does not: the person is told of it, nobody is asked unasked. */
export function offerOther<T>(given: Spoken<T>): Spoken<T> {
  if (given.kind === "gave") return given;
  return { ...given, reason: `${given.reason} Another model may answer: challenge again with another model.` };
}

/** The abstention of a model that refused, where the fallback gave no answer either. */
export function bothFailed<T>(first: Spoken<T>, second: Spoken<T>): Spoken<T> {
  if (first.kind === "gave" || second.kind === "gave") return first;
  return { ...first, reason: `${first.reason} The fallback model gave no answer either: ${second.reason}` };
}

/** Names who answered, where that is another than the usual model. */
export function nameOther<T>(given: Spoken<T>, model: Model, usual: Model): Given<T> {
  const { refused: _refused, ...plain } = given;
  return model === usual ? plain : { ...plain, by: model.identity };
}
