import { type CancellationToken, type Connection, RequestType } from "vscode-languageserver/node";
import * as wire from "../../protocol/checkers.ts";
import type { Desk } from "./requests.ts";

/** Answers the messages of `protocol/checkers.ts`. */
export function answerCheckers(connection: Connection, desk: () => Desk): void {
  const accepted = new RequestType<wire.AcceptLineParams, wire.AcceptLineResult, void>(wire.acceptLine);
  connection.onRequest(accepted, async (params) => {
    await desk().ready;
    return await desk().lines.accept(params);
  });
  connection.onRequest(wire.stopLine, async ({ key }: wire.StopLineParams): Promise<null> => {
    await desk().lines.stop(key);
    return null;
  });
  connection.onRequest(
    wire.listCheckers,
    async (_params: unknown, token: CancellationToken): Promise<wire.ListCheckersResult> => {
      const { session, ready } = desk();
      await ready;
      const stop = new AbortController();
      const heard = token.onCancellationRequested(() => stop.abort());
      const folders: wire.ListCheckersResult["folders"][number][] = [];
      try {
        for (const { root, checkers } of session.folders) {
          if (checkers === null) continue;
          const held = checkers.held();
          folders.push({ root, held, checkers: held === null ? await checkers.states(stop.signal) : [] });
        }
      } finally {
        heard.dispose();
      }
      return { folders };
    },
  );
  connection.onRequest(wire.acceptedLines, async (): Promise<wire.AcceptedLinesResult> => {
    const { session, ready } = desk();
    await ready;
    const lines: wire.AcceptedLine[] = [];
    for (const { root, checkers } of session.folders)
      for (const row of (await checkers?.consent.remembered()) ?? []) lines.push({ root, ...row });
    return { lines };
  });
  connection.onRequest(wire.revokeLine, async (params: wire.RevokeLineParams): Promise<wire.RevokeLineResult> => {
    const folder = desk().session.folders.find(({ root }) => root === params.root);
    return { revoked: (await folder?.checkers?.consent.revoke(params.line)) ?? false };
  });
}
