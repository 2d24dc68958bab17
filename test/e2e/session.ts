import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { installVsix, launchBrowser, locateHost, makeProfile, startServer } from "../host/host.mjs";
import { ROOT } from "../support/workerProcess.ts";
import { TriagePanel } from "./panel.ts";
import { Workbench } from "./workbench.ts";

export const VIEW = "Skeptical Triage";

export interface SessionOptions {
  /** User settings beside the quiet ones of the test host. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of machine scope: a window that is connected to a server takes them from there only. */
  readonly machine?: Readonly<Record<string, unknown>>;
  /** Opens the folder in Restricted Mode. */
  readonly restricted?: boolean;
  /** Changes the copy of the demo before it is opened. */
  readonly prepare?: (workspace: string) => Promise<void>;
  /** File of the workspace that is open from the start. */
  readonly file?: string;
}

/** A real workbench in a browser, with the packaged extension, on a copy of the demo workspace. */
export interface Session {
  readonly page: Page;
  readonly workbench: Workbench;
  readonly panel: TriagePanel;
  /** Absolute path of the opened copy. */
  readonly workspace: string;
  /** Opens the workspace anew, as a reload of the window does, with a file of it where one is named, and waits until it is painted. */
  open(file?: string): Promise<void>;
  /** Records of the triage log, oldest first; none where there is no log. */
  log(): Promise<readonly LogRecord[]>;
  screenshot(name: string): Promise<void>;
  /** For `afterEach`: keeps a picture of the workbench where the test failed. */
  keepFailure(test: unknown): Promise<void>;
  close(): Promise<void>;
}

export interface LogRecord {
  readonly kind: string;
  readonly [member: string]: unknown;
}

const ARTIFACTS = path.join(ROOT, "test-artifacts");

/** Installs the packaged extension, starts server and browser, and opens the workspace. */
export async function startSession(options: SessionOptions = {}): Promise<Session> {
  const host = locateHost(path.join(ROOT, "test", "host"));
  const profile = makeProfile({
    settings: {
      ...(options.restricted === true && {
        "security.workspace.trust.enabled": true,
        "security.workspace.trust.startupPrompt": "never",
      }),
      ...options.settings,
    },
  });
  const machine = path.join(profile.serverData, "data", "Machine");
  await mkdir(machine, { recursive: true });
  await writeFile(path.join(machine, "settings.json"), JSON.stringify(options.machine ?? {}));
  await installVsix(host, profile, await packagedExtension());
  const workspace = path.join(profile.dir, "parcel-desk");
  await cp(path.join(ROOT, "test", "workspaces", "demo"), workspace, { recursive: true });
  await options.prepare?.(workspace);
  const env = { XDG_CACHE_HOME: path.join(profile.dir, "cache") };
  const server = await startServer(host, profile, { workspaceTrust: options.restricted === true, env });
  const { browser, page } = await launchBrowser(host);
  const workbench = new Workbench(page);
  const session: Session = {
    page,
    workbench,
    panel: new TriagePanel(workbench),
    workspace,
    async open(file) {
      const opened = file === undefined ? [] : [["openFile", server.uri(path.join(workspace, file))]];
      await page.goto(server.url(workspace, opened));
      await workbench.ready();
    },
    async log() {
      const file = path.join(workspace, ".skeptical-triage", "triage-log.jsonl");
      return existsSync(file) ? (await readFile(file, "utf8")).trim().split("\n").map(parseRecord) : [];
    },
    async screenshot(name) {
      await mkdir(ARTIFACTS, { recursive: true });
      await page.screenshot({ path: path.join(ARTIFACTS, `${name}.png`) });
    },
    async keepFailure(test) {
      if (!(test instanceof Object) || !("passed" in test) || test.passed === true) return;
      const name = "name" in test ? String(test.name).slice(0, 60).replaceAll(/\W+/g, "-") : "test";
      await session.screenshot(`failed-${name}`);
    },
    async close() {
      await browser.close();
      await server.stop();
      profile.dispose();
    },
  };
  try {
    await session.open(options.file);
    return session;
  } catch (error) {
    await session.screenshot("start-failure").catch(() => undefined);
    await session.close();
    throw error;
  }
}

/** The test script names the package it made; without one any package in the root is taken. */
async function packagedExtension(): Promise<string> {
  const named = process.env["SKEPTICAL_TRIAGE_VSIX"];
  if (named !== undefined) return named;
  const found = (await readdir(ROOT)).find((name) => /^skeptical-triage-.*\.vsix$/.test(name));
  if (found === undefined) throw new Error("no package found: run `npm run package` first");
  return path.join(ROOT, found);
}

function parseRecord(line: string): LogRecord {
  return JSON.parse(line);
}
