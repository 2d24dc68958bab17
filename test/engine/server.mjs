// An OpenAI-compatible server before a real inference engine:  node server.mjs --seed N
// Prints its address. `response_format` becomes a grammar, so an answer has the form of its schema and no sense at all.
import { createServer } from "node:http";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { getLlama, LlamaCompletion, LlamaLogLevel, TokenBias } from "node-llama-cpp";
import { writeModel } from "./model.mjs";

const { values: flags } = parseArgs({ options: { seed: { type: "string", default: "1" } } });
const seed = Number(flags.seed);
/** An answer that needs more is cut, as servers cut. */
const MOST_TOKENS = 1000;
const LONGEST_STRING = 24;
const LONGEST_LIST = 2;

/** A schema as the engine takes it: what it does not know is left out, what may go on for ever is bounded. */
function forEngine(node) {
  if (Array.isArray(node)) return node.map(forEngine);
  if (node === null || typeof node !== "object") return node;
  if (node.enum) return { enum: node.enum };
  const choice = node.anyOf ?? node.oneOf;
  if (choice) return { oneOf: forEngine(choice) };
  if (node.type === "object") {
    const members = Object.entries(node.properties ?? {}).map(([name, member]) => [name, forEngine(member)]);
    return { type: "object", properties: Object.fromEntries(members) };
  }
  if (node.type === "array") return { type: "array", items: forEngine(node.items), maxItems: LONGEST_LIST };
  return node.type === "string" ? { type: "string", maxLength: LONGEST_STRING } : { type: node.type };
}

const folder = mkdtempSync(path.join(os.tmpdir(), "triage-engine-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(0));
const file = path.join(folder, "nonsense.gguf");
const prompts = path.join(import.meta.dirname, "..", "..", "prompts");
const written = readdirSync(prompts, { recursive: true }).filter((name) => name.endsWith(".md"));
const words = written.sort().map((name) => readFileSync(path.join(prompts, name), "utf8"));
writeModel(file, seed, words.join(" "));

// More threads than one wait for each other by spinning: hundreds of times slower on a machine with two cores.
const llama = await getLlama({ build: "never", gpu: false, maxThreads: 1, logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: 49_152, threads: 1, batchSize: 2048 });
const sequence = context.getSequence();
const completion = new LlamaCompletion({ contextSequence: sequence });
// Every token is about as likely as any other: without this a string goes on until it must end.
const bias = new TokenBias(model.tokenizer);
for (const token of model.tokenize('"')) bias.set(token, 0.5);

let calls = 0;
let turn = Promise.resolve();

async function answer(body, signal) {
  const prompt = body.messages.map(({ role, content }) => `${role}: ${content ?? ""}`).join("\n");
  const schema = body.response_format?.json_schema?.schema;
  const grammar = schema === undefined ? undefined : await llama.createGrammarForJsonSchema(forEngine(schema));
  calls += 1;
  const tokens = model.tokenize(prompt);
  const { response, metadata } = await completion.generateCompletionWithMeta(tokens, {
    ...(grammar === undefined ? {} : { grammar }),
    maxTokens: Math.min(body.max_tokens ?? MOST_TOKENS, MOST_TOKENS),
    temperature: 1,
    seed: seed * 1000 + calls,
    tokenBias: bias,
    signal,
  });
  const cut = metadata.stopReason === "maxTokens";
  return { text: response, finish: cut ? "length" : "stop", usage: [tokens.length, model.tokenize(response).length] };
}

function send(response, body, { text, finish, usage: [prompt_tokens, completion_tokens] }) {
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  if (body.stream !== true) {
    const choices = [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }];
    return response.setHeader("content-type", "application/json").end(JSON.stringify({ choices, usage }));
  }
  response.setHeader("content-type", "text/event-stream");
  const event = (data) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  event({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
  event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  event({ choices: [], usage });
  return response.end("data: [DONE]\n\n");
}

const server = createServer((request, response) => {
  const stop = new AbortController();
  response.once("close", () => stop.abort());
  if (request.url === "/v1/models") {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data: [{ id: "nonsense" }] }));
    return;
  }
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
    // This server calls no functions, as many do not, and says so.
    if (body.tools !== undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "tools are not supported", param: "tools" } }));
      return;
    }
    // One sequence, one answer at a time.
    turn = turn.then(async () => {
      if (stop.signal.aborted) return;
      try {
        send(response, body, await answer(body, stop.signal));
      } catch (error) {
        if (stop.signal.aborted) return;
        response.writeHead(500, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { message: String(error?.message ?? error) } }));
      }
    });
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
