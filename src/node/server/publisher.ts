import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver";
import type { Entry } from "../engine/entry.ts";
import { diagnosticsOf } from "./editorSurfaces.ts";

/** What was last published for a file. */
interface Published {
  readonly uri: string;
  readonly entries: readonly Entry[];
  /** The diagnostics as JSON. */
  readonly text: string;
}

/** A finding with the absolute folder that its place is relative to. */
interface Located {
  readonly root: string;
  readonly entry: Entry;
}

/**
 * Publishes diagnostics file by file, and only where they differ from what stands there: the same again would only wake
 * everyone who listens to diagnostics. A file whose entries are the same objects as before is not looked at, because
 * entries are replaced and never changed.
 */
export function createPublisher(
  send: (uri: string, diagnostics: Diagnostic[]) => void,
): (findings: Iterable<Located>) => void {
  const published = new Map<string, Published>();
  return (findings) => {
    const byFile = new Map<string, Entry[]>();
    for (const { root, entry } of findings) {
      const { file } = entry.finding.place;
      if (file === null) continue;
      const path = `${root}/${file}`;
      const there = byFile.get(path);
      if (there === undefined) byFile.set(path, [entry]);
      else there.push(entry);
    }
    for (const [path, { uri }] of published) {
      if (byFile.has(path)) continue;
      published.delete(path);
      send(uri, []);
    }
    for (const [path, entries] of byFile) {
      const known = published.get(path);
      if (known !== undefined && sameObjects(known.entries, entries)) continue;
      const uri = known?.uri ?? pathToFileURL(path).href;
      const diagnostics = diagnosticsOf(entries);
      const text = JSON.stringify(diagnostics);
      published.set(path, { uri, entries, text });
      if (known?.text !== text) send(uri, diagnostics);
    }
  };
}

function sameObjects(left: readonly Entry[], right: readonly Entry[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}
