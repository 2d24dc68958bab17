import * as vscode from "vscode";
import { CONTEXT_KEYS } from "./contributions.ts";
import { othersDiagnostics } from "./editorDiagnostics.ts";

const DEBOUNCE_MS = 200;

/**
 * Keeps the context key of the editor's menu: the paths of files that hold findings or diagnostics of others. By file, not by
 * line: the editor builds its context menu before an extension hears that the cursor moved, so a key for the line would always
 * speak of the line before.
 */
export class MenuContext implements vscode.Disposable {
  #ofWorker: readonly string[] = [];
  readonly #ofEditor = new Set<string>();
  readonly #heard: vscode.Disposable;
  #timer: NodeJS.Timeout | null = null;
  #paths: readonly string[] = [];
  readonly #changed = new vscode.EventEmitter<readonly string[]>();
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#heard = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) this.#look(uri);
      this.#soon();
    });
    for (const [uri] of vscode.languages.getDiagnostics()) this.#look(uri);
    this.#soon();
  }

  /** The paths that carry the menu entry. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  /** Absolute paths of all files that hold findings. */
  setFindingFiles(paths: readonly string[]): void {
    this.#ofWorker = paths;
    this.#soon();
  }

  dispose(): void {
    this.#heard.dispose();
    this.#changed.dispose();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #look(uri: vscode.Uri): void {
    if (othersDiagnostics(uri).length > 0) this.#ofEditor.add(uri.fsPath);
    else this.#ofEditor.delete(uri.fsPath);
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const all = new Set([...this.#ofEditor, ...this.#ofWorker.map((path) => vscode.Uri.file(path).fsPath)]);
      const paths = [...all].flatMap(spellings).sort();
      if (paths.join("\n") === this.#paths.join("\n")) return;
      this.#paths = paths;
      // An object, since the lookup of `in` is by property there and a scan in a list.
      void vscode.commands.executeCommand(
        "setContext",
        CONTEXT_KEYS.files,
        Object.fromEntries(paths.map((path) => [path, true])),
      );
      this.#changed.fire(paths);
    }, DEBOUNCE_MS);
  }
}

/** A window on Windows that shows a remote folder spells the remote's paths with backslashes. */
function spellings(path: string): string[] {
  return vscode.env.remoteName === undefined || !path.includes("/") ? [path] : [path, path.replaceAll("/", "\\")];
}
