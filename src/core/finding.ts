/** Internal severities, worst first (C2). */
export const SEVERITIES = ["P0", "P1", "P2", "Nit"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A severity as its source wrote it, kept untouched; `scale` names the map that was applied (C2, ruling 18). */
export interface SourceSeverity {
  readonly scale: string;
  readonly value: string;
}

/** A region of a text: lines and columns 1-based, `endColumn` exclusive, columns in UTF-16 units; null where not given. */
export interface Span {
  readonly line: number | null;
  readonly endLine: number | null;
  readonly column: number | null;
  readonly endColumn: number | null;
}

export const NO_SPAN: Span = { line: null, endLine: null, column: null, endColumn: null };

/** Whether the source itself still holds the claim up: SARIF suppressions, `baselineState: absent`, `kind: pass`. */
export type FindingStatus = "open" | "suppressed" | "absent" | "pass";

/** How the cited place relates to the workspace. Only `exact` and `relocated` have text to show. */
export type PlaceStatus = "exact" | "relocated" | "out-of-range" | "missing-file" | "file-level" | "none";

/** Why a finding is a hard fact that is never triaged away (R0.2, class 21 of the claim classes). */
export type HardFact = "secret" | "vulnerable-dependency" | "failing-test" | "compile-error";

/** Another place the source points at: a related location or a step of a flow. */
export interface RelatedPlace {
  /** Path as the source wrote it, percent-decoded and joined with its base id. */
  readonly path: string | null;
  readonly span: Span;
  readonly message: string;
}

/** A finding as a reader took it from its source, before it is held against a workspace. */
export interface Claimed {
  readonly sourceId: string | null;
  /** Path as the source wrote it, percent-decoded and joined with its base id; null where it names none. */
  readonly path: string | null;
  readonly span: Span;
  readonly severity: Severity;
  readonly sourceSeverity: SourceSeverity;
  readonly tool: string;
  readonly rule: string | null;
  /** Plain text, never markup. */
  readonly message: string;
  readonly category: string | null;
  readonly status: FindingStatus;
  /** Code that the source quotes for this place; null where it quotes none. */
  readonly quote: string | null;
  readonly fix: string | null;
  readonly help: string | null;
  readonly helpUri: string | null;
  readonly cwe: readonly string[];
  /** The source's own confidence, 0-100, as given; never shown to a judge (C16). */
  readonly finderConfidence: number | null;
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly related: readonly RelatedPlace[];
  readonly flows: readonly (readonly RelatedPlace[])[];
  /** True for findings written as prose (markdown, text): only they pass the lexical evidence gate (ruling 12). */
  readonly prose: boolean;
  /** Where in the source it stands: a JSON pointer, or `L12` for a line of text. */
  readonly pointer: string;
  /** Everything else the source said about it. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Something that looks like a finding and was not understood (C20). */
export interface Unread {
  /** The review file. */
  readonly path: string;
  /** 1-based line in the review file; null where it is not known. */
  readonly line: number | null;
  readonly pointer: string | null;
  /** The first 200 characters of what stands there. */
  readonly text: string;
  readonly reason: string;
  /** True where it carries a severity word: such a row counts for the exit code (ruling 21). */
  readonly severityWord: boolean;
}

/** What a review says of itself: kept and shown, never used to judge its findings (R1.36). Null where it does not say. */
export interface Declared {
  /** `BLOCK`, `PASS`, `APPROVED`, `REJECTED`, `REQUEST CHANGES` ... as written, in capitals (R0.34, R3.4). */
  readonly verdict: string | null;
  /** The gate sentinels of R1.7. */
  readonly gate: "ready" | "blocked" | null;
  /** `DONE`, `DONE_WITH_CONCERNS`, `NEEDS_CONTEXT` or `BLOCKED` (R3.4). */
  readonly status: string | null;
}

/** What came out of one review file. */
export interface ReviewReading {
  /** Name of the reader that understood it: `sarif`, `markdown`, ..., or `none`. */
  readonly format: string;
  readonly claimed: readonly Claimed[];
  readonly unread: readonly Unread[];
  /** VCS revision the review says it looked at; null where it does not say. */
  readonly revision: string | null;
  /** Left out where the review declares nothing. */
  readonly declared?: Declared;
}

/** A reading whose claims are handed over: who places them lets go of each, so that a claim and its finding are not both held. */
export interface HandedReading extends Omit<ReviewReading, "claimed"> {
  readonly claimed: (Claimed | null)[];
}

/** Where a finding really stands in the workspace. */
export interface Place extends Span {
  readonly status: PlaceStatus;
  /** Workspace-relative path with `/`; null where there is no file in the workspace. */
  readonly file: string | null;
  /** One sentence for a person when the place is not the cited one or could not be found. */
  readonly note: string | null;
  /** The span the source cited, kept beside a relocated one. */
  readonly cited: Span;
}

/** What the lexical evidence gate did to a prose finding (R3.14-R3.28); display only until a person acknowledges it. */
export interface GateDowngrade {
  readonly from: Severity;
  readonly to: Severity;
  readonly reason: "no_evidence" | "hedge_without_evidence";
}

/** A finding of this workspace: placed, keyed, gated and clustered. */
export interface Finding extends Omit<Claimed, "path" | "span" | "pointer"> {
  /** Identity: hash of file and canonical text, with an occurrence suffix (C17). */
  readonly key: string;
  readonly place: Place;
  /** Path as the source wrote it. */
  readonly citedPath: string | null;
  readonly hard: HardFact | null;
  /** Key shared by exact C18 duplicates; null where the finding stands alone. */
  readonly cluster: string | null;
  readonly gate: GateDowngrade | null;
  /** The review file (workspace-relative where inside, else as given) and the place in it. `path` is `editor` for live diagnostics. */
  readonly source: { readonly path: string; readonly pointer: string };
}
