import { type CancellationToken, type Connection, RequestType } from "vscode-languageserver/node";
import * as wire from "../../protocol/modelSetup.ts";
import { createEditorModel } from "../models/editorModel.ts";
import { findLocalServers } from "../models/localServers.ts";
import type { ModelLog } from "../models/retry.ts";
import { serverModels } from "../models/serverList.ts";
import { testEditorModel, testServer } from "../models/testCall.ts";
import { serverOptions } from "../reviewers.ts";
import type { Desk } from "./requests.ts";

const LIST_MS = 15_000;
const now = (): Date => new Date();

/** Answers the messages of `protocol/modelSetup.ts` by which a model is set up. None of them sends anything of a workspace. */
export function answerModels(connection: Connection, desk: () => Desk): void {
  connection.onRequest(
    wire.findLocalServers,
    async (_params: unknown, token: CancellationToken): Promise<wire.FindLocalServersResult> => ({
      servers: await cancellable(token, async (signal) => await findLocalServers({ now }, signal)),
    }),
  );
  const list = new RequestType<wire.ListServerModelsParams, wire.ListServerModelsResult, void>(wire.listServerModels);
  connection.onRequest(
    list,
    async ({ url }, token) =>
      await cancellable(
        token,
        async (signal) => await serverModels(url, { apiKey: keyOf(desk(), url), timeoutMs: LIST_MS, now }, signal),
      ),
  );
  const tested = new RequestType<wire.TestModelParams, wire.TestModelResult, void>(wire.testModel);
  connection.onRequest(
    tested,
    async (params, token) =>
      await cancellable(token, async (signal) => await testCall(connection, desk(), params, signal)),
  );
}

async function testCall(
  { console }: Connection,
  desk: Desk,
  params: wire.TestModelParams,
  signal: AbortSignal,
): Promise<wire.TestModelResult> {
  const idleTimeoutMs = desk.session.settings.idleTimeoutSeconds * 1000;
  const log: ModelLog = (level, text) => (level === "warn" ? console.warn(text) : console.info(text));
  if ("serverUrl" in params) {
    const { serverUrl: url, serverModel: model } = params;
    const parts = { idleTimeoutMs, now, log, probeCache: desk.probeCache };
    return await testServer(serverOptions({ url, model, apiKey: keyOf(desk, url) }, parts), signal);
  }
  const rows = await desk.editorModels.list();
  const row = rows.find(({ vendor, id }) => `${vendor}/${id}` === params.editorModel);
  if (row === undefined) return { kind: "fails", why: "The editor does not offer this model any more." };
  const model = createEditorModel({ row, models: desk.editorModels, idleTimeoutMs, now, log });
  return await testEditorModel(model, now, signal);
}

function keyOf({ session }: Desk, url: string): string | null {
  return session.keys.get(URL.parse(url)?.origin ?? "") ?? null;
}

async function cancellable<T>(token: CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const heard = token.onCancellationRequested(() => stop.abort(new Error("The person stepped back.")));
  try {
    return await work(stop.signal);
  } finally {
    heard.dispose();
  }
}
