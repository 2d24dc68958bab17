import type { Claimed, HardFact } from "./finding.ts";

// Allow-lists of deterministic tools (class 21, ruling 7): names in lower case without blanks and punctuation, matched from the start.
const SECRET_SCANNERS = [
  "gitleaks",
  "trufflehog",
  "detectsecrets",
  "secretlint",
  "ggshield",
  "gitguardian",
  "gitsecrets",
  "noseyparker",
  "kingfisher",
  "whispers",
  "talisman",
  "githubsecretscanning",
  "secretscan",
];
const DEPENDENCY_AUDITORS = [
  "trivy",
  "grype",
  "npmaudit",
  "yarnaudit",
  "pnpmaudit",
  "osvscanner",
  "govulncheck",
  "snykopensource",
  "snykcontainer",
  "dependabot",
  "dependencycheck",
  "owaspdependencycheck",
  "pipaudit",
  "cargoaudit",
  "cargodeny",
  "bundleraudit",
  "retirejs",
  "nancy",
  "anchore",
  "dockerscout",
  "clair",
  "safety",
  "gemnasium",
  "dependencyaudit",
  "dependencyscan",
];
const COMPILERS: ReadonlySet<string> = new Set([
  "typescript",
  "ts",
  "tsc",
  "javac",
  "java",
  "rustc",
  "gobuild",
  "go",
  "compiler",
  "gocompiler",
  "gcc",
  "clang",
  "ccompiler",
]);
const TEST_RUNNERS: ReadonlySet<string> = new Set([
  "jest",
  "vitest",
  "mocha",
  "pytest",
  "junit",
  "gotest",
  "cargotest",
  "playwright",
  "rspec",
  "phpunit",
]);

const ADVISORY =
  /\b(?:CVE-\d{4}-\d{4,}|GHSA(?:-[0-9a-z]{4}){3}|GO-\d{4}-\d{4,}|RUSTSEC-\d{4}-\d{4}|PYSEC-\d{4}-\d+|SNYK(?:-[A-Z0-9]+){2,3}-\d+|npm-advisory-\d+|npm:[@\w./-]{1,80}:\d{8})\b/i;

/**
 * Why a finding is a hard fact that bypasses triage (R0.2, class 21), else null. Only allow-listed deterministic tools make one: the
 * word "secret" in a model's or a person's review does not, whatever tool that review names, be it written as markdown or as JSON.
 */
export function hardFact(claimed: Claimed): HardFact | null {
  if (claimed.prose || claimed.extra["reader"] === "agent" || claimed.status === "pass" || claimed.status === "absent")
    return null;
  const tool = claimed.tool.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (startsWithAny(tool, SECRET_SCANNERS) || (tool.startsWith("trivy") && isSecretRule(claimed))) return "secret";
  if (startsWithAny(tool, DEPENDENCY_AUDITORS) && namesAdvisory(claimed)) return "vulnerable-dependency";
  if (!isError(claimed)) return null;
  // GCC names itself after the language and its version: "GNU C++17".
  if ((COMPILERS.has(tool) || tool.startsWith("gnuc")) && isCompileRule(tool, claimed.rule)) return "compile-error";
  return TEST_RUNNERS.has(tool) ? "failing-test" : null;
}

function startsWithAny(tool: string, names: readonly string[]): boolean {
  return names.some((name) => tool.startsWith(name));
}

/** Trivy reports secrets beside packages and misconfigurations; its rules say which in tags or category. */
function isSecretRule(claimed: Claimed): boolean {
  const tags = claimed.extra["tags"];
  return (
    claimed.category?.toLowerCase() === "secret" ||
    (Array.isArray(tags) && tags.some((tag) => typeof tag === "string" && tag.toLowerCase() === "secret"))
  );
}

function namesAdvisory(claimed: Claimed): boolean {
  return ADVISORY.test(claimed.rule ?? "") || ADVISORY.test(claimed.message);
}

/** Level `error` as the source said it; a security number may have changed the severity since. */
function isError(claimed: Claimed): boolean {
  const level = claimed.extra["level"];
  const said = typeof level === "string" ? level : claimed.sourceSeverity.value;
  return said.toLowerCase() === "error" || said.toLowerCase() === "fatal";
}

/** A compiler's own error, not what its analyzers or lint groups think. */
function isCompileRule(tool: string, rule: string | null): boolean {
  if (tool === "typescript" || tool === "ts" || tool === "tsc") return rule !== null && /^(?:TS)?\d{1,5}$/i.test(rule);
  if (tool === "rustc") return rule === null || /^E\d{4}$/.test(rule);
  return rule === null || !/analyzer|^-?W|clippy|tidy/i.test(rule);
}
