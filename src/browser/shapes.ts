import type { PanelState } from "../protocol/panel.ts";

// The page imports the panel protocol and nothing else of ours, so the types inside its messages are named here.

export type Finding = PanelState["finding"];
export type Severity = Finding["severity"];
export type SourceSeverity = Finding["sourceSeverity"];
export type HardFact = NonNullable<Finding["hard"]>;
export type RelatedPlace = Finding["related"][number];
export type CheckResult = PanelState["checks"][number];
export type CheckVerdict = CheckResult["verdict"];
export type CheckedCitation = CheckResult["citations"][number];
export type Receipt = PanelState["receipts"][number];
export type Round = PanelState["rounds"][number];
export type CountedRound = Extract<Round, { kind: "counted" }>;
export type Question = Round["question"];
export type Vote = NonNullable<PanelState["vote"]>;
export type Verdict = CountedRound["verdict"];
export type Ruling = NonNullable<PanelState["ruling"]>;
export type Outcome = NonNullable<PanelState["outcome"]>;
export type Pack = NonNullable<PanelState["pack"]>;
export type Piece = Pack["pieces"][number];
export type Duty = Pack["duties"][number];
export type Stage = NonNullable<PanelState["stage"]>;
export type LineView = PanelState["lines"][number];
export type Reproduction = NonNullable<PanelState["reproduction"]>;
export type RoundNumber = Extract<Stage, { kind: "round" }>["n"];
