import { resolve } from "node:path";
import { collectFindings } from "../../core/collect.ts";
import type { Finding, ReviewReading, Unread } from "../../core/finding.ts";
import type { DiagnosticInput } from "../../core/intake/diagnostic.ts";
import { fromDiagnostic } from "../../core/intake/diagnostic.ts";
import type { Hash, Repository } from "../../core/ports.ts";
import type { SeverityMap } from "../../core/severity.ts";
import { workspaceRelative } from "../paths.ts";
import type { SarifDetails } from "./largeSarif.ts";
import { readReviewFile } from "./reviewFiles.ts";

/** `source.path` of findings that come from the editor's live diagnostics. */
export const EDITOR = "editor";

/** What one review file gave. */
export interface Loaded {
  readonly name: string;
  readonly format: string;
  readonly unread: number;
  /** Why nothing could be read; null where the file was read. */
  readonly problem: string | null;
}

/** The sources of findings of one workspace folder: review files and the editor's diagnostics. */
export interface FindingSources {
  /** `onPart` is called when a large log has its first findings: they can be shown, and will be replaced. */
  load(file: string, onPart: () => Promise<void>): Promise<Loaded>;
  /** A finding with what its large log left out; null where nothing was left out or the log changed. */
  whole(finding: Finding): Promise<Finding | null>;
  drop(name: string): boolean;
  setDiagnostics(file: string, diagnostics: readonly DiagnosticInput[]): boolean;
  /** Review files that were read, workspace-relative where inside. */
  reviews(): readonly string[];
  /** All findings of all sources, placed, keyed and clustered. */
  collect(): Promise<{ readonly findings: readonly Finding[]; readonly unread: readonly Unread[] }>;
}

/** Keeps what was read of every source and joins it on request. */
export function createSources(
  root: string,
  repository: Repository,
  hash: Hash,
  severityMap: () => SeverityMap,
): FindingSources {
  const readings = new Map<string, ReviewReading>();
  const details = new Map<string, SarifDetails>();
  const problems = new Map<string, Unread>();
  const diagnostics = new Map<string, ReviewReading>();
  return {
    async load(file, onPart) {
      let parts: Promise<void> = Promise.resolve();
      const name = workspaceRelative(root, resolve(root, file)) ?? file;
      const read = await readReviewFile(root, file, severityMap(), (reading) => {
        readings.set(name, reading);
        parts = onPart();
      });
      await parts;
      if (read.kind === "unreadable") {
        readings.delete(read.name);
        problems.set(read.name, problemRow(read.name, read.why));
        return { name: read.name, format: "none", unread: 1, problem: read.why };
      }
      problems.delete(read.name);
      readings.set(read.name, read.reading);
      if (read.details === null) details.delete(read.name);
      else details.set(read.name, read.details);
      return { name: read.name, format: read.reading.format, unread: read.reading.unread.length, problem: null };
    },
    async whole(finding) {
      const claimed = (await details.get(finding.source.path)?.read(finding.source.pointer)) ?? null;
      if (claimed === null) return null;
      const { flows, related, extra } = claimed;
      return { ...finding, flows, related, extra };
    },
    drop(name) {
      details.delete(name);
      const known = readings.delete(name);
      return problems.delete(name) || known;
    },
    setDiagnostics(file, list) {
      const before = diagnostics.get(file)?.claimed.length ?? 0;
      if (list.length === 0) return diagnostics.delete(file) && before > 0;
      const claimed = list.map((diagnostic) => fromDiagnostic(diagnostic, file, severityMap()));
      diagnostics.set(file, { format: EDITOR, claimed, unread: [], revision: null });
      return true;
    },
    reviews: () => [...readings.keys(), ...problems.keys()],
    async collect() {
      const sources = [...readings].map(([path, reading]) => ({ path, reading }));
      for (const reading of diagnostics.values()) sources.push({ path: EDITOR, reading });
      const { findings, unread } = await collectFindings(sources, repository, hash, { root });
      return { findings, unread: [...unread, ...problems.values()] };
    },
  };
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
