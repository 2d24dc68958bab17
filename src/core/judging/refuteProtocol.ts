import type { CheckResult } from "../check.ts";
import { polarityOf, topicOf } from "../claimKind.ts";
import type { Judgement } from "../judgement.ts";
import { freshLenses, type Lens, lensesFor } from "../lens.ts";
import { QUIET_ROUNDS } from "../method.ts";
import { FEWEST_REFUTERS, recount, type Refutation, type Refuter } from "../refuter.ts";
import { finishRefuter } from "./finishRefuter.ts";
import { askWithChecks, groundWith, type Sitting, taskOf } from "./sitting.ts";
import { untouchedBy } from "./untouched.ts";

/** Passes that a loop makes at most, whatever stays quiet. */
const MOST_PASSES = 9;

/** Everything refuters have done so far. */
interface Panel {
  readonly refuters: Refuter[];
  readonly asked: CheckResult[];
  readonly reductions: string[];
  readonly used: Set<string>;
}

/**
 * Blind refuters at the same time, each with its own lens and a conversation of its own (R4.4-R4.16). Fewer than two that count is no
 * verdict: those that did not are asked once more, and it says so. With `quietRounds`, survivors are attacked again with fresh lenses (R4.25).
 */
export async function judgeByRefuters(
  sitting: Sitting,
): Promise<Pick<Judgement, "refutation" | "asked" | "reductions">> {
  const { finding, method } = sitting;
  const topic = topicOf(finding);
  const panel: Panel = {
    refuters: [],
    asked: [],
    reductions: [],
    used: new Set(await sitting.lenses?.seen(finding.key)),
  };
  const lenses = firstLenses(sitting, panel);
  if (lenses.length < method.refuters)
    panel.reductions.push(`Only ${lenses.length} of ${method.refuters} refuters were asked: there are no more lenses.`);
  if (method.refuters < FEWEST_REFUTERS)
    panel.reductions.push("One refuter was asked for: its word alone is no verdict (R4.4).");
  await attack(sitting, panel, lenses, 1);
  await respawn(sitting, panel);
  let [passes, stopped]: [number, Refutation["stopped"]] = [1, null];
  if (method.quietRounds !== QUIET_ROUNDS.off) {
    const wanted = Math.max(QUIET_ROUNDS.fewest, method.quietRounds);
    let quiet = isQuiet(panel, 1) ? 1 : 0;
    while (stopped === null) {
      const fresh = freshLenses(topic, panel.used, method.refuters);
      const { result } = recount(panel.refuters);
      if (result !== "survives") stopped = result === "refuted" ? "refuted" : "undecided";
      else if (quiet >= wanted) stopped = "quiet";
      else if (fresh.length === 0 || passes >= MOST_PASSES) stopped = "angles exhausted";
      else {
        passes += 1;
        await attack(sitting, panel, fresh, passes);
        quiet = isQuiet(panel, passes) ? quiet + 1 : isLoud(panel, passes) ? 0 : quiet;
      }
    }
  }
  const { refuters, asked, reductions } = panel;
  const counted = recount(refuters);
  sitting.report({ kind: "recount", recount: counted });
  const untouched = await untouchedBy(sitting, refuters);
  const refutation = { polarity: polarityOf(finding.message), refuters, recount: counted, passes, stopped, untouched };
  return { refutation, asked, reductions: [...reductions, ...counted.dropped.map((text) => `Not counted: ${text}.`)] };
}

/** The lenses of the first pass; in a loop those come first that no earlier run has used, so that it goes on where it was. */
function firstLenses({ finding, method }: Sitting, { used }: Panel): readonly Lens[] {
  const topic = topicOf(finding);
  const usual = lensesFor(topic, method.lenses, method.refuters);
  if (method.quietRounds === QUIET_ROUNDS.off || method.lenses.length > 0) return usual;
  const fresh = freshLenses(topic, used, method.refuters);
  return fresh.length >= FEWEST_REFUTERS ? fresh : usual;
}

async function attack(sitting: Sitting, panel: Panel, lenses: readonly Lens[], pass: number): Promise<void> {
  sitting.report({ kind: "stage", stage: { kind: "refuters", pass, of: lenses.length, lenses } });
  const done = await Promise.all(lenses.map(async (lens, index) => await oneRefuter(sitting, lens, pass, index + 1)));
  for (const { refuter, asked } of done) {
    panel.refuters.push(refuter);
    panel.asked.push(...asked);
    panel.used.add(refuter.lens.id);
    if (refuter.kind === "counted") await sitting.lenses?.add(sitting.finding.key, refuter.lens.id);
  }
}

async function oneRefuter(
  sitting: Sitting,
  lens: Lens,
  pass: number,
  index: number,
): Promise<{ refuter: Refuter; asked: readonly CheckResult[] }> {
  const { finding, reviewer } = sitting;
  const polarity = polarityOf(finding.message);
  const { given, asked } = await askWithChecks(
    sitting,
    async (checked) =>
      await reviewer.refute({ ...taskOf(sitting, `refuter-${pass}-${index}-${lens.id}`, checked), lens, polarity }),
  );
  const refuter = await finishRefuter(
    { lens, pass, claimId: finding.key, polarity },
    given,
    groundWith(sitting, asked),
  );
  sitting.report({ kind: "refuter", refuter });
  return { refuter, asked };
}

/** Fewer than two counted: those that dropped out are asked once more, in fresh conversations (R4.4). */
async function respawn(sitting: Sitting, panel: Panel): Promise<void> {
  const counted = panel.refuters.filter(({ kind }) => kind === "counted").length;
  if (counted >= FEWEST_REFUTERS || sitting.method.refuters < FEWEST_REFUTERS) return;
  const lost = panel.refuters.filter(({ kind }) => kind === "abstained");
  panel.reductions.push(
    `Only ${counted} of ${panel.refuters.length} refuters counted, too few for a verdict: ${lost.length} were asked once more.`,
    ...lost.map((one) => `First try: ${one.lens.id}: ${one.kind === "abstained" ? one.reason : ""}.`),
  );
  panel.refuters.splice(0, panel.refuters.length, ...panel.refuters.filter(({ kind }) => kind === "counted"));
  await attack(
    sitting,
    panel,
    lost.map(({ lens }) => lens),
    1,
  );
}

/** A pass is quiet where somebody did the work and nobody found anything against the claim; without work it proves nothing (R4.29). */
function isQuiet({ refuters }: Panel, pass: number): boolean {
  const counted = refuters.filter((one) => one.kind === "counted" && one.pass === pass);
  return counted.length > 0 && counted.every((one) => one.kind === "counted" && one.side === "for");
}

function isLoud({ refuters }: Panel, pass: number): boolean {
  return refuters.some((one) => one.kind === "counted" && one.pass === pass && one.side === "against");
}
