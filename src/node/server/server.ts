import path from "node:path";
import {
  type Connection,
  FileChangeType,
  type InitializeError,
  type InitializeParams,
  type InitializeResult,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { hoverAt, lensesOf } from "./editorSurfaces.ts";
import { locate, pathOfUri } from "./folders.ts";
import { readOptions } from "./options.ts";
import { answerCheckers } from "./checkerRequests.ts";
import { answerModels } from "./modelRequests.ts";
import { answerRequests } from "./requests.ts";
import { WorkerDesk } from "./workerDesk.ts";

/**
 * The background worker: a language server that owns findings, triage and log. Lenses, hovers and diagnostics go over
 * the standard protocol, the rest over the messages of `protocol/worker.ts`. Everything it starts ends with it.
 */
export function startServer(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  let opened: WorkerDesk | null = null;
  const desk = (): WorkerDesk => {
    if (opened === null) throw new ResponseError(-32002, "The worker has not been initialized yet.");
    return opened;
  };
  connection.onInitialize((params): InitializeResult | ResponseError<InitializeError> => {
    const read = readOptions(params.initializationOptions);
    if (read.kind === "wrong") {
      return new ResponseError(-32602, `The start options do not fit: ${read.why}`, { retry: false });
    }
    opened = new WorkerDesk(connection, documents, read.options, rootsOf(params));
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
  connection.onInitialized(() => {
    hearFolders(connection, desk());
    void desk().begin();
  });
  connection.onShutdown(async () => await opened?.stop());
  documents.onDidChangeContent(({ document }) => opened?.typed(document.uri));
  documents.onDidClose(({ document }) => opened?.typed(document.uri));
  hearFiles(connection, desk);
  serveEditor(connection, desk);
  answerRequests(connection, desk);
  answerCheckers(connection, desk);
  answerModels(connection, desk);
  documents.listen(connection);
  connection.listen();
}

function rootsOf(params: InitializeParams): string[] {
  const uris = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
  return uris.map(pathOfUri).filter((root) => root !== null);
}

function hearFolders(connection: Connection, desk: WorkerDesk): void {
  connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
    desk.hear(async () => {
      for (const { uri } of removed) await desk.session.close(pathOfUri(uri) ?? uri);
      await desk.session.open(added.map(({ uri }) => pathOfUri(uri)).filter((root) => root !== null));
    });
  });
}

function hearFiles(connection: Connection, desk: () => WorkerDesk): void {
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const { session } = desk();
    desk().hear(async () => {
      for (const { uri, type } of changes) {
        const absolute = pathOfUri(uri);
        if (absolute !== null) await session.fileChanged(absolute, type === FileChangeType.Deleted);
      }
    });
  });
}

function serveEditor(connection: Connection, desk: () => WorkerDesk): void {
  const placeOf = async (uri: string) => {
    await desk().ready;
    const absolute = pathOfUri(uri);
    return absolute === null ? null : locate(desk().session.folders, absolute);
  };
  connection.onCodeLens(async ({ textDocument }) => {
    const found = await placeOf(textDocument.uri);
    return found === null || !desk().session.settings.codeLens
      ? []
      : lensesOf(found.folder.engine, found.file, textDocument.uri);
  });
  connection.onHover(async ({ textDocument, position }) => {
    const found = await placeOf(textDocument.uri);
    if (found === null || desk().asksHover(path.join(found.folder.root, found.file))) return null;
    return hoverAt(found.folder.engine, found.file, position.line + 1);
  });
}
