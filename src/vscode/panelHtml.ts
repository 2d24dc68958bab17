/** Addresses of what the page loads, as the webview may fetch them. */
export interface PanelResources {
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly styles: readonly string[];
}

/** The panel's page: an empty body, one script that holds the nonce, styles and fonts of the extension, nothing else (design, section 8). */
export function panelHtml({ cspSource, nonce, script, styles }: PanelResources): string {
  const policy = `default-src 'none'; style-src ${cspSource}; font-src ${cspSource}; script-src 'nonce-${nonce}'`;
  const links = styles.map((href) => {
    const id = href.includes("codicon") ? ` id="vscode-codicon-stylesheet"` : "";
    return `  <link rel="stylesheet"${id} href="${attribute(href)}">`;
  });
  return [
    "<!DOCTYPE html>",
    `<html lang="en">`,
    "<head>",
    `  <meta charset="UTF-8">`,
    `  <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">`,
    `  <meta name="viewport" content="width=device-width, initial-scale=1">`,
    "  <title>Skeptical Triage</title>",
    ...links,
    "</head>",
    "<body>",
    `  <script nonce="${attribute(nonce)}" src="${attribute(script)}"></script>`,
    "</body>",
    "</html>",
  ].join("\n");
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
