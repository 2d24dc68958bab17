import { build } from "esbuild";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import type { FromFilter, ToFilter } from "../../src/protocol/filter.ts";
import type { FromPanel, ToPanel } from "../../src/protocol/panel.ts";
import { EDITOR_SHEET, VARIABLES, type Theme } from "./panelThemes.ts";

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Where our pages and a real browser meet, without an editor. */
export interface PanelHarness {
  /** Size of the minified page script in bytes. */
  readonly scriptBytes: number;
  readonly open: (options?: OpenOptions) => Promise<Panel>;
  /** The same for the filter bar. */
  readonly openFilter: (options?: OpenOptions) => Promise<FilterBarPage>;
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  /** What `getState` gives back, as after a reload of the editor. */
  readonly memory?: unknown;
}

export type Panel = OpenPage<ToPanel, FromPanel>;
export type FilterBarPage = OpenPage<ToFilter, FromFilter>;

/** One open page with everything it did. */
export interface OpenPage<To, From> {
  readonly page: Page;
  /** Sends a message as the extension host would, and waits until it is drawn. */
  readonly send: (message: To) => Promise<void>;
  /** Opens every section, as a person who wants to see everything would. */
  readonly openAll: () => Promise<void>;
  /** Messages the page has posted, oldest first. */
  readonly posted: () => Promise<readonly From[]>;
  /** What the page last gave to `setState`. */
  readonly memory: () => Promise<unknown>;
  /** Content-security violations, console errors and page errors so far. */
  readonly trouble: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Builds the page, serves it under the page policy of the real panel and starts the browser. Close it when done. */
export async function startPanelHarness(): Promise<PanelHarness> {
  const script = await bundle();
  const codicons = await Promise.all(
    ["codicon.css", "codicon.ttf"].map((name) => readFile(root(`node_modules/@vscode/codicons/dist/${name}`))),
  );
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    serve(url, response, script, codicons);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const browser = await launch();
  return {
    scriptBytes: Buffer.byteLength(script),
    open: (options = {}) => openPage(browser, `http://127.0.0.1:${address.port}`, "panel", options),
    openFilter: (options = {}) => openPage(browser, `http://127.0.0.1:${address.port}`, "filter", options),
    close: async () => {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bundle(): Promise<string> {
  const built = await build({
    entryPoints: [root("src/webview.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2024",
    write: false,
  });
  const [output] = built.outputFiles;
  if (output === undefined) throw new Error("The page did not build.");
  return output.text;
}

async function launch(): Promise<Browser> {
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu", "--disable-sync", ...quiet],
  });
}

function serve(url: URL, response: ServerResponse, script: string, codicons: readonly Buffer[]): void {
  const send = (type: string, body: string | Buffer): void => {
    response.writeHead(200, { "content-type": type }).end(body);
  };
  switch (url.pathname) {
    case "/":
      return servePage(url, response);
    case "/webview.js":
      return send("text/javascript", script);
    case "/codicon.css":
      return send("text/css", codicons[0] ?? "");
    case "/codicon.ttf":
      return send("font/ttf", codicons[1] ?? "");
    case "/editor.css":
      return send("text/css", EDITOR_SHEET);
    default:
      response.writeHead(404).end();
  }
}

// The editor sets the variables on the root element by script and gives the page its one chance to take the wire.
function servePage(url: URL, response: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const theme = url.searchParams.get("theme") ?? "vscode-dark";
  const policy = `default-src 'none'; style-src 'self'; font-src 'self'; script-src 'nonce-${nonce}'`;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
  response.end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Skeptical Triage</title>
<link rel="stylesheet" href="/editor.css"><link rel="stylesheet" id="vscode-codicon-stylesheet" href="/codicon.css">
</head><body class="${theme}" data-vscode-theme-kind="${theme}" data-page="${url.searchParams.get("page") ?? ""}">
<script nonce="${nonce}">
globalThis.harness = { posted: [], trouble: [], memory: undefined };
document.addEventListener("securitypolicyviolation", (event) => {
  harness.trouble.push("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample);
});
for (const [name, value] of Object.entries(${JSON.stringify(variablesOf(theme))})) {
  document.documentElement.style.setProperty("--vscode-" + name, value);
}
harness.memory = ${(url.searchParams.get("memory") ?? "undefined").replaceAll("<", "\\u003c")};
globalThis.acquireVsCodeApi = () => {
  delete globalThis.acquireVsCodeApi;
  return {
    postMessage: (message) => { harness.posted.push(structuredClone(message)); },
    getState: () => harness.memory,
    setState: (memory) => { harness.memory = structuredClone(memory); },
  };
};
</script>
<script nonce="${nonce}" src="/webview.js"></script>
</body></html>`);
}

function variablesOf(theme: string): Readonly<Record<string, string>> {
  return Object.entries(VARIABLES).find(([name]) => name === theme)?.[1] ?? VARIABLES["vscode-dark"];
}

const drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

async function openPage<To, From>(
  browser: Browser,
  origin: string,
  name: "panel" | "filter",
  options: OpenOptions,
): Promise<OpenPage<To, From>> {
  const { theme = "vscode-dark", width = 800, height = 900, reducedMotion = false, memory } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
  });
  const page = await context.newPage();
  const heard: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") heard.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => heard.push(`page: ${error.message}`));
  const query = new URLSearchParams({ theme, page: name });
  if (memory !== undefined) query.set("memory", JSON.stringify(memory));
  await page.goto(`${origin}/?${query.toString()}`);
  await page.waitForFunction("harness.posted.some((message) => message.type === 'ready')");
  return {
    page,
    send: async (message) => {
      await page.evaluate(`postMessage(${JSON.stringify(message)}, "*")`);
      await page.evaluate(drawn);
    },
    openAll: async () => {
      await page.evaluate("for (const section of document.querySelectorAll('details')) section.open = true;");
      await page.evaluate(drawn);
    },
    posted: () => page.evaluate<From[]>("harness.posted"),
    memory: () => page.evaluate<unknown>("harness.memory"),
    trouble: async () => [...heard, ...(await page.evaluate<string[]>("harness.trouble"))],
    close: () => context.close(),
  };
}
