import type { Browser, BrowserContext, Page } from "playwright-core";

/** Programs of the installed test host. */
export interface Host {
  readonly vscode: string;
  readonly node: string;
  readonly serverMain: string;
  readonly modules: string;
}

/** A temporary folder with server data, user settings and extensions of its own. */
export interface Profile {
  readonly dir: string;
  readonly serverData: string;
  readonly extensions: string;
  dispose(): void;
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly workspaceTrust?: boolean;
  readonly skipBuiltins?: readonly string[];
}

/** A running VS Code server; `stop` ends its whole process group. */
export interface Server {
  readonly pid: number;
  /** Address of the workbench with a folder; `payload` holds pairs such as `["openFile", uri]`. */
  url(folder: string, payload?: readonly (readonly string[])[]): string;
  uri(path: string): string;
  output(): string;
  stop(): Promise<void>;
}

export function locateHost(hostDir: string): Host;
export function makeProfile(options?: { settings?: Readonly<Record<string, unknown>>; keep?: boolean }): Profile;
export function installVsix(host: Host, profile: Profile, vsix: string): Promise<void>;
export function startServer(host: Host, profile: Profile, options?: ServerOptions): Promise<Server>;
export function launchBrowser(
  host: Host,
  options?: { viewport?: { width: number; height: number } },
): Promise<{ browser: Browser; context: BrowserContext; page: Page }>;
