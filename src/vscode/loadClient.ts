import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Loads the language client, which is most of the extension's code, in pieces: loaded at once, it would keep everything
 * else in the editor waiting for longer than the 50 ms that one block may take.
 */
export async function loadClient(): Promise<void> {
  await import("vscode-languageserver-protocol/node");
  await nextTurn();
  await import("vscode-languageclient/node");
  await nextTurn();
}
