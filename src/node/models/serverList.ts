import type { Now } from "../../core/ports.ts";
import type { ListServerModelsResult } from "../../protocol/modelSetup.ts";
import type { Connection } from "./exchange.ts";
import { scrubber } from "./explain.ts";
import { addressProblem } from "./serverModel.ts";

export interface ListParts {
  readonly apiKey: string | null;
  /** Longest silence, and longest time for one try in all. */
  readonly timeoutMs: number;
  readonly now: Now;
  readonly fetch?: typeof fetch;
}

/**
 * The models that a server says it has, from `GET BASE/models`. People leave the `/v1` out: where the address as given lists
 * nothing it is tried with it. Rejects only with the signal's reason.
 */
export async function serverModels(
  given: string,
  parts: ListParts,
  signal: AbortSignal,
): Promise<ListServerModelsResult> {
  const url = given.trim().replace(/\/+$/, "");
  const problem = addressProblem(url);
  if (problem !== null) return { kind: "failed", why: problem };
  const first = await listAt(url, parts, signal);
  if (first.kind === "listed" || first.kind === "failed" || /\/v\d+$/.test(new URL(url).pathname)) return first;
  const second = await listAt(`${url}/v1`, parts, signal);
  return second.kind === "listed" ? second : first;
}

async function listAt(url: string, parts: ListParts, signal: AbortSignal): Promise<ListServerModelsResult> {
  const origin = new URL(url).origin;
  const connection: Connection = {
    baseUrl: url,
    apiKey: parts.apiKey,
    fetch: parts.fetch ?? globalThis.fetch,
    idleTimeoutMs: parts.timeoutMs,
    totalTimeoutMs: parts.timeoutMs,
    origin,
    model: "",
    scrub: scrubber(parts.apiKey),
    now: parts.now,
  };
  const { listModels } = await import("./attempt.ts");
  const result = await listModels(connection, signal);
  if (result.kind === "listed") return { kind: "listed", url, models: result.models };
  if (result.kind === "completed" || result.kind === "unlisted") return unlisted(origin);
  // Not found here: the address is wrong by a path, or this server has no list.
  if (result.kind === "denied" && (result.status === 404 || result.status === 405)) return unlisted(origin);
  return { kind: "failed", why: result.reason };
}

function unlisted(origin: string): ListServerModelsResult {
  return { kind: "unlisted", why: `${origin} does not list its models. Type the name of the one to use.` };
}
