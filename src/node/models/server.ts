import type { Usage } from "../../core/ports.ts";
import type { ChatMessage } from "./conversation.ts";
import type { Completed, Connection } from "./exchange.ts";
import { type Format, membersToDrop, type OptionalMember, requestBody } from "./requestBody.ts";
import { type RetryPorts, type Settled, withRetries } from "./retry.ts";
import type { ServerTraits, TraitStore } from "./serverTraits.ts";

/** One server as one `ask` uses it. */
export interface Server {
  readonly connection: Connection;
  readonly retry: RetryPorts;
  readonly traits: TraitStore;
}

/** What a call came to after retries and after refused members were left out. */
export type CallResult =
  | { readonly kind: "completed"; readonly completed: Completed }
  | { readonly kind: "rejected" | "denied" | "gaveUp"; readonly status: number | null; readonly reason: string };

/** Counts the tokens of all exchanges that one `ask` took, probes included. */
export interface Meter {
  readonly total: () => Usage;
  readonly add: (usage: Usage) => void;
}

/** A meter at zero. */
export function startMeter(): Meter {
  let sum: Usage = { prompt: 0, completion: 0 };
  return {
    total: () => sum,
    add: (usage) => {
      sum = { prompt: sum.prompt + usage.prompt, completion: sum.completion + usage.completion };
    },
  };
}

export interface Call {
  readonly messages: ChatMessage[];
  readonly format: Format;
  readonly meter: Meter;
}

function toResult(settled: Exclude<Settled, { kind: "rejected" }>): CallResult {
  return settled.kind === "completed" ? { kind: "completed", completed: settled } : settled;
}

function rememberDropped(traits: TraitStore, dropped: ReadonlySet<OptionalMember>): void {
  const known: ServerTraits = traits.get();
  traits.set({ ...known, dropped: [...new Set([...known.dropped, ...dropped])] });
}

/**
 * Sends one request: retries what may pass, leaves out optional members a server refuses and remembers them once a request
 * without them was taken. Rejects only with the signal's reason.
 */
export async function callServer(server: Server, call: Call, signal: AbortSignal): Promise<CallResult> {
  const { connection, retry, traits } = server;
  const known = new Set(traits.get().dropped);
  const left = new Set<OptionalMember>();
  for (;;) {
    const { messages, format } = call;
    const host = new URL(connection.baseUrl).hostname;
    const body = requestBody({
      host,
      model: connection.model,
      messages,
      format,
      dropped: new Set([...known, ...left]),
    });
    // The client of the protocol is large, and many a session asks no server.
    const { attempt } = await import("./attempt.ts");
    const settled = await withRetries(() => attempt(connection, body, signal), retry, signal);
    if (settled.kind !== "rejected") {
      if (settled.kind === "completed") {
        call.meter.add(settled.usage);
        if (left.size > 0) rememberDropped(traits, left);
      }
      return toResult(settled);
    }
    const drop = membersToDrop(body, settled);
    if (drop.length === 0) return { kind: "rejected", status: 400, reason: settled.reason };
    retry.log("info", `${connection.origin} does not accept ${drop.join(", ")}: trying without.`);
    for (const member of drop) left.add(member);
  }
}
