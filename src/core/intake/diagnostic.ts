import type { Claimed, SourceSeverity } from "../finding.ts";
import type { SeverityMap } from "../severity.ts";
import { severityOf } from "../severity.ts";
import { BLANK_CLAIM } from "./reader.ts";
import { pathOfUri } from "./uri.ts";

/** A diagnostic as the editor gives it: 0-based LSP lines and UTF-16 characters, end exclusive. The worker's own type fits it. */
export interface DiagnosticInput {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly source: string | null;
  readonly code: string | null;
  readonly codeHref: string | null;
  readonly message: string;
  readonly tags: readonly string[];
  readonly related: readonly { readonly uri: string; readonly line: number; readonly message: string }[];
}

/** Names under which language servers report, and the tool a person knows. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ["ts", "TypeScript"],
  ["typescript", "TypeScript"],
  ["deno-ts", "TypeScript"],
  ["js", "TypeScript"],
  ["javascript", "TypeScript"],
  ["eslint", "ESLint"],
  ["oxc", "oxlint"],
  ["biome", "Biome"],
  ["ruff", "Ruff"],
  ["pylance", "Pylance"],
  ["pyright", "Pyright"],
  ["mypy", "mypy"],
  ["pylint", "Pylint"],
  ["flake8", "Flake8"],
  ["compiler", "Go compiler"],
  ["go vet", "go vet"],
  ["golangci-lint", "golangci-lint"],
  ["staticcheck", "staticcheck"],
  ["rustc", "rustc"],
  ["clippy", "Clippy"],
  ["rust-analyzer", "rust-analyzer"],
  ["java", "Java"],
  ["sonarlint", "SonarQube for IDE"],
  ["sonarqube", "SonarQube for IDE"],
  ["shellcheck", "ShellCheck"],
]);

/**
 * One live diagnostic of a document as a claim: 1-based, end column exclusive. `path` is the document, workspace-relative. Severity per
 * C2: P0 only where the message carries an explicit `[P0]`.
 */
export function fromDiagnostic(diagnostic: DiagnosticInput, path: string, severityMap: SeverityMap = {}): Claimed {
  const { start, end } = diagnostic.range;
  const tool = TOOLS.get(diagnostic.source?.toLowerCase() ?? "") ?? diagnostic.source ?? "editor";
  const sourceSeverity: SourceSeverity = /^\s*\[P0\]/i.test(diagnostic.message)
    ? { scale: "p-scale", value: "P0" }
    : { scale: "editor", value: diagnostic.severity };
  return {
    ...BLANK_CLAIM,
    path,
    span: { line: start.line + 1, endLine: end.line + 1, column: start.character + 1, endColumn: end.character + 1 },
    severity: severityOf(sourceSeverity, severityMap) ?? "P2",
    sourceSeverity,
    tool,
    rule: ruleName(tool, diagnostic.code),
    message: diagnostic.message,
    helpUri: diagnostic.codeHref,
    related: diagnostic.related.map(({ uri, line, message }) => ({
      path: pathOfUri(uri),
      span: { line: line + 1, endLine: null, column: null, endColumn: null },
      message,
    })),
    pointer: `L${start.line + 1}`,
    extra: { level: diagnostic.severity, tags: diagnostic.tags },
  };
}

function ruleName(tool: string, code: string | null): string | null {
  return tool === "TypeScript" && code !== null && /^\d+$/.test(code) ? `TS${code}` : code;
}
