import { realpath } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";

/**
 * The file of the workspace that a path names: relative to a workspace folder (with several, the first that holds it; a leading
 * folder name counts) or absolute. Null where it is absent or lies outside after links are resolved.
 */
export async function findInWorkspace(file: string): Promise<vscode.Uri | null> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const root = folder.uri.fsPath;
    const candidates = path.isAbsolute(file) ? [file] : [path.join(root, file), ...belowName(folder, file)];
    for (const candidate of candidates) {
      if (await isInside(root, candidate)) return vscode.Uri.file(candidate);
    }
  }
  return null;
}

/** Opens a text at a 1-based line, in an editor group other than the given one where there is a choice. */
export async function openAt(uri: vscode.Uri, line: number, besides: vscode.ViewColumn | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = new vscode.Position(Math.min(Math.max(0, line - 1), document.lineCount - 1), 0);
  const selection = document.lineAt(at).range;
  const shown = vscode.window.visibleTextEditors.find(
    ({ viewColumn }) => viewColumn !== undefined && viewColumn !== besides,
  );
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: shown?.viewColumn ?? (besides === undefined ? vscode.ViewColumn.Active : otherColumn(besides)),
    selection: new vscode.Range(at, at),
  });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Shows a text at a 1-based line as a preview, beside the panel and without taking the focus. */
export async function previewAt(uri: vscode.Uri, line: number, besides: vscode.ViewColumn | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { range } = document.lineAt(Math.min(Math.max(0, line - 1), document.lineCount - 1));
  const at = new vscode.Range(range.start, range.start);
  const viewColumn = besides === undefined ? vscode.ViewColumn.Active : otherColumn(besides);
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn,
    selection: at,
    preview: true,
    preserveFocus: true,
  });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function otherColumn(column: vscode.ViewColumn): vscode.ViewColumn {
  return column === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}

/** "api/src/x.ts" in a window with a folder named "api". */
function belowName({ name, uri }: vscode.WorkspaceFolder, file: string): readonly string[] {
  return file.startsWith(`${name}/`) ? [path.join(uri.fsPath, file.slice(name.length + 1))] : [];
}

async function isInside(root: string, candidate: string): Promise<boolean> {
  try {
    const below = path.relative(await realpath(root), await realpath(candidate));
    return below !== "" && !below.startsWith("..") && !path.isAbsolute(below);
  } catch {
    // Absent, or a loop of links.
    return false;
  }
}
