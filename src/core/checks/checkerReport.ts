import type { CheckResult } from "../check.ts";
import type { CheckerReport, FileAnswer } from "../checkers.ts";
import { oneLine } from "../fence.ts";
import type { Check } from "./check.ts";
import { answered, type Ground, groundOf, notAnswered } from "./checkerGround.ts";
import { suppressionNear } from "./suppressions.ts";

/** Lines before and after the cited ones within which a report counts as being at the place. */
const AROUND = 3;

type Covered = Extract<FileAnswer, { kind: "covered" }>;

/**
 * Classes 3 to 5, “tool T reports C here” and “the project's check fails here”: confirmed by a report of that code at the
 * place, refuted where the tool checked the file and reports the code nowhere in it, nor anything at the place. A file that
 * the project's own check leaves out refutes only that the project's check fails there.
 */
export const checkReported: Check = async (finding, atom, context) => {
  const ground = await groundOf(finding, atom, context);
  if ("check" in ground) return ground;
  const { claim, tool, file } = ground;
  const code = claim.code ?? (claim.says === "fails" ? null : codeOf(finding.rule));
  const answer = await ground.checkers.report({ tool, file, code, strict: claim.strict }, context.signal);
  if (answer.kind === "unknown") return await notAnswered(ground, answer);
  if (answer.kind === "excluded") return await judgeExcluded(ground, answer);
  return code === null ? await judgeAny(ground, answer) : await judgeCode(ground, answer, code);
};

/**
 * Class 6, “does not parse”, “does not compile”: refuted where the compiler read the file without a complaint and, for
 * “compile”, the whole project is clean. A complaint about the syntax of this place confirms it.
 */
export const checkCompiles: Check = async (finding, atom, context) => {
  const ground = await groundOf(finding, atom, context);
  if ("check" in ground) return ground;
  const { claim, tool, file } = ground;
  const answer = await ground.checkers.report({ tool, file, code: null, strict: false }, context.signal);
  if (answer.kind === "unknown") return await notAnswered(ground, answer);
  const who = `${tool} ${answer.version}`;
  if (answer.kind === "excluded")
    return await answered(ground, "unknown", `${who} does not read ${file}.`, answer.receipts);
  const errors = answer.reports.filter(({ severity }) => severity === "error");
  const at = errors.filter((report) => isAt(report, ground));
  if (at.length > 0 && claim.says === "compile") return await confirmed(ground, answer, at);
  if (answer.reportsInAll > 0)
    return await answered(ground, "unknown", `${who} is not clean here, so it proves nothing.`, answer.receipts);
  const clean = `${who} reads ${file} and reports nothing in the whole project.`;
  // Other tags and platforms may still fail: for “compile” that is not sure enough to propose closing a P0 or P1 (claims.md 4).
  if (claim.says === "compile" && (finding.severity === "P0" || finding.severity === "P1"))
    return await answered(ground, "unknown", `${clean} That does not settle a ${finding.severity}.`, answer.receipts);
  return await refuteBySilence(ground, answer, clean);
};

async function judgeExcluded(ground: Ground, answer: Extract<FileAnswer, { kind: "excluded" }>): Promise<CheckResult> {
  const { claim, tool, file } = ground;
  const text = `${tool} ${answer.version} does not check ${file} (${answer.how})`;
  return claim.says === "fails"
    ? await answered(ground, "refuted", `${text}: the project's check cannot fail there.`, answer.receipts)
    : await answered(ground, "unknown", `${text}: what it would say there is not known.`, answer.receipts);
}

async function judgeCode(ground: Ground, answer: Covered, code: string): Promise<CheckResult> {
  const { tool, file } = ground;
  const who = `${tool} ${answer.version}`;
  const same = answer.reports.filter((report) => sameCode(report.code, code));
  const here = same.filter((report) => isAt(report, ground));
  if (here.length > 0) return await confirmed(ground, answer, here);
  const [elsewhere] = same;
  if (elsewhere !== undefined)
    return await answered(
      ground,
      "unknown",
      `${who} reports ${code} at line ${elsewhere.line}, not here.`,
      answer.receipts,
    );
  const other = answer.reports.find((report) => isAt(report, ground));
  if (other !== undefined) {
    const text = `${who} reports ${other.code ?? "something"} at line ${other.line}, not ${code}.`;
    return await answered(ground, "unknown", text, answer.receipts);
  }
  return await refuteBySilence(ground, answer, `${who} checks ${file} and reports ${code} nowhere in it.`);
}

async function judgeAny(ground: Ground, answer: Covered): Promise<CheckResult> {
  const { claim, tool, file, atom } = ground;
  const who = `${tool} ${answer.version}`;
  const here = answer.reports.filter((report) => report.severity === "error" && isAt(report, ground));
  const named = here.filter((report) => saysTheSame(report.message, atom.text));
  if (named.length > 0) return await confirmed(ground, answer, named);
  const [any] = answer.reports;
  if (any !== undefined)
    return await answered(
      ground,
      "unknown",
      `${who} reports other things in ${file}, first at line ${any.line}.`,
      answer.receipts,
    );
  const what = claim.says === "fails" ? "its check does not fail here" : "it reports nothing";
  return await refuteBySilence(ground, answer, `${who} checks ${file}: ${what}.`);
}

async function confirmed(ground: Ground, answer: Covered, reports: readonly CheckerReport[]): Promise<CheckResult> {
  const [first] = reports;
  const what =
    first === undefined ? "it" : `${first.code ?? "an error"} at line ${first.line}: “${oneLine(first.message, 400)}”`;
  return await answered(ground, "confirmed", `${ground.tool} ${answer.version} reports ${what}`, answer.receipts);
}

/** Silence speaks only where the tool could have spoken: nothing unresolved, nothing suppressed. */
async function refuteBySilence(ground: Ground, answer: Covered, text: string): Promise<CheckResult> {
  if (answer.silence !== null)
    return await answered(ground, "unknown", `${text} That proves nothing: ${answer.silence}`, answer.receipts);
  const mark = suppressionNear(ground.lines, ground.line, ground.endLine);
  if (mark !== null) {
    const why = `${ground.file}:${mark} tells a checker to be silent.`;
    return await answered(ground, "unknown", `${text} That proves nothing: ${why}`, answer.receipts);
  }
  return await answered(ground, "refuted", text, answer.receipts);
}

function isAt(report: CheckerReport, { line, endLine }: Ground): boolean {
  return line === null || (report.endLine >= line - AROUND && report.line <= (endLine ?? line) + AROUND);
}

/** `@scope/rule` and `rule` are one where either lacks its plugin; letter case tells nothing. */
function sameCode(reported: string | null, claimed: string): boolean {
  if (reported === null) return false;
  return shortName(reported) === shortName(claimed);
}

function shortName(code: string): string {
  return code.slice(code.lastIndexOf("/") + 1).toLowerCase();
}

/** A finding's rule where it looks like a code that a compiler or linter numbers. */
function codeOf(rule: string | null): string | null {
  return rule !== null && /^[A-Z]{1,4}\d{3,5}$/.test(rule) ? rule : null;
}

/** True where most words of a tool's message stand in the claim. */
function saysTheSame(message: string, claim: string): boolean {
  const there = new Set(wordsOf(claim));
  const own = wordsOf(message);
  return own.length >= 3 && own.filter((word) => there.has(word)).length / own.length >= 0.6;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9_$]{2,}/g) ?? [];
}
