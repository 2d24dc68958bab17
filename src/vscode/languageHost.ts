import * as vscode from "vscode";
import { isOurs } from "./diagnosticSource.ts";
import type { LanguageHost } from "./languageFacts.ts";

/** The editor's language features as `LanguageFacts` uses them: its own commands, which ask every extension's providers. */
export const languageHost: LanguageHost = {
  folders: () =>
    (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath),
  open: async (file) => void (await vscode.workspace.openTextDocument(vscode.Uri.file(file))),
  provide: async (command, file, line, column) =>
    await vscode.commands.executeCommand(command, vscode.Uri.file(file), new vscode.Position(line - 1, column)),
  symbols: async (file) =>
    await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", vscode.Uri.file(file)),
  incomingCalls: async (item) => await vscode.commands.executeCommand("vscode.provideIncomingCalls", item),
  diagnostics: (file) => vscode.languages.getDiagnostics(vscode.Uri.file(file)).filter(({ source }) => !isOurs(source)),
};
