import * as vscode from "vscode";
import { type PageName, pageHtml } from "./pageHtml.ts";

/** Lets a webview show one of our pages, and nothing but our own scripts, styles and pictures (design, section 8). */
export function showPage(webview: vscode.Webview, extensionUri: vscode.Uri, page: PageName): void {
  const dist = vscode.Uri.joinPath(extensionUri, "dist");
  const media = vscode.Uri.joinPath(extensionUri, "media");
  const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist, media] };
  webview.html = pageHtml({
    page,
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    script: address("webview.js"),
    styles: [address("codicon.css")],
  });
}
