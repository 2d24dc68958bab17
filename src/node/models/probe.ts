import * as z from "zod";
import { callServer, type Meter, type Server } from "./server.ts";
import type { FunctionShape } from "./verbCalls.ts";
import { orAbort } from "./watchdog.ts";

/** The whole text of a probe's user message. Nothing of a workspace is ever in a probe. */
export const PROBE_TEXT = "Capability probe. Give the value that the required format of your answer allows.";

// The expected value stands in the schema alone: only a server that shows the schema to the model or holds it to the schema
// can answer with it. A 200 proves nothing.
const EXPECTED = "ready-7f3a";
const probed = z.strictObject({ state: z.literal(EXPECTED) });
const PROBE_SCHEMA = {
  type: "object",
  properties: { state: { type: "string", enum: [EXPECTED] } },
  required: ["state"],
  additionalProperties: false,
} as const;
const PROBE_FUNCTION: FunctionShape = { name: "answer", description: "Give the answer.", parameters: PROBE_SCHEMA };

type Ability = "schema" | "functions";

/** `unsure`: the server failed in a way that may or may not mean no; good enough for this call, not for the cache. */
type Probe = { readonly kind: "known"; readonly able: boolean } | { readonly kind: "unsure" } | Failed;
export interface Failed {
  readonly kind: "failed";
  readonly reason: string;
}

function holds(text: string | undefined): boolean {
  try {
    return probed.safeParse(JSON.parse(text ?? "")).success;
  } catch {
    return false;
  }
}

async function probe(server: Server, ability: Ability, meter: Meter, signal: AbortSignal): Promise<Probe> {
  const result = await callServer(
    server,
    {
      messages: [{ role: "user", content: PROBE_TEXT }],
      format:
        ability === "schema"
          ? { kind: "schema", name: "probe", schema: PROBE_SCHEMA }
          : { kind: "functions", functions: [PROBE_FUNCTION], choice: "answer" },
      meter,
    },
    signal,
  );
  if (result.kind === "completed") {
    const { content, calls } = result.completed;
    const call = calls.find(({ name }) => name === "answer");
    return { kind: "known", able: ability === "schema" ? holds(content) : holds(call?.arguments) };
  }
  if (result.kind === "rejected") return { kind: "known", able: false };
  // Some servers say 404, 500 or 501 to a request for what they cannot do; a wrong address says 404 as well.
  const ambiguous = result.status === 404 || result.status === 405 || (result.status !== null && result.status >= 500);
  return ambiguous ? { kind: "unsure" } : { kind: "failed", reason: result.reason };
}

/** Tells what a server can do, probing once. */
export interface Abilities {
  /** True or false, or why not even a probe got through. Rejects only with the signal's reason. */
  can(ability: Ability, meter: Meter, signal: AbortSignal): Promise<boolean | Failed>;
  /** A request was answered: what the probes were unsure of counts from now on. */
  answered(): void;
  /** The ability was promised by the probe and not kept. */
  broken(ability: Ability): void;
}

/** Abilities of one server. Calls that come together wait for one probe. */
export function abilitiesOf(server: Server): Abilities {
  let turn: Promise<unknown> = Promise.resolve();
  const unsure = new Set<Ability>();
  const learn = (ability: Ability, able: boolean): void =>
    server.traits.set({ ...server.traits.get(), [ability]: able });

  async function ask(ability: Ability, meter: Meter, signal: AbortSignal): Promise<boolean | Failed> {
    const known = server.traits.get()[ability];
    if (known !== null) return known;
    const result = await probe(server, ability, meter, signal);
    if (result.kind === "failed") return result;
    if (result.kind === "unsure") {
      unsure.add(ability);
      return false;
    }
    learn(ability, result.able);
    server.retry.log(
      "info",
      `${server.connection.origin} ${server.connection.model}: ${ability} ${result.able ? "works" : "does not work"}.`,
    );
    return result.able;
  }

  return {
    async can(ability, meter, signal) {
      const before = turn;
      const mine = Promise.withResolvers<undefined>();
      turn = mine.promise;
      try {
        await orAbort(before, signal);
        return await ask(ability, meter, signal);
      } finally {
        mine.resolve(undefined);
      }
    },
    answered() {
      for (const ability of unsure) learn(ability, false);
      unsure.clear();
    },
    broken: (ability) => learn(ability, false),
  };
}
