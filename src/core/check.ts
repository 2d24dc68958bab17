import type { CheckerClaim } from "./checkerClaim.ts";
import type { Proposal } from "./proposal.ts";
import type { CheckedCitation } from "./round.ts";

/** What a check made of one atomic claim (ruling 13). Only `refuted` and `confirmed` move anything. */
export type CheckVerdict = "refuted" | "confirmed" | "inapplicable" | "unknown";

/** Kind of an atomic claim, decided before any check runs; unsure means behaviour. */
export type ClaimKind = "checker" | "structural" | "attribution" | "behaviour" | "judgement";

/** One atomic claim of a finding. */
export interface Atom {
  /** Position in the finding, from 0. */
  readonly id: number;
  readonly kind: ClaimKind;
  /** Claim class 1-23; null where none fits. */
  readonly claimClass: number | null;
  /** The words of the finding it was taken from. */
  readonly text: string;
  /** False for consequences of another atom and for advice: they neither carry nor save a finding. */
  readonly weight: boolean;
  /** The name it speaks about, where it names one. */
  readonly subject: string | null;
  /** What it says about a checker; only for kind `checker`. */
  readonly checker?: CheckerClaim | undefined;
}

/** Record of one run of a verb (design, section 6). `lines` are the kept output lines, secrets masked. */
export interface Receipt {
  readonly id: string;
  readonly verb: string;
  readonly argv: readonly string[];
  /** Working folder, workspace-relative. */
  readonly cwd: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** SHA-256 of the whole output, hex. */
  readonly outputHash: string;
  readonly truncated: boolean;
  readonly lines: readonly string[];
  /** Who asked: `check`, `pack`, `round-1` ... `round-3`, `arbiter`. */
  readonly by: string;
}

/** What a fact about a finding as a whole asks of the policy; it never says whether the defect is real. */
export interface Notice {
  readonly claimClass: 15 | 16 | 17 | 18 | 19 | 20;
  /** `tell` only shows it; `escalate` keeps the program from setting the finding aside alone. */
  readonly does: "route" | "demote" | "escalate" | "tell";
}

/** A finished check of one atom, or of the finding as a whole (`atom` null). */
export interface CheckResult {
  readonly check: string;
  readonly atom: Atom | null;
  readonly verdict: CheckVerdict;
  /** One sentence for a person. */
  readonly text: string;
  readonly citations: readonly CheckedCitation[];
  /** Ids of the receipts it rests on. */
  readonly receipts: readonly string[];
  /** Only on facts about the finding as a whole (classes 15-20). */
  readonly notice?: Notice | undefined;
  /** Only on `unknown`: the line that would settle it once a person accepts it. */
  readonly proposal?: Proposal | undefined;
}
