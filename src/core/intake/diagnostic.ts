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
  ["vue", "Vue"],
  ["vue-ts", "TypeScript"],
  ["svelte", "Svelte"],
  ["eslint", "ESLint"],
  ["oxc", "oxlint"],
  ["oxlint", "oxlint"],
  ["biome", "Biome"],
  ["deno-lint", "deno lint"],
  ["stylelint", "stylelint"],
  ["markdownlint", "markdownlint"],
  ["cspell", "CSpell"],
  ["ruff", "Ruff"],
  ["pylance", "Pylance"],
  ["pyright", "Pyright"],
  ["basedpyright", "basedpyright"],
  ["mypy", "mypy"],
  ["dmypy", "mypy"],
  ["pylint", "Pylint"],
  ["flake8", "Flake8"],
  ["pycodestyle", "pycodestyle"],
  ["pyflakes", "Pyflakes"],
  ["bandit", "Bandit"],
  ["compiler", "Go compiler"],
  ["go", "Go compiler"],
  ["go vet", "go vet"],
  ["golangci-lint", "golangci-lint"],
  ["staticcheck", "staticcheck"],
  ["rustc", "rustc"],
  ["clippy", "Clippy"],
  ["rust-analyzer", "rust-analyzer"],
  ["java", "Java"],
  ["checkstyle", "Checkstyle"],
  ["clang", "Clang"],
  ["clangd", "Clang"],
  ["clang-tidy", "clang-tidy"],
  ["c/c++", "C/C++"],
  ["csharp", "C#"],
  ["roslyn", "C#"],
  ["rubocop", "RuboCop"],
  ["phpstan", "PHPStan"],
  ["intelephense", "Intelephense"],
  ["sonarlint", "SonarQube for IDE"],
  ["sonarqube", "SonarQube for IDE"],
  ["semgrep", "Semgrep"],
  ["snyk code", "Snyk Code"],
  ["trivy", "Trivy"],
  ["shellcheck", "ShellCheck"],
  ["hadolint", "hadolint"],
]);

/** gopls reports each of Go's analyzers under the analyzer's own name. */
const GO_ANALYZERS: ReadonlySet<string> = new Set(
  (
    "appends asmdecl assign atomic bools buildtag composites copylocks deepequal defers directive errorsas fillreturns httpresponse " +
    "ifaceassert infertypeargs loopclosure lostcancel modernize nilfunc nilness nonewvars printf shadow shift simplifycompositelit " +
    "simplifyrange simplifyslice slog sortslice stdmethods stringintconv structtag testinggoroutine tests timeformat unmarshal " +
    "unreachable unsafeptr unusedfunc unusedparams unusedresult unusedvariable unusedwrite"
  ).split(" "),
);

/**
 * One live diagnostic of a document as a claim: 1-based, end column exclusive. `path` is the document, workspace-relative. Severity per
 * C2: P0 only where the message carries an explicit `[P0]`.
 */
export function fromDiagnostic(diagnostic: DiagnosticInput, path: string, severityMap: SeverityMap = {}): Claimed {
  const { start, end } = diagnostic.range;
  const source = diagnostic.source?.trim() ?? "";
  const ofGo = GO_ANALYZERS.has(source) && path.endsWith(".go");
  const tool = ofGo ? "gopls" : (TOOLS.get(source.toLowerCase()) ?? (source === "" ? "editor" : source));
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
    rule: ofGo ? source : ruleName(tool, diagnostic.code),
    message: diagnostic.message,
    helpUri: diagnostic.codeHref,
    related: diagnostic.related.map(({ uri, line, message }) => ({
      path: pathOfUri(uri),
      span: { line: line + 1, endLine: null, column: null, endColumn: null },
      message,
    })),
    pointer: `L${start.line + 1}`,
    extra: { level: diagnostic.severity, tags: diagnostic.tags, source: diagnostic.source, code: diagnostic.code },
  };
}

/** The rule as its tool's own documentation names it. */
function ruleName(tool: string, code: string | null): string | null {
  if (code === null || code.trim() === "") return null;
  if (tool === "TypeScript" && /^\d+$/.test(code)) return `TS${code}`;
  if (tool === "ShellCheck" && /^\d+$/.test(code)) return `SC${code}`;
  // oxlint: `eslint(no-undef)`, `typescript-eslint(no-explicit-any)`; Pylint: `C0301:line-too-long`.
  const plugin = /^([\w-]+)\(([\w/-]+)\)$/.exec(code);
  if (plugin !== null) return plugin[1] === "eslint" ? (plugin[2] ?? code) : `${plugin[1]}/${plugin[2]}`;
  return tool === "Pylint" ? code.replace(/:.*$/s, "") : code;
}
