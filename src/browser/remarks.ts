import type { PanelState } from "../protocol/panel.ts";
import type { Finding } from "./shapes.ts";
import type { Tone } from "./words.ts";

/** Sentences about the finding itself that a person must know before judging it, most important first. */
export interface Remark {
  readonly icon: string;
  readonly tone: Tone;
  readonly text: string;
}

const STATUS = {
  suppressed: "The source itself marks this as suppressed.",
  absent: "The source itself marks this as no longer present.",
  pass: "The source itself marks this as passed.",
} as const satisfies Record<Exclude<Finding["status"], "open">, string>;

const GATES = {
  no_evidence: "it names no evidence",
  hedge_without_evidence: "it hedges and names no evidence",
} as const;

/** Place, gate, source status, hard fact and cluster, as far as there is something to say. */
export function remarksOf({ finding, clusterSize, outcome }: PanelState): readonly Remark[] {
  const remarks: Remark[] = [];
  const { hard, place, gate, status, severity } = finding;
  if (hard !== null) {
    const text = "A hard fact is never triaged away, downgraded or merged. Only a person may close it, with a reason.";
    remarks.push({ icon: "lock", tone: "real", text });
  }
  if (place.note !== null) {
    const missing = place.status !== "relocated" && place.status !== "exact";
    remarks.push({ icon: missing ? "warning" : "arrow-swap", tone: "open", text: place.note });
  } else if (place.status === "none") {
    remarks.push({ icon: "warning", tone: "open", text: "The source names no place in the code." });
  } else if (place.status === "missing-file" || place.status === "out-of-range") {
    remarks.push({ icon: "warning", tone: "open", text: "The cited place is not in this workspace." });
  }
  if (status !== "open") remarks.push({ icon: "mute", tone: "off", text: STATUS[status] });
  if (gate !== null) {
    const text = `Shown as ${gate.to} instead of ${gate.from}: ${GATES[gate.reason]}. It counts as ${gate.from} until a person decides.`;
    remarks.push({ icon: "arrow-down", tone: "open", text });
  }
  if (outcome !== null && outcome.severity !== severity && outcome.action !== "demote") {
    const text = `Shown as ${outcome.severity}. It counts as ${severity} until a person decides.`;
    remarks.push({ icon: "arrow-down", tone: "open", text });
  }
  if (clusterSize > 1) {
    const more = clusterSize === 2 ? "1 more finding" : `${clusterSize - 1} more findings`;
    const text = `Stands for ${more} with the same text in this file: one triage serves all ${clusterSize}.`;
    remarks.push({ icon: "layers", tone: "info", text });
  }
  return remarks;
}
