import type { CheckResult } from "../check.ts";
import type { CheckContext } from "../checks/check.ts";
import type { Finding } from "../finding.ts";
import { noticeDuplicate } from "./duplicate.ts";
import { noticeForeign, noticeTestFile } from "./fileKind.ts";
import { noticeNotInDiff } from "./notInDiff.ts";
import { noticeSuppression } from "./suppression.ts";
import { noticeWithdrawn } from "./withdrawn.ts";

/** Looks for one fact about a finding as a whole; null where it does not hold or cannot be told. */
type NoticeCheck = (finding: Finding, context: CheckContext) => Promise<CheckResult | null> | CheckResult | null;

/** The facts that are looked for, by name, in the order in which they are shown (classes 15-20). */
export const NOTICES: readonly (readonly [string, NoticeCheck])[] = [
  ["withdrawn", noticeWithdrawn],
  ["duplicate", noticeDuplicate],
  ["not-in-diff", noticeNotInDiff],
  ["foreign-file", noticeForeign],
  ["test-file", noticeTestFile],
  ["suppression", noticeSuppression],
];
