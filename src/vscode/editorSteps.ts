import * as vscode from "vscode";
import { BACK, type Back, type PickStep, type Steps } from "./steps.ts";

/** The steps in the editor's own quick input. */
export const editorSteps: Steps = {
  async pick<T>({ title, step, placeholder, choices }: PickStep<T>) {
    const input = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly index: number }>();
    Object.assign(input, { title, step, placeholder, ignoreFocusOut: true, matchOnDescription: true });
    input.items = choices.map(({ label, description = "", detail = "" }, index) => ({
      label,
      description,
      ...(detail === "" ? {} : { detail }),
      index,
    }));
    const index = await answered(input, step, () => input.selectedItems[0]?.index);
    return typeof index === "number" ? choices[index]?.value : index;
  },
  async input({ title, step, prompt, password, value, problem }) {
    const input = vscode.window.createInputBox();
    Object.assign(input, { title, step, prompt, password, value, ignoreFocusOut: true });
    input.onDidChangeValue((text) => void (input.validationMessage = problem(text) ?? ""));
    return await answered(input, step, () => {
      const wrong = problem(input.value);
      input.validationMessage = wrong ?? "";
      return wrong === null ? input.value : undefined;
    });
  },
  async wait(title, work) {
    const location = vscode.ProgressLocation.Notification;
    return await vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
      const cancelled = Promise.withResolvers<undefined>();
      token.onCancellationRequested(() => cancelled.resolve(undefined));
      const working = work(token);
      // Once the person has left, how the work ended concerns nobody.
      working.catch(() => undefined);
      return await Promise.race([working, cancelled.promise]);
    });
  },
};

/** Shows an input until it is accepted, left, or stepped back from. `accept` gives undefined where the answer will not do. */
async function answered<T>(
  input:
    | vscode.QuickPick<never>
    | vscode.InputBox
    | vscode.QuickPick<vscode.QuickPickItem & { readonly index: number }>,
  step: number,
  accept: () => T | undefined,
): Promise<T | Back | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | Back | undefined>();
  if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
  input.onDidTriggerButton(() => resolve(BACK));
  input.onDidAccept(() => {
    const value = accept();
    if (value !== undefined) resolve(value);
  });
  input.onDidHide(() => resolve(undefined));
  input.show();
  try {
    return await promise;
  } finally {
    input.dispose();
  }
}
