import { type Finding, SEVERITIES, type Severity } from "./finding.ts";
import type { Judgement } from "./judgement.ts";
import type { SeveritySuggestion } from "./outcome.ts";
import type { Impact } from "./impact.ts";
import type { Refuter } from "./refuter.ts";

/** The severity that an impact comes to (C2). */
const SEVERITY_OF: Readonly<Record<Impact, Severity>> = { critical: "P0", high: "P1", medium: "P2", low: "Nit" };
/** Refuters that have to share a view of the damage. */
const SHARED = 2;

/**
 * Another severity that somebody argued for (C15, R4.20): up with a way to reach the place and a line that resolves, down where all refuters
 * that counted call it low. It is stored and shown; only a person applies it.
 */
export function suggestSeverity(input: Judgement & { readonly finding: Finding }): SeveritySuggestion | null {
  return byArbiter(input) ?? byRefuters(input);
}

function byArbiter({ ruling, finding }: Judgement & { readonly finding: Finding }): SeveritySuggestion | null {
  const suggests = ruling?.suggests;
  if (ruling?.verdict !== "VALID" || suggests === undefined || !ruling.citations.some(({ ok }) => ok)) return null;
  const to = SEVERITY_OF[suggests.impact];
  if (SEVERITIES.indexOf(to) >= SEVERITIES.indexOf(finding.severity)) return null;
  return { to, why: `The arbiter argues for ${to}: ${suggests.argument}` };
}

function byRefuters({ refutation, finding }: Judgement & { readonly finding: Finding }): SeveritySuggestion | null {
  const counted = (refutation?.refuters ?? []).filter((one) => one.kind === "counted");
  if (refutation?.recount.result !== "survives" || refutation.polarity !== "bug") return null;
  const upholding = counted.filter(({ side, citations }) => side === "for" && citations.some(({ ok }) => ok));
  const argued = upholding.filter(({ scenario }) => scenario !== "");
  const [worst] = argued.map(({ impact }) => SEVERITY_OF[impact]).sort(bySeverity);
  const alike = argued.filter(({ impact }) => SEVERITY_OF[impact] === worst);
  if (worst !== undefined && alike.length >= SHARED && bySeverity(worst, finding.severity) < 0)
    return { to: worst, why: `${alike.length} refuters argue for ${worst}: ${firstScenario(alike)}` };
  const low = counted.length >= SHARED && counted.every(({ impact }) => impact === "low");
  const high = finding.severity === "P0" || finding.severity === "P1";
  return low && high ? { to: "P2", why: `All ${counted.length} refuters that counted call the damage low.` } : null;
}

function bySeverity(a: Severity, b: Severity): number {
  return SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);
}

function firstScenario([first]: readonly Refuter[]): string {
  return first?.kind === "counted" ? first.scenario : "";
}
