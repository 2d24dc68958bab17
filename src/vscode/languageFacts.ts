import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CancellationToken } from "vscode";
import { AskLanguageParams, type AskLanguageResult, LANGUAGE_LIMITS } from "../protocol/language.ts";
import { callItems, callersIn, hoverTexts, isBelow, placesIn, problemsAt, type Reading } from "./languageReading.ts";

/** What is used of the editor; paths are absolute, positions count as in the question. */
export interface LanguageHost {
  /** The open folders. */
  folders(): readonly string[];
  /** Loads a text without showing it, so that its language's extension starts. */
  open(file: string): Promise<void>;
  /** Asks all providers of one kind. What comes back is other extensions' word: any shape, any amount. */
  provide(command: ProviderCommand, file: string, line: number, column: number): Promise<unknown>;
  symbols(file: string): Promise<unknown>;
  incomingCalls(item: unknown): Promise<unknown>;
  /** Problems of other sources than ours. */
  diagnostics(file: string): readonly unknown[];
}

export type ProviderCommand =
  | "vscode.executeDefinitionProvider"
  | "vscode.executeReferenceProvider"
  | "vscode.executeImplementationProvider"
  | "vscode.prepareCallHierarchy"
  | "vscode.executeHoverProvider";

const PLACES = {
  definition: "vscode.executeDefinitionProvider",
  references: "vscode.executeReferenceProvider",
  implementations: "vscode.executeImplementationProvider",
} as const satisfies Partial<Record<AskLanguageParams["ask"], ProviderCommand>>;

type Token = Pick<CancellationToken, "isCancellationRequested" | "onCancellationRequested">;

/** How long a language that was not ready is not waited for again. */
const COOL_OFF_MS = 5000;
/** Longest wait before the second try. */
const PAUSE_MS = 1000;
/** Files over this are not loaded: their text would be copied to every extension that listens. */
const LARGEST_BYTES = 1_000_000;
/** Items of a call hierarchy that are followed: one place is one function, or its overloads. */
const MOST_ITEMS = 5;

/**
 * Answers the worker's questions to the editor's language servers. Reads only, opens no editor, leaves the folders never. Servers
 * that are starting answer with nothing (measured, stack.md section 3), so nothing counts as an answer only where the same file
 * has symbols by then; otherwise it is asked once more, and is unknown after that. Never rejects.
 */
export class LanguageFacts {
  readonly #host: LanguageHost;
  readonly #now: () => number;
  /** Until when a language, by its file extension, is not waited for. */
  readonly #notReady = new Map<string, number>();

  constructor(host: LanguageHost, now: () => number = () => performance.now()) {
    this.#host = host;
    this.#now = now;
  }

  async answer(given: unknown, token: Token): Promise<AskLanguageResult> {
    const parsed = AskLanguageParams.safeParse(given);
    if (!parsed.success) return unknown("The question was not understood.");
    const params = parsed.data;
    if (!(await this.#isInside(params.path))) return unknown("The file is in no open folder.");
    const size = await stat(params.path).then(
      (found) => found.size,
      () => Infinity,
    );
    if (size > LARGEST_BYTES) return unknown("The file is too large to be opened for this.");
    const language = path.extname(params.path);
    const patient = this.#now() >= (this.#notReady.get(language) ?? 0);
    const first = await this.#attempt(params, token);
    if (first.kind === "answered" || !patient || token.isCancellationRequested) return first;
    const end = this.#now() + Math.min(PAUSE_MS, params.deadlineMs);
    while (this.#now() < end && !token.isCancellationRequested) await delay(Math.min(50, params.deadlineMs));
    const second = token.isCancellationRequested ? first : await this.#attempt(params, token);
    if (second.kind === "unknown") this.#notReady.set(language, this.#now() + COOL_OFF_MS);
    return second;
  }

  /** One try, ended by its deadline or the token; what comes later is dropped. */
  async #attempt(params: AskLanguageParams, token: Token): Promise<AskLanguageResult> {
    const stopped = Promise.withResolvers<AskLanguageResult>();
    const timer = setTimeout(
      () => stopped.resolve(unknown("The language server did not answer in time.")),
      params.deadlineMs,
    );
    const heard = token.onCancellationRequested(() => stopped.resolve(unknown("It was cancelled.")));
    try {
      const asked = this.#ask(params).catch((error: unknown) =>
        unknown(`The language server failed: ${error instanceof Error ? error.message : String(error)}`),
      );
      return await Promise.race([stopped.promise, asked]);
    } finally {
      clearTimeout(timer);
      heard.dispose();
    }
  }

  async #ask(params: AskLanguageParams): Promise<AskLanguageResult> {
    await this.#host.open(params.path);
    const { places, texts, cut } = await this.#read(params);
    if (places.length === 0 && texts.length === 0) {
      const symbols = await this.#host.symbols(params.path);
      if (!Array.isArray(symbols) || symbols.length === 0)
        return unknown("No language server is ready for this file yet, or there is none.");
    }
    return { kind: "answered", places: [...places], texts: [...texts], cut };
  }

  async #read({ ask, path: file, line, column }: AskLanguageParams): Promise<Reading> {
    const host = this.#host;
    // Servers name files as they were opened, or by where they really are.
    const real = await Promise.all(host.folders().map((folder) => realpath(folder).catch(() => folder)));
    const folders = [...host.folders(), ...real];
    const provide = (command: ProviderCommand): Promise<unknown> => host.provide(command, file, line, column);
    if (ask === "diagnostics") return problemsAt(host.diagnostics(file), line, file);
    if (ask === "hover") return hoverTexts(await provide("vscode.executeHoverProvider"));
    if (ask !== "incomingCalls") return placesIn(await provide(PLACES[ask]), folders);
    const items = callItems(await provide("vscode.prepareCallHierarchy")).slice(0, MOST_ITEMS);
    return callersIn(await Promise.all(items.map((item) => host.incomingCalls(item))), folders);
  }

  /** By its words and, links resolved, by where it really is. */
  async #isInside(file: string): Promise<boolean> {
    if (!path.isAbsolute(file) || file.includes("\0") || path.normalize(file) !== file) return false;
    for (const folder of this.#host.folders()) {
      if (!isBelow(folder, file)) continue;
      const real = await Promise.all([folder, file].map((one) => realpath(one).catch(() => null)));
      const [realFolder, realFile] = real;
      if (realFolder != null && realFile != null && isBelow(realFolder, realFile)) return true;
    }
    return false;
  }
}

function unknown(why: string): AskLanguageResult {
  return { kind: "unknown", why: why.slice(0, LANGUAGE_LIMITS.why) };
}
