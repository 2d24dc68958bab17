import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import type { Finding, Severity } from "../../src/core/finding.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import { USUAL_TERMS } from "../../src/core/policy.ts";
import type { Model } from "../../src/core/ports.ts";
import type { Reviewer } from "../../src/core/reviewer.ts";
import { type Entry, freshEntry } from "../../src/node/engine/entry.ts";
import { type History, NO_HISTORY } from "../../src/node/engine/history.ts";
import type { SealedStore } from "../../src/node/cache/sealedStore.ts";
import { Judgements } from "../../src/node/engine/judgements.ts";
import { createRunner, type Panel, type RunnerOptions } from "../../src/node/engine/runner.ts";
import { createMemoryWorkspace, findingIn } from "./memoryWorkspace.ts";
import { scriptedPrompts } from "./scriptedModel.ts";

/** A runner over findings in memory: one file of a few lines for each. */
export async function runnerWith(
  severities: readonly Severity[],
  more: Partial<RunnerOptions> & {
    /** Files besides those of the findings, or in their place. */
    readonly files?: Readonly<Record<string, string>>;
    /** 1-based line of each finding; 2 where not given. */
    readonly line?: number;
    /** Keeps judgements; they are not kept without it. */
    readonly store?: SealedStore;
    readonly promptsPrint?: string;
  } = {},
) {
  const files = { ...Object.fromEntries(severities.map((_, at) => [`src/f${at}.ts`, fileOf(at)])), ...more.files };
  const workspace = createMemoryWorkspace(files, { structures: "text" });
  const entries = new Map<string, Entry>();
  const findings: Finding[] = [];
  for (const [at, severity] of severities.entries()) {
    const message = `The quotient of case ${at} is used although the divisor may be zero.`;
    const found = await findingIn(workspace.repository, message, `src/f${at}.ts`, more.line ?? 2, { severity });
    findings.push(found);
    entries.set(found.key, freshEntry(found, 0));
  }
  const saved: string[] = [];
  const history: History = {
    ...NO_HISTORY,
    triaged: async ({ key }) => {
      saved.push(key);
      return await Promise.resolve({ kind: "written" });
    },
  };
  const logged: string[] = [];
  const { store, promptsPrint = "prompts" } = more;
  const judgements =
    store === undefined ? undefined : new Judgements({ ...workspace, store, prompts: () => promptsPrint });
  const runner = createRunner({
    ...workspace,
    history,
    judgements,
    concurrency: () => 4,
    reviewedTree: undefined,
    sameFile: undefined,
    terms: () => USUAL_TERMS,
    budget: () => ({ calls: 4, bytes: 10_000 }),
    entry: (key) => entries.get(key),
    entries: () => [...entries.values()],
    update: (key, change) => {
      const entry = entries.get(key);
      if (entry !== undefined) entries.set(key, change(entry));
    },
    log: (_level, text) => void logged.push(text),
    ...more,
  });
  return { ...workspace, runner, findings, entries, saved, logged, files };
}

export function fileOf(at: number): string {
  return [
    `export function share${at}(total: number, people: number): number {`,
    "  return total / people;",
    "}",
    "",
  ].join("\n");
}

/** The panel of a run, as usual where nothing is said. */
export function panelOf(reviewer: Reviewer, more: Partial<Panel> = {}): Panel {
  return { reviewer, method: USUAL_METHOD, fresh: false, budget: null, ...more };
}

/** The reviewer of a model with prompts that name themselves. */
export function reviewerOf(model: Model, hash: (text: string) => string): Reviewer {
  return createModelReviewer(sameModel(model), scriptedPrompts, hash);
}
