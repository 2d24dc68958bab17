import * as vscode from "vscode";
import type { AskEditorModelParams, EditorMessage } from "../protocol/models.ts";
import type { ModelHost, ModelPiece } from "./languageModels.ts";

const JUSTIFICATION = "Skeptical Triage asks it whether a finding that you chose to triage is real.";

/** The editor's `lm` API as `LanguageModels` uses it. */
export function languageModelHost(access: vscode.LanguageModelAccessInformation): ModelHost {
  return {
    async models() {
      const models = await vscode.lm.selectChatModels();
      return models.map((model) => {
        const { vendor, id, name, family, version, maxInputTokens } = model;
        const can = access.canSendRequest(model);
        return {
          vendor,
          id,
          name,
          family,
          version,
          maxInputTokens,
          access: can === undefined ? "unasked" : can ? "granted" : "denied",
        };
      });
    },
    async send(params, token) {
      const [model] = await vscode.lm.selectChatModels({ vendor: params.vendor, id: params.id });
      if (model === undefined) return null;
      const source = new vscode.CancellationTokenSource();
      if (token.isCancellationRequested) source.cancel();
      const heard = token.onCancellationRequested(() => source.cancel());
      try {
        const response = await model.sendRequest(params.messages.map(toMessage), optionsOf(params), source.token);
        return pieces(response.stream, () => heard.dispose());
      } catch (error) {
        heard.dispose();
        throw error;
      }
    },
  };
}

function optionsOf({ tools, toolMode }: AskEditorModelParams): vscode.LanguageModelChatRequestOptions {
  return {
    justification: JUSTIFICATION,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
    toolMode:
      toolMode === "required" ? vscode.LanguageModelChatToolMode.Required : vscode.LanguageModelChatToolMode.Auto,
  };
}

function toMessage({ role, text, calls, results }: EditorMessage): vscode.LanguageModelChatMessage {
  if (role === "assistant") {
    const parts = calls.map(
      (call) => new vscode.LanguageModelToolCallPart(call.id, call.name, inputOf(call.arguments)),
    );
    const said = text === "" ? [] : [new vscode.LanguageModelTextPart(text)];
    return vscode.LanguageModelChatMessage.Assistant([...said, ...parts]);
  }
  const answers = results.map(
    (result) => new vscode.LanguageModelToolResultPart(result.id, [new vscode.LanguageModelTextPart(result.text)]),
  );
  return vscode.LanguageModelChatMessage.User(
    text === "" ? answers : [...answers, new vscode.LanguageModelTextPart(text)],
  );
}

function inputOf(text: string): object {
  const input: unknown = JSON.parse(text);
  return typeof input === "object" && input !== null ? input : {};
}

async function* pieces(stream: AsyncIterable<unknown>, over: () => void): AsyncGenerator<ModelPiece> {
  try {
    for await (const part of stream) {
      if (part instanceof vscode.LanguageModelTextPart) yield { kind: "text", text: part.value };
      else if (part instanceof vscode.LanguageModelToolCallPart)
        yield { kind: "call", id: part.callId, name: part.name, input: part.input };
      else yield { kind: "other" };
    }
  } finally {
    over();
  }
}
