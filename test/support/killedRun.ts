// A process that triages a workspace with the real engine, log and cache, and a model that lives in it. It is made to be
// killed: before anything happens that a test counts, it is written to the trace.
//   node killedRun.cjs WORKSPACE TRACE
import { randomUUID } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import type { Model, ModelReply, ModelRequest } from "../../src/core/ports.ts";
import type { SealedStore } from "../../src/node/cache/sealedStore.ts";
import { openEngine } from "../../src/node/engine/openEngine.ts";
import { sha256 } from "../../src/node/hash.ts";
import { createCallQueues } from "../../src/node/models/callQueue.ts";
import { journalModel } from "../../src/node/models/journaledModel.ts";
import { requestHash } from "../../src/node/models/recording.ts";
import { callFromFunction } from "../../src/node/models/verbCalls.ts";
import { scriptedPrompts } from "./scriptedModel.ts";

const CALLS_AT_ONCE = 4;
const USAGE = { prompt: 100, completion: 10 };

/** What the model says depends on the request alone: a resumed run must come to the same as one that nobody disturbed. */
function reply<T>(request: ModelRequest<T>, number: number): ModelReply<T> {
  const { about = "", messages, tools, schema } = request;
  const looked = messages.some(({ role }) => role === "evidence");
  const which = number % 16;
  if (which === 0) return { kind: "malformed", raw: "{", problem: "it is no JSON", usage: USAGE };
  if (which === 1) return { kind: "refused", reason: "content filter", usage: USAGE };
  if (which === 2) return { kind: "failed", reason: "HTTP 500", usage: USAGE };
  const file = /Place: (\S+?):/.exec(messages.map(({ content }) => content).join("\n"))?.[1] ?? "";
  if (which < 6 && tools && !looked) {
    const call = callFromFunction("c1", "read_file", JSON.stringify({ file, from: 1, to: 3 }));
    return { kind: "wants", calls: [call], content: "", usage: USAGE };
  }
  const verdict = Number.parseInt(sha256(about, 2), 16) % 2 === 0 ? "VALID" : "INVALID";
  const citations = [{ file, line: 2, endLine: 2, quote: "  return total / people" }];
  const value = schema.parse({ verdict, crux: "the key fact", reasoning: "why", citations, grepUsed: looked });
  return { kind: "answered", value, raw: JSON.stringify(value), usage: USAGE };
}

const model: Model = {
  identity: { provider: "https://scripted.test", model: "m" },
  async ask(request, signal) {
    const number = Number.parseInt(requestHash(model.identity, request).slice(0, 8), 16);
    await delay(number % 5, undefined, { signal });
    return reply(request, number);
  },
};

async function main([root = "", trace = ""]: readonly string[]): Promise<void> {
  const file = openSync(trace, "a");
  const tell = (what: string, id: string): void => void writeSync(file, `${what} ${id}\n`);
  const opened = await openEngine({
    root,
    ripgrep: null,
    liveText: () => undefined,
    liveFiles: () => [],
    mask: (text) => text,
    now: () => new Date(),
    prompts: scriptedPrompts,
    history: {
      storage: root,
      where: () => ({ logLocation: "workspace", compatibleRows: false }),
      session: randomUUID(),
    },
    checkers: null,
    concurrency: () => CALLS_AT_ONCE,
    severityMap: () => ({}),
    sourceRoots: () => ({}),
    method: () => USUAL_METHOD,
    costMode: () => "normal",
    untouchable: () => null,
    budget: () => ({ calls: 4, bytes: 10_000 }),
    changed: (key) => {
      const entry = key === null ? undefined : opened.engine.entry(key);
      if (entry !== undefined && entry.progress === null && entry.triaged !== null) tell("done", entry.finding.key);
    },
    log: (level, text) => {
      if (level === "warning" || level === "error") tell(level, text.replaceAll("\n", " "));
    },
  });
  const { engine, store } = opened;
  if (store === null) throw new Error("there is no store");
  for (const problem of await engine.restore()) tell("problem", problem);
  await engine.loadReviews([path.join(root, "review.sarif")]);
  const traced: SealedStore = {
    ...store,
    async put(kind, id, about, value) {
      tell("put", id);
      await store.put(kind, id, about, value);
      tell("kept", id);
    },
  };
  const queued = createCallQueues(
    () => CALLS_AT_ONCE,
    () => new Date(),
  ).queued(model);
  const reviewer = createModelReviewer(
    sameModel(journalModel(queued, { store: traced, fresh: false })),
    scriptedPrompts,
    sha256,
  );
  const open = engine.entries().filter(({ triaged }) => triaged === null);
  const run = await engine.triage(
    open.map(({ finding }) => finding.key),
    false,
    reviewer,
  );
  const tally = await run.finished;
  if (tally.failed + tally.cancelled > 0) throw new Error(`${tally.failed} failed, ${tally.cancelled} cancelled`);
  await store.close();
  tell("end", String(engine.entries().length));
  closeSync(file);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
