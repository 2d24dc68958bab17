import path from "node:path";
import picomatch from "picomatch";
import { createMask } from "../mask/mask.ts";
import type { InitializationOptions, WorkerSettings } from "../../protocol/worker.ts";
import { findReviewFiles } from "../engine/reviewFiles.ts";
import type { Entry } from "../engine/entry.ts";
import type { LanguageTransport } from "../language/languageServers.ts";
import { workspaceRelative } from "../paths.ts";
import { type Folder, locate, openFolder } from "./folders.ts";

/** What the session tells whoever speaks to the client, and asks it. */
export interface SessionEvents {
  readonly language: LanguageTransport;
  /** An entry changed, or with null the list. */
  readonly changed: (key: string | null) => void;
  readonly log: (level: "debug" | "info" | "warning" | "error", text: string) => void;
}

/** Text of open documents, by absolute path. */
export interface OpenTexts {
  text(absolute: string): string | undefined;
  files(): readonly string[];
}

/** All state of one worker: its folders with their engines, its settings and its keys. Knows no connection. */
export class WorkerSession {
  readonly options: InitializationOptions;
  readonly mask = createMask();
  readonly folders: Folder[] = [];
  /** Keys of servers by origin; in memory only, never logged. */
  readonly keys = new Map<string, string>();
  settings: WorkerSettings;
  readonly #texts: OpenTexts;
  readonly #events: SessionEvents;
  /** Review files opened by hand, absolute: they stay whatever the globs say. */
  readonly #byHand = new Set<string>();

  constructor(options: InitializationOptions, texts: OpenTexts, events: SessionEvents) {
    this.options = options;
    this.settings = options.settings;
    this.#texts = texts;
    this.#events = events;
  }

  /** Opens folders and reads their review files. */
  async open(roots: readonly string[]): Promise<void> {
    for (const root of roots) {
      const folder = await openFolder(root, {
        options: this.options,
        settings: () => this.settings,
        mask: this.mask,
        now: () => new Date(),
        liveText: (absolute) => this.#texts.text(absolute),
        liveFiles: () => this.#texts.files(),
        language: this.#events.language,
        changed: this.#events.changed,
        log: this.#events.log,
      });
      this.folders.push(folder);
      await this.#readAll(folder);
    }
  }

  async close(root: string): Promise<void> {
    const index = this.folders.findIndex((folder) => folder.root === root);
    const [folder] = index < 0 ? [] : this.folders.splice(index, 1);
    await folder?.engine.cancel(null);
    this.#events.changed(null);
  }

  /** Takes new settings over; review files are looked for again where their globs, the severity map or the source roots changed. */
  async change(settings: WorkerSettings): Promise<void> {
    const before = this.settings;
    this.settings = settings;
    const differs = (...names: (keyof WorkerSettings)[]): boolean =>
      names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(settings[name]));
    if (differs("promptFiles"))
      this.#events.log("info", "Prompts that you replace are read when the background worker starts: restart it.");
    if (differs("logLocation")) for (const folder of this.folders) await folder.engine.reread();
    if (differs("reviewFiles", "severityMap", "sourceRoots"))
      for (const folder of this.folders) await this.#readAll(folder);
    else this.#events.changed(null);
  }

  /** Reads a review file by hand. */
  async openReview(absolute: string) {
    const folder = locate(this.folders, absolute)?.folder ?? this.folders[0];
    if (folder === undefined) return null;
    this.#byHand.add(absolute);
    const [loaded] = await folder.engine.loadReviews([absolute]);
    return loaded === undefined ? null : { folder, loaded };
  }

  /** A file on disk was created, changed or deleted. */
  async fileChanged(absolute: string, deleted: boolean): Promise<void> {
    const found = locate(this.folders, absolute);
    if (found === null) {
      if (this.#byHand.has(absolute) && !deleted) await this.folders[0]?.engine.loadReviews([absolute]);
      return;
    }
    const { folder, file } = found;
    const wanted = deleted ? [] : folder.engine.reviewsMissing(path.basename(absolute));
    folder.repository.forget(file);
    if (absolute === folder.logPath()) return await folder.engine.reread();
    const isReview = this.#byHand.has(absolute) || picomatch.isMatch(file, [...this.settings.reviewFiles]);
    if (isReview && deleted) await folder.engine.dropReview(file);
    else if (isReview) await folder.engine.loadReviews([absolute]);
    if (wanted.length > 0) await folder.engine.loadReviews(wanted);
    await folder.engine.textChanged(file);
  }

  /** The text of an open document changed. */
  async textChanged(absolute: string): Promise<void> {
    const found = locate(this.folders, absolute);
    await found?.folder.engine.textChanged(found.file);
  }

  find(key: string): { folder: Folder; entry: Entry } | null {
    for (const folder of this.folders) {
      const entry = folder.engine.entry(key);
      if (entry !== undefined) return { folder, entry };
    }
    return null;
  }

  /** All findings of all folders, one after the other. */
  *entries(): Generator<{ folder: Folder; entry: Entry }> {
    for (const folder of this.folders) for (const entry of folder.engine.entries()) yield { folder, entry };
  }

  async stop(): Promise<void> {
    await Promise.all(this.folders.map((folder) => folder.engine.cancel(null)));
  }

  async #readAll(folder: Folder): Promise<void> {
    const found = await findReviewFiles(folder.root, this.settings.reviewFiles);
    const byHand = [...this.#byHand].filter((absolute) => locate(this.folders, absolute)?.folder === folder);
    const wanted = [...new Set([...found, ...byHand])];
    for (const name of folder.engine.reviews()) {
      if (!wanted.some((absolute) => (workspaceRelative(folder.root, absolute) ?? absolute) === name))
        await folder.engine.dropReview(name);
    }
    if (wanted.length === 0) return;
    const loaded = await folder.engine.loadReviews(wanted);
    for (const { name, format, problem } of loaded) {
      this.#events.log(problem === null ? "info" : "warning", `${name}: ${problem ?? `read as ${format}`}`);
    }
  }
}
