import type { LocalServer } from "../../protocol/modelSetup.ts";
import { type ListParts, serverModels } from "./serverList.ts";

/** Ports of this machine where model servers usually listen. No other address is ever looked at. */
export const LOCAL_PORTS = [
  { port: 11434, name: "Ollama" },
  { port: 1234, name: "LM Studio" },
  { port: 8000, name: "vLLM" },
  { port: 8080, name: "llama.cpp" },
] as const satisfies readonly LocalPort[];

export interface LocalPort {
  readonly port: number;
  readonly name: string;
}

const LOOK_MS = 1500;

/** Looks once at each port, all at the same time; only when a person asked for it. Rejects only with the signal's reason. */
export async function findLocalServers(
  parts: Omit<ListParts, "timeoutMs" | "apiKey">,
  signal: AbortSignal,
  ports: readonly LocalPort[] = LOCAL_PORTS,
): Promise<readonly LocalServer[]> {
  const looked = ports.map(async ({ port, name }): Promise<LocalServer | null> => {
    const url = `http://127.0.0.1:${port}/v1`;
    const found = await serverModels(url, { ...parts, apiKey: null, timeoutMs: LOOK_MS }, signal);
    return found.kind === "listed" ? { name, url, models: found.models } : null;
  });
  return (await Promise.all(looked)).filter((server) => server !== null);
}
