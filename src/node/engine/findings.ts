import { resolve } from "node:path";
import { type Joined, joinReviews, type PlacedReview, placeReview } from "../../core/collect.ts";
import type { Finding, HandedReading, Unread } from "../../core/finding.ts";
import type { DiagnosticInput } from "../../core/intake/diagnostic.ts";
import { fromDiagnostic } from "../../core/intake/diagnostic.ts";
import type { Hash, Repository } from "../../core/ports.ts";
import type { SeverityMap } from "../../core/severity.ts";
import { type CitedPath, citedOf, type SourceRoots } from "../../core/sourceRoots.ts";
import { workspaceRelative } from "../paths.ts";
import type { EngineOptions } from "./engineOptions.ts";
import type { SarifDetails } from "./largeSarif.ts";
import { readReviewFile } from "./reviewFiles.ts";

/** `source.path` of findings that come from the editor's live diagnostics. */
export const EDITOR = "editor";

/** Findings of a long review that are placed and shown before the rest is placed. */
const FIRST_PART = 1000;

/** What one review file gave. */
export interface Loaded {
  readonly name: string;
  readonly format: string;
  readonly unread: number;
  /** Why nothing could be read; null where the file was read. */
  readonly problem: string | null;
}

/**
 * The sources of findings of one workspace folder: review files and the editor's diagnostics. Each is placed once, when it
 * is read; joining them again costs next to nothing, so that a squiggle does not read 100,000 findings anew.
 */
export class FindingSources {
  readonly #root: string;
  readonly #repository: Repository;
  readonly #hash: Hash;
  readonly #severityMap: () => SeverityMap;
  readonly #sourceRoots: () => SourceRoots;
  readonly #reviews = new Map<string, PlacedReview>();
  /** Base names, in lower case, of the files that a review cites and the workspace lacks. */
  readonly #missing = new Map<string, ReadonlySet<string>>();
  readonly #details = new Map<string, SarifDetails>();
  readonly #problems = new Map<string, Unread>();
  readonly #diagnostics = new Map<string, PlacedReview>();

  constructor(options: Pick<EngineOptions, "root" | "repository" | "hash" | "severityMap" | "sourceRoots">) {
    this.#root = options.root;
    this.#repository = options.repository;
    this.#hash = options.hash;
    this.#severityMap = options.severityMap;
    this.#sourceRoots = options.sourceRoots;
  }

  /** Reads a review file. `onPart` is called when a large review has its first findings: they can be shown, and will be replaced. */
  async load(file: string, onPart: () => Promise<void>): Promise<Loaded> {
    const name = workspaceRelative(this.#root, resolve(this.#root, file)) ?? file;
    let part: Promise<void> = Promise.resolve();
    const read = await readReviewFile(this.#root, file, this.#severityMap(), (reading) => {
      part = this.#place(name, reading).then(onPart);
    });
    await part;
    if (read.kind === "unreadable") {
      this.drop(name);
      this.#problems.set(name, problemRow(name, read.why));
      return { name, format: "none", unread: 1, problem: read.why };
    }
    this.#problems.delete(name);
    const { claimed } = read.reading;
    if (read.details === null && claimed.length > FIRST_PART) {
      await this.#place(name, { ...read.reading, claimed: claimed.slice(0, FIRST_PART) });
      await onPart();
    }
    await this.#place(name, read.reading);
    if (read.details === null) this.#details.delete(name);
    else this.#details.set(name, read.details);
    return { name, format: read.reading.format, unread: read.reading.unread.length, problem: null };
  }

  /** The cited paths of the findings whose file the workspace lacks, one a finding. */
  unplaced(): readonly CitedPath[] {
    return [...this.#reviews.values()].flatMap(({ findings }) =>
      findings.flatMap(({ place, citedPath, extra }) =>
        place.status === "missing-file" ? (citedOf(citedPath, extra) ?? []) : [],
      ),
    );
  }

  /** Forgets a review file; false where it was not known. */
  drop(name: string): boolean {
    this.#details.delete(name);
    this.#missing.delete(name);
    const known = this.#reviews.delete(name);
    return this.#problems.delete(name) || known;
  }

  /** Takes the diagnostics of one file over; false where nothing changed. */
  async setDiagnostics(file: string, list: readonly DiagnosticInput[]): Promise<boolean> {
    if (list.length === 0) return this.#diagnostics.delete(file);
    const claimed = list.map((diagnostic) => fromDiagnostic(diagnostic, file, this.#severityMap()));
    const reading = { format: EDITOR, claimed, unread: [], revision: null };
    this.#diagnostics.set(file, await this.#placed(EDITOR, reading));
    return true;
  }

  /** Review files that were read or could not be, workspace-relative where inside. */
  names(): readonly string[] {
    return [...this.#reviews.keys(), ...this.#problems.keys()];
  }

  /** True where this workspace is shown to be the tree that a review speaks of (ruling 8). */
  readonly reviewedTree = ({ source }: Finding): boolean => this.#reviews.get(source.path)?.matches === true;

  /** Review files with a finding whose file was not found and bears this base name: a new file may be the one they mean. */
  missing(baseName: string): readonly string[] {
    return [...this.#missing].filter(([, names]) => names.has(baseName.toLowerCase())).map(([name]) => name);
  }

  /** A finding with what its large log left out; null where nothing was left out or the log changed since. */
  async whole(finding: Finding): Promise<Finding | null> {
    const claimed = (await this.#details.get(finding.source.path)?.read(finding.source.pointer)) ?? null;
    if (claimed === null) return null;
    const { flows, related, extra } = claimed;
    return { ...finding, flows, related, extra };
  }

  /** All findings of all sources, keyed and clustered together, and all that was not understood. */
  join(): { readonly joined: readonly Joined[]; readonly unread: readonly Unread[] } {
    const placed = [...this.#reviews.values(), ...this.#diagnostics.values()];
    const joined = joinReviews(placed);
    this.#keep(joined);
    return {
      joined,
      unread: [...placed.flatMap(({ unread }) => unread), ...this.#problems.values()],
    };
  }

  /** Puts joined findings where the placed ones stood: half a million of them are held once. */
  #keep(joined: readonly Joined[]): void {
    let from = 0;
    for (const sources of [this.#reviews, this.#diagnostics])
      for (const [name, review] of sources) {
        const to = from + review.findings.length;
        sources.set(name, { ...review, findings: joined.slice(from, to).map(({ finding }) => finding) });
        from = to;
      }
  }

  async #place(name: string, reading: HandedReading): Promise<void> {
    const placed = await this.#placed(name, reading);
    this.#reviews.set(name, placed);
    this.#missing.set(name, missingNames(placed.findings));
  }

  async #placed(path: string, reading: HandedReading): Promise<PlacedReview> {
    // The editor's own diagnostics already name files of this workspace.
    const roots = path === EDITOR ? {} : this.#sourceRoots();
    return await placeReview({ path, reading }, this.#repository, this.#hash, { root: this.#root, roots });
  }
}

function missingNames(findings: readonly Finding[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { place, citedPath } of findings) {
    const name = place.status === "missing-file" ? citedPath?.split(/[/\\]/).at(-1) : undefined;
    if (name !== undefined) names.add(name.toLowerCase());
  }
  return names;
}

function problemRow(path: string, why: string): Unread {
  return {
    path,
    line: null,
    pointer: null,
    text: "",
    reason: `The file could not be read: ${why}.`,
    severityWord: true,
  };
}
