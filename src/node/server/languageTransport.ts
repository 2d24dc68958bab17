import { CancellationTokenSource, type Connection, ErrorCodes, ResponseError } from "vscode-languageserver/node";
import { askLanguage } from "../../protocol/language.ts";
import type { LanguageTransport } from "../language/languageServers.ts";

/** The way to the client's language servers. */
export interface LanguageClient {
  readonly transport: LanguageTransport;
  /** True while a hover of this file (absolute path) is asked for: ours tells what others think, and is no evidence. */
  asksHover(path: string): boolean;
}

/**
 * Asks the client of a connection. Most clients of the protocol do not know the message: after the first refusal nobody is
 * asked any more. Switched off, nobody is asked either.
 */
export function createLanguageClient(connection: Connection, enabled: () => boolean): LanguageClient {
  const hovers: string[] = [];
  let refused = false;
  const transport: LanguageTransport = async (params, signal) => {
    if (refused || !enabled()) return { kind: "nobody" };
    const source = new CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    if (params.ask === "hover") hovers.push(params.path);
    try {
      return { kind: "replied", reply: await connection.sendRequest<unknown>(askLanguage, params, source.token) };
    } catch (error) {
      if (error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound) refused = true;
      if (refused) return { kind: "nobody" };
      return { kind: "failed", why: `The editor could not be asked: ${error instanceof Error ? error.message : ""}` };
    } finally {
      if (params.ask === "hover") hovers.splice(hovers.indexOf(params.path), 1);
      signal.removeEventListener("abort", cancel);
      source.dispose();
    }
  };
  return { transport, asksHover: (path) => hovers.includes(path) };
}
