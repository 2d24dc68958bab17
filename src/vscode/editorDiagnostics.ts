import * as vscode from "vscode";
import type { DiagnosticsChangedParams, EditorDiagnostic } from "../protocol/worker.ts";
import { diagnosticsChanged } from "../protocol/worker.ts";
import { isOurs } from "./diagnosticSource.ts";

const DEBOUNCE_MS = 300;
/** Diagnostics of one document that go over in one message (ruling 30); the rest is named in the log. */
const MOST_PER_DOCUMENT = 2000;
const MOST_MESSAGE_CHARACTERS = 4000;

type Tell = (method: string, params: unknown) => Promise<void>;

/** The diagnostics of one document by sources other than ours. */
export function othersDiagnostics(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  if (uri.scheme !== "file") return [];
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => !isOurs(source));
}

/** Sends the diagnostics of files to the worker, debounced, as long as it runs; a worker that starts gets all of them. */
export class EditorDiagnostics implements vscode.Disposable {
  readonly #tell: Tell;
  readonly #log: vscode.LogOutputChannel;
  readonly #waiting = new Map<string, vscode.Uri>();
  /**
   * What the worker holds of each document, as it was sent. The editor also tells of our own diagnostics, which the worker
   * publishes anew after each message: what it knows already is not sent again, or the two would never come to rest.
   */
  readonly #sent = new Map<string, string>();
  readonly #heard: vscode.Disposable;
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: Tell, log: vscode.LogOutputChannel) {
    this.#tell = tell;
    this.#log = log;
    this.#heard = vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#changed(uris));
  }

  /** Brings a fresh worker up to date. */
  async greet(tell: Tell): Promise<void> {
    this.#sent.clear();
    this.#waiting.clear();
    for (const [uri] of vscode.languages.getDiagnostics()) await this.#send(uri, tell);
  }

  /** Sends what a document holds right now, before the worker is asked about it. */
  async flush(uri: vscode.Uri): Promise<void> {
    this.#waiting.delete(uri.toString());
    await this.#send(uri, this.#tell);
  }

  dispose(): void {
    this.#heard.dispose();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #changed(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) if (uri.scheme === "file") this.#waiting.set(uri.toString(), uri);
    if (this.#waiting.size === 0) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const due = [...this.#waiting.values()];
      this.#waiting.clear();
      void Promise.all(due.map((uri) => this.#send(uri, this.#tell)));
    }, DEBOUNCE_MS);
  }

  async #send(uri: vscode.Uri, tell: Tell): Promise<void> {
    const all = othersDiagnostics(uri);
    const id = uri.toString();
    const diagnostics = all.slice(0, MOST_PER_DOCUMENT).map(onTheWire);
    const now = diagnostics.length === 0 ? undefined : JSON.stringify(diagnostics);
    if (this.#sent.get(id) === now) return;
    if (now === undefined) this.#sent.delete(id);
    else this.#sent.set(id, now);
    if (all.length > MOST_PER_DOCUMENT) {
      this.#log.warn(`${uri.fsPath}: only the first ${MOST_PER_DOCUMENT} of ${all.length} diagnostics are taken in.`);
    }
    await tell(diagnosticsChanged, { uri: id, diagnostics } satisfies DiagnosticsChangedParams);
  }
}

const SEVERITY = {
  [vscode.DiagnosticSeverity.Error]: "error",
  [vscode.DiagnosticSeverity.Warning]: "warning",
  [vscode.DiagnosticSeverity.Information]: "information",
  [vscode.DiagnosticSeverity.Hint]: "hint",
} as const;

const TAG = {
  [vscode.DiagnosticTag.Unnecessary]: "unnecessary",
  [vscode.DiagnosticTag.Deprecated]: "deprecated",
} as const;

function onTheWire(diagnostic: vscode.Diagnostic): EditorDiagnostic {
  const { range, severity, source, code, message, tags, relatedInformation } = diagnostic;
  const value = typeof code === "object" ? code.value : code;
  return {
    range: { start: position(range.start), end: position(range.end) },
    severity: SEVERITY[severity],
    source: source ?? null,
    code: value === undefined ? null : String(value),
    codeHref: typeof code === "object" ? code.target.toString() : null,
    message: message.slice(0, MOST_MESSAGE_CHARACTERS),
    tags: (tags ?? []).map((tag) => TAG[tag]),
    related: (relatedInformation ?? []).slice(0, 20).map((related) => ({
      uri: related.location.uri.toString(),
      line: related.location.range.start.line,
      message: related.message.slice(0, MOST_MESSAGE_CHARACTERS),
    })),
  };
}

function position({ line, character }: vscode.Position): { line: number; character: number } {
  return { line, character };
}
