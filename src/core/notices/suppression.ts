import { sidesOf } from "../change.ts";
import type { CheckResult, Notice } from "../check.ts";
import { codeOnly, syntaxOf } from "../code/lexer.ts";
import { type CheckContext, citeLines, result } from "../checks/check.ts";
import type { Finding } from "../finding.ts";
import type { Change } from "../ports.ts";

/** An inline comment that silences one tool on one line. `rules` is empty where it silences all of them. */
export interface Suppression {
  /** 1-based line of the comment. */
  readonly line: number;
  readonly rules: readonly string[];
  readonly reason: string | null;
}

interface Form {
  readonly tool: RegExp;
  /** Groups: `rules`, `reason`. */
  readonly pattern: RegExp;
  /** Whether it silences its own line or the one below. */
  readonly where: "same" | "next";
}

const LIST = "(?<rules>[\\w@/.:-]+(?:\\s*,\\s*[\\w@/.:-]+)*)";
const form = (tool: string, where: Form["where"], pattern: string): Form => ({
  tool: new RegExp(`^(?:${tool})`, "i"),
  where,
  pattern: new RegExp(pattern),
});

/** How each tool writes it. The tool is the finding's own: a comment for another tool says nothing about it. */
const FORMS: readonly Form[] = [
  form(
    "eslint|oxlint",
    "next",
    `(?:eslint|oxlint)-disable-next-line(?:\\s+(?!--)${LIST})?\\s*(?:--+\\s*(?<reason>[^*]*\\S))?`,
  ),
  form(
    "eslint|oxlint",
    "same",
    `(?:eslint|oxlint)-disable-line(?:\\s+(?!--)${LIST})?\\s*(?:--+\\s*(?<reason>[^*]*\\S))?`,
  ),
  form("biome", "next", `biome-ignore\\s+${LIST}\\s*:\\s*(?<reason>[^*]*\\S)?`),
  form("tsc|typescript|ts$", "next", "@ts-(?:expect-error|ignore)\\b:?\\s*(?<reason>[^*]*\\S)?"),
  form("ruff|flake8|pycodestyle|pyflakes", "same", `#\\s*noqa(?:\\s*:\\s*${LIST})?(?:\\s+#?\\s*(?<reason>\\S.*))?$`),
  form("mypy", "same", `#\\s*type:\\s*ignore(?:\\[${LIST}\\])?(?:\\s*#\\s*(?<reason>\\S.*))?`),
  form("pyright|pylance", "same", `#\\s*(?:pyright|type):\\s*ignore(?:\\[${LIST}\\])?(?:\\s*#\\s*(?<reason>\\S.*))?`),
  form("pylint", "same", `#\\s*pylint:\\s*disable=${LIST}(?:\\s+#?\\s*(?<reason>\\S.*))?`),
  form(
    "bandit",
    "same",
    `#\\s*nosec\\b(?:[:\\s]+(?<rules>B\\d+(?:\\s*,\\s*B\\d+)*))?(?:\\s*(?:#|--)\\s*(?<reason>\\S.*))?`,
  ),
  form("semgrep", "same", `nosemgrep(?:\\s*:\\s*${LIST})?(?:\\s*(?:#|--)\\s*(?<reason>\\S.*))?`),
  form(
    "golangci|staticcheck|errcheck|govet|go vet|gosec",
    "same",
    `//\\s*nolint(?::${LIST})?(?:\\s*//\\s*(?<reason>\\S.*))?`,
  ),
  form("shellcheck", "next", `#\\s*shellcheck\\s+disable=${LIST}(?:\\s+#\\s*(?<reason>\\S.*))?`),
];

/** The comment that silences a tool's rule at a 1-based line; null where none does. Text in strings is no comment. */
export function suppressionAt(
  file: string,
  lines: readonly string[],
  line: number,
  tool: string,
  rule: string | null,
): Suppression | null {
  const code = codeOnly(lines, syntaxOf(file));
  for (const { tool: own, pattern, where } of FORMS) {
    const at = where === "same" ? line : line - 1;
    const text = lines[at - 1];
    const match = text === undefined || !own.test(tool) ? null : pattern.exec(text);
    // The lexer blanks comments, the inside of strings too; only a comment has nothing behind it.
    if (match === null || text === undefined || (code[at - 1] ?? "").slice(match.index).trim() !== "") continue;
    const rules = match.groups?.["rules"]?.split(",").map((one) => one.trim()) ?? [];
    if (rules.length > 0 && (rule === null || !rules.some((one) => sameRule(one, rule)))) continue;
    return { line: at, rules, reason: match.groups?.["reason"]?.trim() ?? null };
  }
  return null;
}

/** `lint/security/noGlobalEval` and `noGlobalEval` are one rule; so are `@scope/name` and itself. */
function sameRule(written: string, rule: string): boolean {
  const [a, b] = [written.toLowerCase(), rule.toLowerCase()];
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/**
 * Class 19: the flagged line carries a comment that silences this very tool and rule. It is shown with its reason and who added it,
 * and refutes nothing: with a reason a P2 or Nit is set aside as acknowledged, and one that the change under review itself adds
 * goes to a person. Null where there is none.
 */
export async function noticeSuppression(finding: Finding, context: CheckContext): Promise<CheckResult | null> {
  const { file, line } = finding.place;
  const text = file === null ? null : await context.repository.text(file);
  if (file === null || line === null || text === null) return null;
  const found = suppressionAt(file, text.lines, line, finding.tool, finding.rule);
  if (found === null) return null;
  const fresh = await addedByChange(file, found.line, context);
  const origin =
    fresh === true ? { text: "the change under review adds it", receipts: [] } : await blame(file, found.line, context);
  const reason = found.reason === null ? "without a reason" : `“${context.mask(found.reason)}”`;
  const said = `${file}:${found.line} tells ${finding.tool} to ignore ${finding.rule ?? "this line"}, ${reason}; ${origin.text}. It settles nothing by itself.`;
  const citations = await citeLines([{ file, line: found.line }], context);
  const does: Notice["does"] = fresh === true ? "escalate" : acknowledged(finding, found) ? "route" : "tell";
  return {
    ...result("suppression", null, "confirmed", said, citations, origin.receipts),
    notice: { claimClass: 19, does },
  };
}

function acknowledged({ severity }: Finding, { reason, rules }: Suppression): boolean {
  return reason !== null && rules.length > 0 && (severity === "P2" || severity === "Nit");
}

/** Null where the change is not known. */
async function addedByChange(file: string, line: number, context: CheckContext): Promise<boolean | null> {
  const change = await context.repository.history?.change(context.signal);
  if (change === undefined || change === null) return null;
  const diff = change.files.find((one) => one.file === file);
  if (diff === undefined) return change.complete ? false : null;
  return sidesOf(diff).added.some((added) => added.line === line);
}

/** Who added a line of the live text, in words, as the blame verb printed it. */
async function blame(file: string, line: number, context: CheckContext): Promise<{ text: string; receipts: string[] }> {
  const diff = await context.repository.diff(file, context.signal);
  const at = diff === null ? null : committedLine({ file, diff: diff.text, cut: diff.cut }, line);
  if (at === null) return { text: "who added it is not known", receipts: [] };
  if (at === "new") return { text: "it is not committed yet", receipts: [] };
  const run = await context.verbs.run({ verb: "blame", file, from: at, to: at }, "check", context.signal);
  context.receipt(run.receipt);
  const [, commit, date, author] = /^\s*\d+\t([0-9a-f]{7,}) (\d{4}-\d\d-\d\d) ([^\t]+)\t/.exec(run.output) ?? [];
  const receipts = [run.receipt.id];
  if (run.error !== null || commit === undefined) return { text: "who added it is not known", receipts };
  return { text: `${author} last changed that line on ${date} (${commit})`, receipts };
}

/** The line of the committed text that a live line is, by the diff between the two; `new` where it is in no commit. */
function committedLine(diff: Change["files"][number], line: number): number | "new" | null {
  const { added, removed, cut } = sidesOf(diff);
  if (cut) return null;
  if (added.some((one) => one.line === line)) return "new";
  const before = added.filter((one) => one.line < line).length;
  return line - before + removed.filter(({ at }) => at <= line).length;
}
