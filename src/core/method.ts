/** How a finding is judged once checks have left it open: three rounds and an arbiter, blind refuters, or a blind second opinion alone. */
export const STRATEGIES = ["rounds", "refute", "verdict"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Whether a round is told what earlier ones said (C1). The arbiter always is. */
export const VISIBILITIES = ["sequential", "blind"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** What a second opinion is asked for (R1.1). Only `dismiss` can lead to a dismissal (R1.24). */
export const INTENTS = ["dismiss", "confirm", "clarify"] as const;
export type Intent = (typeof INTENTS)[number];

/** Roles that may have a model of their own. */
export const MODEL_ROLES = ["arbiter", "secondOpinion", "fallback"] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** Fewest and most refuters that a person may ask for (R4.4). One is taken, and leads to no verdict, which is said. */
export const REFUTERS = { fewest: 1, most: 7, usual: 3 } as const;

/** Quiet passes after which a loop ends (R4.25, R4.29): one proves nothing and is taken as two. 0 means no loop. */
export const QUIET_ROUNDS = { fewest: 2, most: 5, off: 0 } as const;

/** How one finding is judged in one run: from settings, the command line, or a person's choice for this finding. */
export interface Method {
  readonly strategy: Strategy;
  readonly visibility: Visibility;
  readonly intent: Intent;
  /** Number of refuters of the first pass, 1..7. */
  readonly refuters: number;
  /** A person's own lenses, word for word; empty: chosen by the kind of the claim (R4.5). */
  readonly lenses: readonly string[];
  /** `when-needed`: where a P0 or P1 would be proposed for dismissal. `always`: besides every other verdict. */
  readonly secondOpinion: "when-needed" | "always";
  /** Refuting goes on with fresh lenses until so many passes in a row found nothing; 0: one pass. */
  readonly quietRounds: number;
  /** True: a third round is not asked where two uphold the finding. It says so. */
  readonly earlyStop: boolean;
}

export const USUAL_METHOD: Method = {
  strategy: "rounds",
  visibility: "sequential",
  intent: "dismiss",
  refuters: REFUTERS.usual,
  lenses: [],
  secondOpinion: "when-needed",
  quietRounds: QUIET_ROUNDS.off,
  earlyStop: false,
};

/** What a person asks for in one run; what is left out comes from the settings. */
export interface Challenge extends Partial<Method> {
  /** Ask the fallback model instead of the usual one. */
  readonly model?: "fallback" | undefined;
  /** Ask anew, whatever is remembered of earlier answers. */
  readonly fresh?: boolean | undefined;
}

/** The method of a run. */
export function methodOf(usual: Method, { model: _model, fresh: _fresh, ...asked }: Challenge = {}): Method {
  return { ...usual, ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) };
}
