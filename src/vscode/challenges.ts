import type { Challenge } from "../core/method.ts";
import type { ChallengeKind } from "../protocol/panel.ts";
import type { Application } from "./application.ts";
import { readSettings } from "./settings.ts";
import { chooseKeys } from "./targets.ts";
import { confirmMany, sayRefusals, targetPorts, triageKeys, triageShown } from "./triageCommands.ts";

/** What each kind of challenge asks for; it is asked afresh, because the same answer again would be no challenge. */
const HOW = {
  refuters: { strategy: "refute", fresh: true },
  opinion: { strategy: "verdict", intent: "dismiss", fresh: true },
  rounds: { strategy: "rounds", fresh: true },
  "other-model": { model: "fallback", fresh: true },
  confirm: { strategy: "verdict", intent: "confirm", fresh: true },
  clarify: { strategy: "verdict", intent: "clarify", fresh: true },
} as const satisfies Record<ChallengeKind, Challenge>;

/** Has one finding judged in another way; resolves to why it is not, or null. */
export async function challengeFinding(app: Application, key: string, kind: ChallengeKind): Promise<string | null> {
  return (await triageShown(app, key, HOW[kind])).join(" ") || null;
}

/** "Challenge Again With …": what the arguments point at is judged anew, and shown where that is one finding. */
export async function challengeFindings(
  app: Application,
  args: readonly unknown[],
  kind: ChallengeKind,
): Promise<void> {
  if (kind === "other-model" && readSettings().settings.roles.fallback === undefined) {
    const text = "No other model is set: name a fallback model in the setting skepticalTriage.roles first.";
    return void (await app.ask.tell("info", text));
  }
  const keys = await chooseKeys(targetPorts(app), args, "Challenge");
  if (keys === null || !(await confirmMany(app, keys, HOW[kind]))) return;
  const [only, ...more] = keys;
  if (only !== undefined && more.length === 0) await (await app.panel()).show(only);
  await sayRefusals(app, await triageKeys(app, keys, HOW[kind]));
}
