import * as vscode from "vscode";

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}

export interface TickedChoice<T> extends Choice<T> {
  readonly picked: boolean;
}

export interface InputQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly password: boolean;
  /** What stands there already, selected. */
  readonly value?: string;
  /** Why a text cannot be accepted; null where it can. */
  readonly problem: (text: string) => string | null;
}

/** Everything that the extension asks or tells a person outside panel and view. Tests put their own answers in its place. */
export interface Asker {
  /** A modal question; true only where the person pressed `yes`. */
  modal(message: string, detail: string, yes: string): Promise<boolean>;
  /** A modal question with more than one Yes; the pressed one, or undefined where the person stepped back. */
  choose(message: string, detail: string, ...answers: readonly string[]): Promise<string | undefined>;
  input(question: InputQuestion): Promise<string | undefined>;
  pick<T>(choices: readonly Choice<T>[], title: string): Promise<T | undefined>;
  /** Several of them, some of which are chosen already; undefined where the person stepped back. */
  pickMany<T>(choices: readonly TickedChoice<T>[], title: string): Promise<readonly T[] | undefined>;
  /** A notification after something the person started; resolves to the pressed button. */
  tell(kind: "info" | "warning" | "error", message: string, ...buttons: readonly string[]): Promise<string | undefined>;
  /** A word in the status bar, gone after some seconds. */
  say(message: string): void;
}

const SAY_MS = 6000;

/** The asker that uses the editor's own dialogs. */
export const editorAsker: Asker = {
  async modal(message, detail, yes) {
    return (await vscode.window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
  },
  async choose(message, detail, ...answers) {
    return await vscode.window.showWarningMessage(message, { modal: true, detail }, ...answers);
  },
  async input({ title, prompt, password, value = "", problem }) {
    const validateInput = problem;
    return await vscode.window.showInputBox({ title, prompt, password, value, ignoreFocusOut: true, validateInput });
  },
  async pick(choices, title) {
    const items = choices.map((choice) => ({ ...choice }));
    const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
    return picked?.value;
  },
  async pickMany(choices, title) {
    const items = choices.map((choice) => ({ ...choice }));
    const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true, matchOnDescription: true });
    return picked?.map(({ value }) => value);
  },
  async tell(kind, message, ...buttons) {
    if (kind === "error") return await vscode.window.showErrorMessage(message, ...buttons);
    if (kind === "warning") return await vscode.window.showWarningMessage(message, ...buttons);
    return await vscode.window.showInformationMessage(message, ...buttons);
  },
  say(message) {
    vscode.window.setStatusBarMessage(`$(search) ${message}`, SAY_MS);
  },
};
