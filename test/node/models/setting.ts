import assert from "node:assert/strict";
import * as z from "zod";
import type { ModelMessage, ModelReply, ModelRequest } from "../../../src/core/ports.ts";
import { createServerModel, type ServerModelOptions } from "../../../src/node/models/serverModel.ts";
import type { ServerTraits } from "../../../src/node/models/serverTraits.ts";
import type { ServerSettings, ScriptedServer } from "../../support/scriptedServer.ts";
import { startScriptedServer } from "../../support/scriptedServer.ts";
import type { Behaviour, Script } from "../../support/scriptedReplies.ts";

/** An answer like a round's, small. */
export const Answer = z.object({
  verdict: z.enum(["VALID", "INVALID"]),
  crux: z.string().min(1),
  line: z.int().min(1),
});
export type Answer = z.output<typeof Answer>;

export const GOOD: Answer = { verdict: "INVALID", crux: "the guard runs first", line: 7 };

export const MESSAGES: readonly ModelMessage[] = [
  { role: "system", content: "# Rules\nBe exact." },
  { role: "user", content: "the packet" },
];

export const KEY = "sk-very-secret-4711";
const NOW = new Date("2026-01-02T03:04:05Z");

/** A server, a model on it, and what the model waited and logged. */
export interface Setting {
  readonly server: ScriptedServer;
  readonly waits: readonly number[];
  readonly logged: readonly string[];
  readonly traits: Map<string, ServerTraits>;
  readonly ask: (change?: Partial<ModelRequest<Answer>>, signal?: AbortSignal) => Promise<ModelReply<Answer>>;
}

/** Runs a test against a scripted server and takes the server down after it. */
export async function withServer(
  script: Script,
  test: (setting: Setting) => Promise<void>,
  { model, ...settings }: ServerSettings & { readonly model?: Partial<ServerModelOptions> } = {},
): Promise<void> {
  const server = await startScriptedServer(script, settings);
  const waits: number[] = [];
  const logged: string[] = [];
  const traits = new Map<string, ServerTraits>();
  const made = createServerModel({
    baseUrl: server.url,
    model: "test-model",
    apiKey: KEY,
    idleTimeoutMs: 2000,
    now: () => NOW,
    sleep: async (milliseconds) => void waits.push(milliseconds),
    log: (level, text) => void logged.push(`${level} ${text}`),
    probeCache: traits,
    ...model,
  });
  const ask: Setting["ask"] = (change, signal) =>
    made.ask(
      { messages: MESSAGES, schema: Answer, schemaName: "round", tools: false, ...change },
      signal ?? new AbortController().signal,
    );
  try {
    await test({ server, waits, logged, traits, ask });
  } finally {
    await server.close();
  }
}

/** The reason of a reply that has to be a failure. */
export function reasonOf(reply: ModelReply<unknown>): string {
  assert.equal(reply.kind, "failed");
  return reply.kind === "failed" ? reply.reason : "";
}

/** A server that answers with an HTTP error. */
export function status(code: number, headers: Record<string, string> = {}, error = {}): Behaviour {
  return { does: "status", status: code, headers, error };
}

/** A server that answers well. */
export const ANSWER = { does: "answer", value: GOOD } as const;
