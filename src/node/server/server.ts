import {
  CodeLensRefreshRequest,
  type Connection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type InitializeError,
  type InitializeParams,
  type InitializeResult,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { pathToFileURL } from "node:url";
import * as wire from "../../protocol/worker.ts";
import { sha256 } from "../hash.ts";
import type { ProbeCache, ServerTraits } from "../models/serverTraits.ts";
import { loadPrompts } from "../prompts.ts";
import { createReviewer } from "../reviewers.ts";
import { chooseReviewer } from "./choice.ts";
import { diagnosticsOf, hoverAt, lensesOf } from "./editorSurfaces.ts";
import { type Folder, locate, pathOfUri } from "./folders.ts";
import { readOptions } from "./options.ts";
import { answerRequests, countsOf, type Desk, snapshotOf } from "./requests.ts";
import { createRuns } from "./runs.ts";
import { type OpenTexts, WorkerSession } from "./session.ts";
import { coalesce, gather } from "./signals.ts";

/** How long changes are collected before lenses, view and panel hear of them, in milliseconds. */
const LIST_DELAY_MS = 120;
const PANEL_DELAY_MS = 100;
const TYPING_DELAY_MS = 150;

/**
 * The background worker: a language server that owns findings, triage and log. Lenses, hovers and diagnostics go over
 * the standard protocol, the rest over the messages of `protocol/worker.ts`. Everything it starts ends with it.
 */
export function startServer(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  let opened: Opened | null = null;
  const worker = (): Opened => {
    if (opened === null) throw new ResponseError(-32002, "The worker has not been initialized yet.");
    return opened;
  };
  connection.onInitialize((params): InitializeResult | ResponseError<InitializeError> => {
    const read = readOptions(params.initializationOptions);
    if (read.kind === "wrong")
      return new ResponseError(-32602, `The start options do not fit: ${read.why}`, { retry: false });
    opened = openWorker(connection, documents, read.options, rootsOf(params));
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        codeLensProvider: { resolveProvider: false },
        hoverProvider: true,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
      serverInfo: { name: "skeptical-triage" },
    };
  });
  connection.onInitialized(() => worker().begin());
  connection.onShutdown(async () => await opened?.stop());
  connection.onDidChangeWatchedFiles(async ({ changes }) => {
    const { session, ready } = worker().desk;
    await ready;
    for (const { uri, type } of changes) {
      const absolute = pathOfUri(uri);
      if (absolute !== null) await session.fileChanged(absolute, type === FileChangeType.Deleted);
    }
  });
  serveEditor(connection, worker);
  answerRequests(connection, () => worker().desk);
  documents.listen(connection);
  connection.listen();
}

interface Opened {
  readonly desk: Desk;
  begin(): void;
  stop(): Promise<void>;
}

function openWorker(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  options: wire.InitializationOptions,
  roots: readonly string[],
): Opened {
  const texts = openTexts(documents);
  const log = logTo(connection);
  let shown: string | null = null;
  const published = new Set<string>();
  /** What was learnt about servers lives as long as the worker. */
  const probeCache: ProbeCache = new Map<string, ServerTraits>();
  const listChanged = coalesce(LIST_DELAY_MS, () => {
    void connection.sendNotification(wire.findingsChanged, countsOf(session));
    void connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
    publish(connection, session, published);
  });
  const panelChanged = coalesce(PANEL_DELAY_MS, () => {
    if (shown !== null) void sendState(connection, session, shown);
  });
  const session = new WorkerSession(options, texts, {
    changed: (key) => {
      listChanged.request();
      if (key === null || key === shown) panelChanged.request();
      if (key !== null) runs.moved(key);
    },
    log,
  });
  const runs = createRuns({
    session,
    reviewer: async (folder) => await reviewerFor(folder, session, connection, probeCache, log),
    progress: (params) => void connection.sendNotification(wire.runProgress, params),
    finished: (params) => void connection.sendNotification(wire.runFinished, params),
  });
  const typed = gather<string>(TYPING_DELAY_MS, (files) => {
    for (const file of files) void session.textChanged(file);
  });
  documents.onDidChangeContent(({ document }) => {
    const absolute = pathOfUri(document.uri);
    if (absolute !== null) typed.add(absolute);
  });
  documents.onDidClose(({ document }) => {
    const absolute = pathOfUri(document.uri);
    if (absolute !== null) typed.add(absolute);
  });
  const start = Promise.withResolvers<void>();
  return {
    desk: {
      session,
      runs,
      ready: start.promise,
      panelShows: (key) => {
        shown = key;
        panelChanged.request();
      },
    },
    begin: () => {
      void beginSession(connection, session, roots, log).finally(() => {
        start.resolve();
        if (session.settings.autoTriage) void runs.start({ kind: "open" });
      });
    },
    stop: async () => {
      for (const timer of [listChanged, panelChanged, typed]) timer.stop();
      await session.stop();
    },
  };
}

async function beginSession(
  connection: Connection,
  session: WorkerSession,
  roots: readonly string[],
  log: Log,
): Promise<void> {
  try {
    await session.open(roots);
    // Everything is watched: cited files count as much as review files, and both may change outside the editor.
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: "**/*" }] });
    connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
      for (const { uri } of removed) await session.close(pathOfUri(uri) ?? uri);
      await session.open(added.map(({ uri }) => pathOfUri(uri)).filter((root) => root !== null));
    });
  } catch (error) {
    log(
      "error",
      `The worker could not read the workspace: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

type Log = (level: "debug" | "info" | "warning" | "error", text: string) => void;

function logTo(connection: Connection): Log {
  return (level, text) => {
    if (level === "error") connection.console.error(text);
    else if (level === "warning") connection.console.warn(text);
    else if (level === "info") connection.console.info(text);
    else connection.console.debug(text);
  };
}

function openTexts(documents: TextDocuments<TextDocument>): OpenTexts {
  return {
    text: (absolute) =>
      documents.get(pathToFileURL(absolute).href)?.getText() ?? byPath(documents, absolute)?.getText(),
    files: () =>
      documents
        .all()
        .map(({ uri }) => pathOfUri(uri))
        .filter((absolute) => absolute !== null),
  };
}

/** Editors write URIs in more than one way (`%3A`, drive letters): the path decides. */
function byPath(documents: TextDocuments<TextDocument>, absolute: string): TextDocument | undefined {
  return documents.all().find(({ uri }) => pathOfUri(uri) === absolute);
}

function rootsOf(params: InitializeParams): string[] {
  const uris = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
  return uris.map(pathOfUri).filter((root) => root !== null);
}

async function reviewerFor(
  folder: Folder,
  session: WorkerSession,
  connection: Connection,
  probeCache: ProbeCache,
  log: Log,
) {
  const chosen = await chooseReviewer({
    settings: session.settings,
    trusted: session.options.trusted,
    keyOf: (origin) => session.keys.get(origin) ?? null,
    consent: async (origin, model) => {
      const answer = await connection.sendRequest<wire.AskConsentResult>(wire.askConsent, {
        origin,
        model,
      } satisfies wire.AskConsentParams);
      return answer.granted;
    },
  });
  if (chosen.kind === "refused") return { why: chosen.why };
  const reviewer = createReviewer(chosen.choice, {
    repository: folder.repository,
    mask: session.mask,
    hash: sha256,
    now: () => new Date(),
    prompts: loadPrompts(session.options.prompts),
    probeCache,
    idleTimeoutMs: session.settings.idleTimeoutSeconds * 1000,
    log: (level, text) => log(level === "warn" ? "warning" : level, text),
    record: null,
  });
  return { reviewer };
}

async function sendState(connection: Connection, session: WorkerSession, key: string): Promise<void> {
  const state = await snapshotOf(session, key);
  if (state !== null) await connection.sendNotification(wire.stateChanged, state);
}

function publish(connection: Connection, session: WorkerSession, published: Set<string>): void {
  const byUri = new Map<string, Parameters<typeof diagnosticsOf>[0][number][]>();
  for (const { folder, entry } of session.settings.publishDiagnostics ? session.entries() : []) {
    const { file } = entry.finding.place;
    if (file === null) continue;
    const uri = pathToFileURL(`${folder.root}/${file}`).href;
    byUri.set(uri, [...(byUri.get(uri) ?? []), entry]);
  }
  for (const uri of published) if (!byUri.has(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
  published.clear();
  for (const [uri, entries] of byUri) {
    published.add(uri);
    void connection.sendDiagnostics({ uri, diagnostics: diagnosticsOf(entries) });
  }
}

function serveEditor(connection: Connection, worker: () => Opened): void {
  const placeOf = async (uri: string) => {
    const { session, ready } = worker().desk;
    await ready;
    const absolute = pathOfUri(uri);
    return absolute === null ? null : locate(session.folders, absolute);
  };
  connection.onCodeLens(async ({ textDocument }) => {
    const found = await placeOf(textDocument.uri);
    return found === null || !worker().desk.session.settings.codeLens ? [] : lensesOf(found.folder.engine, found.file);
  });
  connection.onHover(async ({ textDocument, position }) => {
    const found = await placeOf(textDocument.uri);
    return found === null ? null : hoverAt(found.folder.engine, found.file, position.line + 1);
  });
}
