import * as vscode from "vscode";

/** Where the editor keeps its own ripgrep, newest layout first; the folder has moved before, so absence is normal. */
const PACKAGES = ["node_modules", "node_modules.asar.unpacked"].flatMap((modules) => [
  `${modules}/@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}`,
  `${modules}/@vscode/ripgrep/bin`,
]);

/** Absolute path of the ripgrep that the editor ships; null where none is found. */
export async function findRipgrep(appRoot: string): Promise<string | null> {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  for (const folder of PACKAGES) {
    const candidate = vscode.Uri.joinPath(vscode.Uri.file(appRoot), folder, name);
    const found = await vscode.workspace.fs.stat(candidate).then(
      () => true,
      () => false,
    );
    if (found) return candidate.fsPath;
  }
  return null;
}
