import {
  INTENTS,
  type Method,
  QUIET_ROUNDS,
  REFUTERS,
  STRATEGIES,
  USUAL_METHOD,
  VISIBILITIES,
} from "../../core/method.ts";
import type { Untouchable } from "../../protocol/worker.ts";
import { oneOf, type Values, type Wrong, wholeNumber, wrong } from "./options.ts";

/** The options that say how findings are judged. */
export const METHOD_OPTIONS = [
  "strategy",
  "intent",
  "visibility",
  "refuters",
  "lens",
  "second-opinion",
  "loop",
  "early-stop",
  "untouchable",
] as const satisfies readonly (keyof Values)[];

/** Options that mean something with one strategy only: elsewhere they would be passed over in silence. */
const BELONGS = {
  intent: "verdict",
  visibility: "rounds",
  "early-stop": "rounds",
  refuters: "refute",
  lens: "refute",
  loop: "refute",
} as const satisfies Partial<Record<(typeof METHOD_OPTIONS)[number], Method["strategy"]>>;

/** Longest lens in characters. */
const LONGEST_LENS = 400;

/** How findings are judged, or the first thing that is wrong with it. */
export function readMethod(values: Values): Method | Wrong {
  const strategy = oneOf(STRATEGIES, values.strategy);
  if (strategy === null) return wrong(`--strategy is one of ${STRATEGIES.join(", ")}.`);
  const astray = Object.entries(BELONGS).find(([name, of]) => of !== strategy && Object.hasOwn(values, name));
  if (astray !== undefined) return wrong(`--${astray[0]} goes with --strategy ${astray[1]} only.`);
  const intent = oneOf(INTENTS, values.intent);
  if (intent === null) return wrong(`--intent is one of ${INTENTS.join(", ")}.`);
  const visibility = oneOf(VISIBILITIES, values.visibility);
  if (visibility === null) return wrong(`--visibility is one of ${VISIBILITIES.join(", ")}.`);
  const quietRounds = wholeNumber(values.loop ?? "0", 0, QUIET_ROUNDS.most);
  if (quietRounds === null) return wrong(`--loop takes a whole number from 0 to ${QUIET_ROUNDS.most}.`);
  const panel = readRefuters(values);
  if ("kind" in panel) return panel;
  const secondOpinion = values["second-opinion"] === true ? "always" : USUAL_METHOD.secondOpinion;
  const earlyStop = values["early-stop"] ?? USUAL_METHOD.earlyStop;
  return { strategy, visibility, intent, secondOpinion, quietRounds, earlyStop, ...panel };
}

/** Lenses word for word, one refuter each; without lenses as many refuters as asked for. */
function readRefuters(values: Values): Pick<Method, "refuters" | "lenses"> | Wrong {
  const lenses = values.lens ?? [];
  const flawed = lenses.find((lens) => lens.trim() === "" || lens.length > LONGEST_LENS);
  if (flawed !== undefined) return wrong(`--lens takes a text of at most ${LONGEST_LENS} characters.`);
  if (lenses.length > REFUTERS.most) return wrong(`--lens can be given ${REFUTERS.most} times at most.`);
  const usual = lenses.length > 0 ? lenses.length : REFUTERS.usual;
  const refuters = wholeNumber(values.refuters ?? String(usual), REFUTERS.fewest, REFUTERS.most);
  if (refuters === null) return wrong(`--refuters takes a whole number from ${REFUTERS.fewest} to ${REFUTERS.most}.`);
  if (refuters < lenses.length) return wrong(`--refuters ${refuters} leaves out some of the ${lenses.length} lenses.`);
  return { refuters, lenses };
}

/** The members of `--untouchable KIND=VALUE`, or what is wrong with one. */
export function readUntouchable(given: readonly string[]): Untouchable | string {
  const kinds = { rule: [] as string[], path: [] as string[], tag: [] as string[] };
  const cwes: number[] = [];
  for (const one of given) {
    const cut = one.indexOf("=");
    const [kind, value] = [one.slice(0, Math.max(0, cut)), one.slice(cut + 1).trim()];
    const number = /^(?:CWE-)?([1-9]\d{0,6})$/i.exec(value)?.[1];
    if (kind === "cwe" && number !== undefined) cwes.push(Number(number));
    else if ((kind === "rule" || kind === "path" || kind === "tag") && value !== "") kinds[kind].push(value);
    else return `--untouchable takes rule=ID, cwe=NUMBER, path=GLOB or tag=NAME, not '${one}'.`;
  }
  return { rules: kinds.rule, cwes, paths: kinds.path, tags: kinds.tag };
}
