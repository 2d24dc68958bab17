import { randomUUID } from "node:crypto";
import { CancellationTokenSource, type Connection } from "vscode-languageserver/node";
import {
  AskEditorModelResult,
  askEditorModel,
  type EditorModelAliveParams,
  editorModelAlive,
  ListEditorModelsResult,
  listEditorModels,
} from "../../protocol/models.ts";
import type { EditorModels } from "../models/editorModel.ts";
import { orAbort } from "../models/watchdog.ts";

/** Asks the client's models over a connection. A client that does not know the messages offers none. */
export function createEditorModels(connection: Connection): EditorModels {
  const waiting = new Map<string, () => void>();
  connection.onNotification(editorModelAlive, ({ request }: EditorModelAliveParams) => waiting.get(request)?.());
  return {
    async list() {
      try {
        const parsed = ListEditorModelsResult.safeParse(await connection.sendRequest<unknown>(listEditorModels, {}));
        return parsed.success ? parsed.data.models : [];
      } catch {
        return [];
      }
    },
    async ask(params, alive, signal) {
      const source = new CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      const request = randomUUID();
      waiting.set(request, alive);
      try {
        if (signal.aborted) return failed("cancelled", "");
        const sent = connection.sendRequest<unknown>(askEditorModel, { ...params, request }, source.token);
        const parsed = AskEditorModelResult.safeParse(await orAbort(sent, signal));
        return parsed.success ? parsed.data : failed("other", "The editor's answer has another shape than was agreed.");
      } catch (error) {
        if (signal.aborted) return failed("cancelled", "");
        return failed("other", error instanceof Error ? error.message.slice(0, 300) : String(error));
      } finally {
        waiting.delete(request);
        signal.removeEventListener("abort", cancel);
        source.dispose();
      }
    },
  };
}

function failed(failure: "cancelled" | "other", why: string): AskEditorModelResult {
  return { kind: "failed", failure, why };
}
