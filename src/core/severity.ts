import type { Severity, SourceSeverity } from "./finding.ts";

/** Overrides of the tables below: scale name -> lower-case word -> severity (setting `severityMap`). */
export type SeverityMap = Readonly<Record<string, Readonly<Record<string, Severity>>>>;

// What many tools have in common; each still has a scale of its own, so that a person can map one tool otherwise.
const LINTER = {
  fatal: "P1",
  error: "P1",
  warning: "P2",
  warn: "P2",
  information: "Nit",
  informational: "Nit",
  info: "Nit",
  notice: "Nit",
  note: "Nit",
  hint: "Nit",
  style: "Nit",
} as const;
const SCANNER = {
  critical: "P0",
  high: "P1",
  medium: "P2",
  moderate: "P2",
  low: "Nit",
  negligible: "Nit",
  informational: "Nit",
  info: "Nit",
  none: "Nit",
} as const;
const QUALITY = { blocker: "P0", critical: "P0", major: "P1", minor: "P2", info: "Nit" } as const;

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
    convention: "Nit",
    refactor: "Nit",
  },
  "p-scale": { p0: "P0", p1: "P1", p2: "P2", p3: "Nit", p4: "Nit", nit: "Nit" },
  /** S0-S4 of QA reports. Some start at S0, some at S1: read so that neither kind is understated. */
  "s-scale": {
    s0: "P0",
    s1: "P0",
    s2: "P1",
    s3: "P2",
    s4: "Nit",
    sev0: "P0",
    sev1: "P0",
    sev2: "P1",
    sev3: "P2",
    sev4: "Nit",
    "sev-0": "P0",
    "sev-1": "P0",
    "sev-2": "P1",
    "sev-3": "P2",
    "sev-4": "Nit",
  },
  /** A severity given as a bare number from 0 to 5: the larger the worse. */
  "severity-number": { "5": "P0", "4": "P1", "3": "P2", "2": "Nit", "1": "Nit", "0": "Nit" },
  /** A priority given as a bare number: the smaller the more urgent. */
  "priority-number": { "0": "P0", "1": "P1", "2": "P2", "3": "Nit", "4": "Nit", "5": "Nit" },
  /** A source that gives no severity at all. */
  unstated: { "": "P2" },
  /** Diagnostics of the editor. */
  editor: { error: "P1", warning: "P2", information: "Nit", hint: "Nit" },
  eslint: { "2": "P1", "1": "P2", "0": "Nit", ...LINTER },
  semgrep: { ...SCANNER, ...LINTER, inventory: "Nit", experiment: "Nit" },
  bandit: SCANNER,
  gosec: SCANNER,
  ruff: LINTER,
  mypy: LINTER,
  pyright: { ...LINTER, unusedcode: "Nit", unreachablecode: "Nit", deprecated: "Nit", none: "Nit" },
  typescript: { ...LINTER, message: "Nit", suggestion: "Nit" },
  snyk: SCANNER,
  trivy: SCANNER,
  "npm-audit": SCANNER,
  infer: { ...LINTER, advice: "Nit", like: "Nit" },
  /** Brakeman says how sure it is, not how bad: read as its own SARIF output reads it. */
  "brakeman-confidence": { high: "P1", medium: "P2", weak: "Nit", low: "Nit" },
  "code-scanning": { ...SCANNER, ...LINTER },
  rdjson: { "1": "P1", "2": "P2", "3": "Nit", ...LINTER },
  "code-quality": QUALITY,
  gitlab: SCANNER,
  sonarqube: { ...QUALITY, high: "P1", medium: "P2", low: "Nit" },
  checkstyle: { ...LINTER, ignore: "Nit" },
  gitleaks: LINTER,
  golangci: { ...SCANNER, ...LINTER },
  junit: LINTER,
  compiler: { ...LINTER, "fatal error": "P1" },
} as const satisfies Record<string, Readonly<Record<string, Severity>>>;

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
