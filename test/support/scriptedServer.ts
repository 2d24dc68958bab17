import { createServer, type IncomingHttpHeaders } from "node:http";
import { parseArgs } from "node:util";
import { PERSONAS } from "./personas.ts";
import {
  type Abilities,
  act,
  type Behaviour,
  ChatRequest,
  isProbe,
  probeBehaviour,
  type Script,
} from "./scriptedReplies.ts";

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ChatRequest;
  /** The body as it came, byte for byte. */
  readonly text: string;
  /** Settles when nothing of this request is open any more, whoever ended it. */
  readonly over: Promise<void>;
}

export interface ServerSettings extends Abilities {
  readonly port?: number;
}

export interface ScriptedServer {
  /** `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** Requests that the script answered, in order. */
  readonly requests: readonly ReceivedRequest[];
  /** Capability probes, answered by the settings. */
  readonly probes: readonly ReceivedRequest[];
  /** The script's request of this index (from 0), as soon as it has arrived. */
  received(index: number): Promise<ReceivedRequest>;
  /** Requests whose response is neither complete nor torn. */
  running(): number;
  close(): Promise<void>;
}

/** Starts an OpenAI-compatible server on 127.0.0.1 that follows a script, and remembers every request. */
export async function startScriptedServer(script: Script, settings: ServerSettings = {}): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const probes: ReceivedRequest[] = [];
  const arrivals = new Map<number, PromiseWithResolvers<ReceivedRequest>>();
  let running = 0;
  const arrival = (index: number): PromiseWithResolvers<ReceivedRequest> => {
    const known = arrivals.get(index) ?? Promise.withResolvers<ReceivedRequest>();
    arrivals.set(index, known);
    return known;
  };
  const next = async (request: ChatRequest, index: number): Promise<Behaviour> => {
    if (typeof script === "function") return await script(request, index);
    return (
      script[index] ?? {
        does: "status",
        status: 400,
        error: { message: "the script has ended", code: "context_length_exceeded" },
      }
    );
  };
  const server = createServer((incoming, response) => {
    const over = Promise.withResolvers<void>();
    running += 1;
    response.once("close", () => {
      running -= 1;
      over.resolve();
    });
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const text = Buffer.concat(pieces).toString("utf8");
      const body = ChatRequest.parse(text === "" ? {} : JSON.parse(text));
      const received = { path: incoming.url ?? "", headers: incoming.headers, body, text, over: over.promise };
      const probing = isProbe(body);
      const index = (probing ? probes : requests).push(received) - 1;
      if (!probing) arrival(index).resolve(received);
      const behaviour = probing ? Promise.resolve(probeBehaviour(body, settings)) : next(body, index);
      void behaviour.then(async (known) => await act(body, known, response));
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(settings.port ?? 0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    probes,
    received: (index) => arrival(index).promise,
    running: () => running,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { persona: { type: "string", default: "mixed" }, port: { type: "string", default: "0" } },
  });
  const persona = PERSONAS.get(values.persona);
  if (persona === undefined) {
    process.stderr.write(`Unknown persona "${values.persona}". There are: ${[...PERSONAS.keys()].join(", ")}.\n`);
    process.exitCode = 2;
    return;
  }
  const server = await startScriptedServer(persona, { port: Number(values.port) });
  process.stdout.write(`${server.url}\n`);
  process.once("SIGINT", () => void server.close());
  process.once("SIGTERM", () => void server.close());
}

if (import.meta.main) await main();
