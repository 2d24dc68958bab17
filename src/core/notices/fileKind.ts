import type { CheckResult } from "../check.ts";
import { type CheckContext, citeLines, result } from "../checks/check.ts";
import { type ForeignKind, foreignSignals, isTestFile, type Signal, testFrameworkLine } from "../fileKind.ts";
import type { Finding } from "../finding.ts";
import { isStyleNote } from "../style.ts";

/**
 * Class 17: a generated, vendored or minified file, shown by two signals of different origin. Only notes about style are set aside;
 * security and correctness ship with the file, so there it is only told. Null for other files.
 */
export async function noticeForeign(finding: Finding, context: CheckContext): Promise<CheckResult | null> {
  const { file } = finding.place;
  const text = file === null ? null : await context.repository.text(file);
  if (file === null || text === null) return null;
  const attributes = (await context.repository.text(".gitattributes"))?.lines ?? [];
  const signals = foreignSignals(file, text, attributes);
  const kind = (["generated", "vendored", "minified"] as const).find((one) => countOf(signals, one) >= 2);
  if (kind === undefined) return null;
  const own = signals.filter((signal) => signal.kind === kind);
  const places = own.flatMap(({ line }) => (line === null ? [] : [{ file, line }]));
  const style = isStyleNote(finding);
  const what = style ? "a note about style is not for it" : "it ships all the same, so the claim stands to be judged";
  const said = `${file} is ${kind} (${own.map(({ says }) => says).join("; ")}): ${what}.`;
  return {
    ...result("foreign-file", null, "confirmed", said, await citeLines(places, context)),
    notice: { claimClass: 17, does: style ? "route" : "tell" },
  };
}

function countOf(signals: readonly Signal[], kind: ForeignKind): number {
  return signals.filter((signal) => signal.kind === kind).length;
}

/**
 * Class 18: a file of tests. Notes about style are set aside where its path and the framework it imports agree; secrets, missing
 * assertions and wrong tests are defects of a test like any other. Null for other files.
 */
export async function noticeTestFile(finding: Finding, context: CheckContext): Promise<CheckResult | null> {
  const { file } = finding.place;
  if (file === null || !isTestFile(file)) return null;
  const line = testFrameworkLine((await context.repository.text(file))?.lines ?? []);
  const style = line !== null && isStyleNote(finding);
  const framework = line === null ? "" : `, and line ${line} takes in a test framework`;
  const what = style ? "a note about style is not about production code" : "that alone settles nothing";
  const said = `${file} holds tests by its path${framework}: ${what}.`;
  const citations = line === null ? [] : await citeLines([{ file, line }], context);
  return {
    ...result("test-file", null, "confirmed", said, citations),
    notice: { claimClass: 18, does: style ? "route" : "tell" },
  };
}
