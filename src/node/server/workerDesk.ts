import type { TextDocuments } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { CodeLensRefreshRequest, type Connection, DidChangeWatchedFilesNotification } from "vscode-languageserver/node";
import { pathToFileURL } from "node:url";
import type { Reviewer } from "../../core/reviewer.ts";
import * as wire from "../../protocol/worker.ts";
import { sha256 } from "../hash.ts";
import { type CallQueues, createCallQueues } from "../models/callQueue.ts";
import type { EditorModels } from "../models/editorModel.ts";
import { openProbeFile, probeFilePath } from "../models/probeFile.ts";
import type { ProbeCache } from "../models/serverTraits.ts";
import { createReviewer, type ReviewerParts } from "../reviewers.ts";
import { chooseReviewer } from "./choice.ts";
import { createEditorModels } from "./editorModelTransport.ts";
import { answerEstimate } from "./estimate.ts";
import { type Folder, pathOfUri } from "./folders.ts";
import { createLanguageClient, type LanguageClient } from "./languageTransport.ts";
import { createPublisher } from "./publisher.ts";
import { countsOf, type Desk, snapshotOf } from "./requests.ts";
import { createLines, type Lines } from "./lines.ts";
import { createRuns, type RunLimits, type Runs, type RunWishes } from "./runs.ts";
import { type OpenTexts, WorkerSession } from "./session.ts";
import { FindingsIndex } from "./findingsIndex.ts";
import { coalesce, gather } from "./signals.ts";

/** How long changes are collected before lenses, view and panel hear of them, in milliseconds. */
const LIST_DELAY_MS = 120;
const PANEL_DELAY_MS = 100;
const TYPING_DELAY_MS = 150;

/** One initialized worker: its session, its runs, and what it tells the client by itself. */
export class WorkerDesk implements Desk {
  readonly session: WorkerSession;
  readonly runs: Runs;
  readonly lines: Lines;
  readonly index: FindingsIndex;
  readonly editorModels: EditorModels;
  /** What was learnt about servers, by this worker and by others before it. */
  readonly probeCache: ProbeCache = openProbeFile(probeFilePath(), () => new Date());
  readonly #connection: Connection;
  readonly #language: LanguageClient;
  readonly #roots: readonly string[];
  /** All folders share them. */
  readonly #queues: CallQueues = createCallQueues(
    () => this.session.settings.concurrency,
    () => new Date(),
  );
  readonly #publish = createPublisher(
    (uri, diagnostics) => void this.#connection.sendDiagnostics({ uri, diagnostics }),
  );
  readonly #list = coalesce(LIST_DELAY_MS, () => this.#tellList());
  readonly #panel = coalesce(PANEL_DELAY_MS, () => this.#tellPanel());
  readonly #typed = gather<string>(TYPING_DELAY_MS, (files) => {
    for (const file of files) this.hear(async () => await this.session.textChanged(file));
  });
  #shown: string | null = null;
  /** True when a review was read since the list was last told. */
  #rejoined = false;
  #started = Promise.withResolvers<void>();
  #heard: Promise<void> = this.#started.promise;

  constructor(
    connection: Connection,
    documents: TextDocuments<TextDocument>,
    options: wire.InitializationOptions,
    roots: readonly string[],
  ) {
    this.#connection = connection;
    this.#roots = roots;
    this.#language = createLanguageClient(connection, () => this.session.settings.languageServers);
    this.editorModels = createEditorModels(connection);
    this.session = new WorkerSession(options, openTexts(documents), {
      language: this.#language.transport,
      changed: (key) => this.#changed(key),
      log: (level, text) => this.#log(level, text),
    });
    this.index = new FindingsIndex(this.session);
    this.lines = createLines({
      session: this.session,
      triage: async (key) => (await this.runs.start({ kind: "keys", keys: [key] })).refused.map(({ why }) => why),
      changed: (key) => {
        if (key === this.#shown) this.#panel.request();
      },
    });
    this.runs = createRuns({
      session: this.session,
      reviewer: async (folder, limits, wishes) => await this.#reviewerFor(folder, limits, wishes),
      progress: (params) => void connection.sendNotification(wire.runProgress, params),
      finished: (params) => void connection.sendNotification(wire.runFinished, params),
    });
  }

  get ready(): Promise<void> {
    return this.#heard;
  }

  hear(work: () => Promise<void>): void {
    this.#heard = this.#heard.then(work).catch((error: unknown) => {
      this.#log("error", `A message could not be taken in: ${describe(error)}`);
    });
  }

  /** True while this triage itself wants a hover of the file from the editor, which asks us too. */
  asksHover(absolute: string): boolean {
    return this.#language.asksHover(absolute);
  }

  panelShows(key: string | null): void {
    this.#shown = key;
    this.#panel.request();
  }

  estimate(params: wire.RunTriageParams): wire.EstimateRunResult {
    return answerEstimate(this.session, params, this.#queues);
  }

  /** What the panel shows of a finding; evidence that is still being collected is told when it is there. */
  async snapshot(key: string): Promise<wire.PanelStateResult> {
    return await snapshotOf(this, key, () => {
      if (key === this.#shown) this.#panel.request();
    });
  }

  /** The text of an open document changed, or it was closed and the disk counts again. */
  typed(uri: string): void {
    const absolute = pathOfUri(uri);
    if (absolute !== null) this.#typed.add(absolute);
  }

  /** Opens the folders; requests wait until this is done. */
  async begin(): Promise<void> {
    try {
      await this.session.open(this.#roots);
      // Everything is watched: cited files count as much as review files, and both may change outside the editor.
      const watchers = [{ globPattern: "**/*" }];
      await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    } catch (error) {
      this.#log("error", `The worker could not read the workspace: ${describe(error)}`);
    }
    this.#started.resolve();
  }

  async stop(): Promise<void> {
    for (const timer of [this.#list, this.#panel, this.#typed]) timer.stop();
    await this.lines.stop(null);
    await this.session.stop();
  }

  #changed(key: string | null): void {
    this.#list.request();
    // The first findings of a large log are enough to answer: the rest comes while they are looked at.
    if (key === null) this.#started.resolve();
    if (key === null) this.index.listChanged();
    else this.index.entryChanged(key);
    if (key === null) this.#rejoined = true;
    if (key === null || key === this.#shown) this.#panel.request();
    if (key !== null) this.runs.moved(key);
    if (key !== null) this.lines.moved(key);
  }

  #tellList(): void {
    void this.#connection.sendNotification(wire.findingsChanged, countsOf(this.session));
    // A client without lenses refuses, and that is fine.
    void this.#connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
    const published = this.session.settings.publishDiagnostics ? this.session.entries() : [];
    this.#publish([...published].map(({ folder, entry }) => ({ root: folder.root, entry })));
    const auto = this.#rejoined && this.session.settings.autoTriage;
    this.#rejoined = false;
    if (auto) void this.runs.start({ kind: "open" }, "program");
  }

  #tellPanel(): void {
    const key = this.#shown;
    if (key === null) return;
    void this.snapshot(key).then(async (state) => {
      if (state !== null) await this.#connection.sendNotification(wire.stateChanged, state);
    });
  }

  async #reviewerFor(
    folder: Folder,
    limits: RunLimits,
    wishes: RunWishes,
  ): Promise<{ readonly reviewer: Reviewer } | { readonly why: string }> {
    const { settings, options, keys, mask } = this.session;
    const chosen = await chooseReviewer({
      settings,
      trusted: options.trusted,
      ...wishes,
      editorModels: async () => await this.editorModels.list(),
      keyOf: (origin) => keys.get(origin) ?? null,
      consent: async (origin, model) => {
        const asked: wire.AskConsentParams = { origin, model };
        return (await this.#connection.sendRequest<wire.AskConsentResult>(wire.askConsent, asked)).granted;
      },
    });
    if (chosen.kind === "refused") return { why: chosen.why };
    for (const note of chosen.notes) this.#log("warning", note);
    const parts: ReviewerParts = {
      repository: folder.repository,
      structures: folder.structures,
      mask,
      hash: sha256,
      now: () => new Date(),
      prompts: folder.prompts,
      probeCache: this.probeCache,
      editorModels: this.editorModels,
      queues: this.#queues,
      store: folder.store,
      ...limits,
      idleTimeoutMs: settings.idleTimeoutSeconds * 1000,
      log: (level, text) => this.#log(level === "warn" ? "warning" : level, text),
      batchArbiter: settings.batchArbiter,
      record: null,
    };
    return { reviewer: createReviewer(chosen.choice, parts, chosen.roles) };
  }

  #log(level: "debug" | "info" | "warning" | "error", text: string): void {
    const { console } = this.#connection;
    if (level === "error") console.error(text);
    else if (level === "warning") console.warn(text);
    else if (level === "info") console.info(text);
    else console.debug(text);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function openTexts(documents: TextDocuments<TextDocument>): OpenTexts {
  // Editors write one path as more than one URI (`%3A`, drive letters): where the plain form is not known, the path decides.
  const byPath = (absolute: string): TextDocument | undefined =>
    documents.all().find(({ uri }) => pathOfUri(uri) === absolute);
  return {
    // Asked for each look at a file, open or not.
    text: (absolute) =>
      documents.keys().length === 0
        ? undefined
        : (documents.get(pathToFileURL(absolute).href) ?? byPath(absolute))?.getText(),
    files: () =>
      documents
        .all()
        .map(({ uri }) => pathOfUri(uri))
        .filter((absolute) => absolute !== null),
  };
}
