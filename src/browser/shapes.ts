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
export type Method = NonNullable<PanelState["method"]>;
export type Refutation = NonNullable<PanelState["refutation"]>;
export type Refuter = Refutation["refuters"][number];
export type CountedRefuter = Extract<Refuter, { kind: "counted" }>;
export type Recount = NonNullable<Refutation["recount"]>;
export type Opinion = NonNullable<PanelState["opinion"]>;
export type GivenOpinion = Extract<Opinion, { kind: "gave" }>;
export type Ref = GivenOpinion["refs"][number];
export type Artefact = NonNullable<GivenOpinion["rebuttal"]>[number];
export type Mapped = NonNullable<Outcome["mapped"]>;
export type Identity = NonNullable<CountedRound["by"]>;
export type RoundNumber = Extract<Stage, { kind: "round" }>["n"];
