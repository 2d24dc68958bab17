import type { Atom, CheckResult } from "./check.ts";
import { atomsOf } from "./claim.ts";
import { type Check, type CheckContext, orElse, result } from "./checks/check.ts";
import { checkConstant } from "./checks/constants.ts";
import { checkCompiles, checkReported } from "./checks/checkerReport.ts";
import { checkEnforced, checkRuleExists } from "./checks/checkerRule.ts";
import { checkDefined } from "./checks/defined.ts";
import { checkFileAbsent } from "./checks/fileAbsent.ts";
import { checkFileExists } from "./checks/fileExists.ts";
import { checkDefinedByServer } from "./checks/languageDefined.ts";
import { checkReferencedByServer } from "./checks/languageReferenced.ts";
import { checkPlace } from "./checks/place.ts";
import { checkQuoteAbsent } from "./checks/quoteAbsent.ts";
import { checkReferenced } from "./checks/referenced.ts";
import { checkVersion } from "./checks/versions.ts";
import type { Finding } from "./finding.ts";
import { NOTICES } from "./notices/notices.ts";

/** The check that may settle each claim class; a class without one is left to rounds and people. */
const CHECKS: Readonly<Record<number, Check>> = {
  1: checkRuleExists,
  2: checkEnforced,
  3: checkReported,
  5: checkReported,
  6: checkCompiles,
  10: checkFileExists,
  11: orElse(checkDefined, checkDefinedByServer),
  12: orElse(checkReferenced, checkReferencedByServer),
  13: checkConstant,
  14: checkVersion,
};

/**
 * Runs every check that fits a finding: its place, facts about it as a whole, whether what it speaks about is there, then one
 * per atom, in order. A check that fails is `unknown`
 * with its reason, and `unknown` moves nothing (claims.md, section 1). Rejects only when cancelled.
 */
export async function runChecks(
  finding: Finding,
  context: CheckContext,
  done: (check: CheckResult) => void,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const add = (check: CheckResult): void => {
    results.push(check);
    done(check);
  };
  add(await orUnknown("place", null, context, () => checkPlace(finding, context)));
  for (const [name, notice] of NOTICES) {
    const told = await orUnknown(name, null, context, async () => await notice(finding, context));
    if (told !== null) add(told);
  }
  const atoms = atomsOf(context.mask(finding.message));
  const absent = await checkPremise(finding, atoms, context);
  if (absent !== null) add(absent);
  for (const atom of atoms) {
    context.signal.throwIfAborted();
    if (absent?.verdict === "refuted") add(restingOn(atom, absent));
    else add(await orUnknown("claim", atom, context, () => checkAtom(finding, atom, context)));
  }
  return results;
}

/** Atoms of a wish that are looked at. */
const MOST_WISHED = 3;

/**
 * Runs the checks that fit a sentence somebody else wrote about a finding's place (C7, R4.16). The sentence is read by the claim
 * grammar alone: it chooses one of our checks, and can be nothing else. The atoms carry no weight for the finding.
 */
export async function checkClaim(finding: Finding, text: string, context: CheckContext): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const atom of atomsOf(context.mask(text.slice(0, 1000))).slice(0, MOST_WISHED)) {
    context.signal.throwIfAborted();
    const asked = isForeign(finding, atom, context)
      ? result(
          "asked",
          atom,
          "inapplicable",
          "The finding says nothing of this checker, so what it reports is no evidence here.",
        )
      : await orUnknown("asked", atom, context, async () => await checkAtom(finding, atom, context));
    // What would run only after a person's word is proposed for the finding's own claims, never for somebody's wish.
    results.push({ ...asked, check: "asked", atom: { ...atom, weight: false }, proposal: undefined });
  }
  return results;
}

/** True for a wish about a checker that the finding itself does not speak of: what a checker says stays with claims about it (C10). */
function isForeign({ message, tool }: Finding, { checker }: Atom, context: CheckContext): boolean {
  if (checker === undefined || checker.tool === tool) return false;
  const spoken = atomsOf(context.mask(message)).flatMap((own) => own.checker ?? []);
  return !spoken.some(
    (own) => own.role === checker.role && (own.tool === checker.tool || own.tool === null || checker.tool === null),
  );
}

/** Whether what the finding quotes or cites is there at all (classes 8 and 10); null where that is no question. */
async function checkPremise(
  finding: Finding,
  atoms: readonly Atom[],
  context: CheckContext,
): Promise<CheckResult | null> {
  const check = finding.place.status === "missing-file" ? checkFileAbsent : checkQuoteAbsent;
  return await orUnknown("premise", null, context, async () => (await check(finding, atoms, context)).result);
}

/** What a finding says about code that is nowhere has no weight of its own. */
function restingOn(atom: Atom, premise: CheckResult): CheckResult {
  const resting = { ...atom, weight: false };
  const text = `It speaks about code that is nowhere: “${atom.text}”`;
  return result(premise.check, resting, "inapplicable", text);
}

/** A check that breaks settles nothing: its failure becomes the reason of an `unknown`. */
async function orUnknown<T extends CheckResult | null>(
  name: string,
  atom: Atom | null,
  context: CheckContext,
  run: () => Promise<T>,
): Promise<T | CheckResult> {
  try {
    return await run();
  } catch (error) {
    context.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return result(name, atom, "unknown", context.mask(`The check could not be run: ${reason}`));
  }
}

async function checkAtom(finding: Finding, atom: Atom, context: CheckContext): Promise<CheckResult> {
  const check = atom.claimClass === null ? undefined : CHECKS[atom.claimClass];
  if (check === undefined) {
    const text = atom.weight
      ? `No check can settle this: “${atom.text}”`
      : `It carries no weight of its own: “${atom.text}”`;
    return result("claim", atom, "inapplicable", text);
  }
  return await check(finding, atom, context);
}
