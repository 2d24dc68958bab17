import type { Atom, CheckResult } from "./check.ts";
import { atomsOf } from "./claim.ts";
import { type Check, type CheckContext, orElse, result } from "./checks/check.ts";
import { checkDefined } from "./checks/defined.ts";
import { checkFileExists } from "./checks/fileExists.ts";
import { checkDefinedByServer } from "./checks/languageDefined.ts";
import { checkReferencedByServer } from "./checks/languageReferenced.ts";
import { checkPlace } from "./checks/place.ts";
import { checkReferenced } from "./checks/referenced.ts";
import type { Finding } from "./finding.ts";

/** The check that may settle each claim class; a class without one is left to rounds and people. */
const CHECKS: Readonly<Record<number, Check>> = {
  10: checkFileExists,
  11: orElse(checkDefined, checkDefinedByServer),
  12: orElse(checkReferenced, checkReferencedByServer),
};

/**
 * Runs every check that fits a finding: first its place, then one per atom, in order. A check that fails is `unknown`
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
  for (const atom of atomsOf(context.mask(finding.message))) {
    context.signal.throwIfAborted();
    add(await orUnknown("claim", atom, context, () => checkAtom(finding, atom, context)));
  }
  return results;
}

/** A check that breaks settles nothing: its failure becomes the reason of an `unknown`. */
async function orUnknown(
  name: string,
  atom: Atom | null,
  context: CheckContext,
  run: () => Promise<CheckResult>,
): Promise<CheckResult> {
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
