import type { CheckResult } from "../check.ts";
import type { Opinion } from "../opinion.ts";
import type { Stage } from "../outcome.ts";
import type { Recount, Refuter } from "../refuter.ts";
import type { Round, Ruling, Vote } from "../round.ts";

/** What happens while a finding is judged, reported when it happens. */
export type JudgingEvent =
  | { readonly kind: "stage"; readonly stage: Stage }
  | { readonly kind: "asked"; readonly check: CheckResult }
  | { readonly kind: "round"; readonly round: Round }
  | { readonly kind: "vote"; readonly vote: Vote }
  | { readonly kind: "ruling"; readonly ruling: Ruling }
  | { readonly kind: "refuter"; readonly refuter: Refuter }
  | { readonly kind: "recount"; readonly recount: Recount }
  | { readonly kind: "opinion"; readonly opinion: Opinion };
