import * as vscode from "vscode";
import type { CommandId } from "./contributions.ts";
import { isOurs } from "./diagnosticSource.ts";
import type { PlaceArgument } from "./targets.ts";

/** "Triage Finding" in the lightbulb of every diagnostic of others. Lives here, so that it is offered before the worker runs. */
export const lightbulb: vscode.CodeActionProvider = {
  provideCodeActions(document, range, { diagnostics, only }) {
    if (only !== undefined && !only.contains(vscode.CodeActionKind.QuickFix)) return [];
    const others = diagnostics.filter(({ source }) => !isOurs(source));
    const first = others.at(0);
    if (first === undefined) return [];
    const action = new vscode.CodeAction("Triage Finding", vscode.CodeActionKind.QuickFix);
    action.diagnostics = others;
    const line = Math.max(first.range.start.line, Math.min(range.start.line, first.range.end.line)) + 1;
    const place: PlaceArgument = { uri: document.uri.toString(), line };
    const command: CommandId = "skepticalTriage.triageFinding";
    action.command = { command, title: "Triage Finding", arguments: [place] };
    return [action];
  },
};

export const LIGHTBULB_KINDS: vscode.CodeActionProviderMetadata = {
  providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
};
