// A model server that takes the same time for every answer, in a process of its own: node pipelineServer.ts LATENCY_MS
import { setTimeout as delay } from "node:timers/promises";
import type { ChatRequest } from "../support/scriptedReplies.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";

const latencyMs = Number(process.argv[2]);

/** Upholds whatever it is asked about, with the flagged line behind it. */
function answerTo({ messages }: ChatRequest): unknown {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const [, file = "", line = "1"] = /^Place: (\S+):(\d+)/m.exec(text) ?? [];
  const quote = new RegExp(`^${line}: (.*)$`, "m").exec(text)?.[1] ?? "";
  const citations = [{ file, line: Number(line), endLine: Number(line), quote }];
  const words = { crux: "The divisor comes from a caller and nothing checks it.", reasoning: "Read the flagged line." };
  return { verdict: "VALID", ...words, citations, grepUsed: false, needsOracle: "", impact: "none", reach: "" };
}

const server = await startScriptedServer(async (request) => {
  await delay(latencyMs);
  return { does: "answer", value: answerTo(request) };
});
process.send?.(server.url);
process.on("message", () => process.send?.(server.requests.length));
process.once("disconnect", () => void server.close());
