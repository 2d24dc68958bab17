/** The pages of the one bundle; which of them is drawn stands in an attribute of the body. */
export type PageName = "panel" | "filter";

/** What a page loads, as the webview may fetch it. */
export interface PageResources {
  readonly page: PageName;
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly styles: readonly string[];
}

/** A page: an empty body, one script that holds the nonce, styles and fonts of the extension, nothing else (design, section 8). */
export function pageHtml({ page, cspSource, nonce, script, styles }: PageResources): string {
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
    `<body data-page="${page}">`,
    `  <script nonce="${attribute(nonce)}" src="${attribute(script)}"></script>`,
    "</body>",
    "</html>",
  ].join("\n");
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
