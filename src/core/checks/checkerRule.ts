import type { RuleAnswer } from "../checkers.ts";
import type { Check } from "./check.ts";
import { answered, type Ground, groundOf, notAnswered } from "./checkerGround.ts";

/**
 * Class 1, “tool T's rule R forbids this”: refuted only where the tool's own registry has no rule of that name, alias or
 * old name. A rule that exists leaves open whether it applies here.
 */
export const checkRuleExists: Check = async (finding, atom, context) => {
  const ground = await groundOf(finding, atom, context);
  if ("check" in ground) return ground;
  const answer = await ask(ground);
  if (answer === null) return await answered(ground, "unknown", "It names no rule.", []);
  if (answer.kind === "unknown") return await notAnswered(ground, answer);
  const rule = `${ground.tool} ${answer.version}`;
  return answer.kind === "absent"
    ? await answered(ground, "refuted", `${rule} has no rule ${ground.claim.code}.`, answer.receipts)
    : await answered(
        ground,
        "unknown",
        `${rule} has a rule ${ground.claim.code}; whether it is broken here is open.`,
        answer.receipts,
      );
};

/**
 * Class 2, “the project enforces R”: refuted where the tool's resolved configuration for this very file does not switch R
 * on. Where it is on, it is confirmed only by a report of R at the place.
 */
export const checkEnforced: Check = async (finding, atom, context) => {
  const ground = await groundOf(finding, atom, context);
  if ("check" in ground) return ground;
  const answer = await ask(ground);
  if (answer === null) return await answered(ground, "unknown", "It names no rule.", []);
  if (answer.kind === "unknown") return await notAnswered(ground, answer);
  const { tool, file, claim } = ground;
  const who = `${tool} ${answer.version}`;
  if (answer.kind === "absent")
    return await answered(ground, "refuted", `${who} has no rule ${claim.code}.`, answer.receipts);
  if (answer.kind === "off")
    return await answered(ground, "refuted", `${who} has ${claim.code} not switched on for ${file}.`, answer.receipts);
  const text = `${who} has ${claim.code} switched on for ${file} (${answer.kind}); whether this line breaks it is open.`;
  return await answered(ground, "unknown", text, answer.receipts);
};

async function ask({ claim, tool, file, checkers, context }: Ground): Promise<RuleAnswer | null> {
  if (claim.code === null) return null;
  return await checkers.rule({ tool, file, strict: claim.strict, code: claim.code }, context.signal);
}
