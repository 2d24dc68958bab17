// Two chat models of the vendor "fake-models" that answer as the suite wants, in the editor's own machinery.
const vscode = require("vscode");

const MODEL = { family: "claude-sonnet-4", version: "1", maxInputTokens: 64_000, maxOutputTokens: 8_000 };
const MODELS = [
  { ...MODEL, id: "large-1", name: "Fake Large", capabilities: { toolCalling: true } },
  { ...MODEL, id: "small-1", name: "Fake Small", capabilities: { toolCalling: true } },
];

/**
 * @returns {{answerWith(script: Function | null): void}} the script is called with model id, messages, options, a function that
 *   reports a part, and the token; what it throws is the model's error, null makes every model fail
 */
exports.activate = ({ subscriptions }) => {
  let script = null;
  subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("fake-models", {
      provideLanguageModelChatInformation: () => MODELS,
      async provideLanguageModelChatResponse(model, messages, options, progress, token) {
        if (script === null) throw new Error("no test has said what to answer");
        await script({ model: model.id, messages, options, report: (part) => progress.report(part), token });
      },
      provideTokenCount: async (_model, text) => (typeof text === "string" ? text.length : 1),
    }),
  );
  return { answerWith: (given) => void (script = given) };
};
