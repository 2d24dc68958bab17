import type { Severity, SourceSeverity } from "./finding.ts";

/** Overrides of the tables below: scale name -> lower-case word -> severity (setting `severityMap`). */
export type SeverityMap = Readonly<Record<string, Readonly<Record<string, Severity>>>>;

/** The scales a source may write its severity in (C2, ruling 18). The one place these maps stand. */
export const SEVERITY_SCALES = {
  /** `result.level` of SARIF; linters that speak of errors and warnings use the same words. */
  "sarif-level": { error: "P1", warning: "P2", note: "Nit", none: "Nit" },
  /** The number 0.0-10.0 of code scanning, read as a band: see `securityBand`. */
  "security-severity": { critical: "P0", high: "P1", medium: "P2", low: "Nit" },
  /** The finding table of R3.5: there WARNING is the step below CRITICAL. */
  "archeflow-table": { critical: "P0", warning: "P1", info: "Nit" },
  /** Words in reviews and reports. */
  word: {
    critical: "P0",
    blocker: "P0",
    high: "P1",
    major: "P1",
    error: "P1",
    medium: "P2",
    moderate: "P2",
    minor: "P2",
    warning: "P2",
    low: "Nit",
    info: "Nit",
    informational: "Nit",
    information: "Nit",
    note: "Nit",
    style: "Nit",
    nit: "Nit",
    trivial: "Nit",
    suggestion: "Nit",
    hint: "Nit",
  },
  "p-scale": { p0: "P0", p1: "P1", p2: "P2", p3: "Nit", p4: "Nit", nit: "Nit" },
  /** Diagnostics of the editor. */
  editor: { error: "P1", warning: "P2", information: "Nit", hint: "Nit" },
} as const satisfies Record<string, Readonly<Record<string, Severity>>>;

export type Scale = keyof typeof SEVERITY_SCALES;

const TABLES = new Map<string, ReadonlyMap<string, Severity>>(
  Object.entries(SEVERITY_SCALES).map(([scale, table]) => [scale, new Map<string, Severity>(Object.entries(table))]),
);

/** Band of a `security-severity` number (C2): 9.0 critical, 7.0 high, 4.0 medium, else low; null where it is no number from 0 to 10. */
export function securityBand(value: string): "critical" | "high" | "medium" | "low" | null {
  if (!/^\d{1,2}(?:\.\d+)?$/.test(value.trim())) return null;
  const score = Number(value);
  if (score > 10) return null;
  if (score >= 9) return "critical";
  if (score >= 7) return "high";
  return score >= 4 ? "medium" : "low";
}

/**
 * The internal severity of a severity as its source wrote it (C2, ruling 18); `overrides` win over the tables.
 * Null where the scale does not know the word: the caller then lists the thing as unread or takes its default.
 */
export function severityOf(source: SourceSeverity, overrides: SeverityMap = {}): Severity | null {
  const word = source.scale === "security-severity" ? securityBand(source.value) : source.value.trim().toLowerCase();
  if (word === null) return null;
  const own = Object.hasOwn(overrides, source.scale) ? overrides[source.scale] : undefined;
  if (own !== undefined && Object.hasOwn(own, word)) return own[word] ?? null;
  return TABLES.get(source.scale)?.get(word) ?? null;
}
