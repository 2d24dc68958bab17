import type { Claimed, Place } from "./finding.ts";
import { NO_SPAN } from "./finding.ts";
import { pathOfUri } from "./intake/uri.ts";
import type { PathIndex } from "./pathIndex.ts";
import { createPathIndex, isAbsolute, normalPath } from "./pathIndex.ts";
import { createPast, type Past } from "./past.ts";
import type { History, SourceText } from "./ports.ts";
import { BLANK_PRINT, printOf } from "./print.ts";
import type { OpenText } from "./settle.ts";
import { openText, settle } from "./settle.ts";
import { findQuote, quoteWeight } from "./quoteSearch.ts";
import { citedOf, createMapping, mappedFile } from "./sourceRoots.ts";
import type { CitedPath, MappedPath, SourceRoots } from "./sourceRoots.ts";
import { findSymbol, softQuotes, symbolsOf } from "./symbols.ts";

/** Places findings of one workspace. Reads each file once while findings come grouped by file. */
export interface Placer {
  /** Where a claim really stands; never rejects but for a failing repository, never refutes for a wrong line (claim classes 7-9). */
  readonly place: (claimed: Claimed) => Promise<Place>;
  /** Print of the lines of a place that was just found; `BLANK_PRINT` where it has none. */
  readonly print: (place: Place) => Promise<number>;
}

type Locate =
  | { readonly kind: "file"; readonly file: string; readonly text: OpenText | null; readonly note: string | null }
  | { readonly kind: "nowhere"; readonly status: "missing-file" | "none"; readonly note: string };

const OPEN_FILES = 48;
/** More files of one name than this are not read to find a witness. */
const WITNESS_FILES = 40;

/**
 * A placer over a list of workspace files. `readText` answers null for what is absent or not text; `root` is the workspace's absolute
 * path, where known, so that absolute paths into it are exact. `roots` say where cited paths lie here; they come before all else.
 * `history`, where there is one, knows renamed files and the lines that the change under review removed.
 */
export function createPlacer(
  files: readonly string[],
  readText: (file: string) => Promise<SourceText | null>,
  root: string | null = null,
  roots: SourceRoots = {},
  history?: History,
): Placer {
  const index = createPathIndex(files);
  const map = createMapping(roots);
  const open = rememberTexts(readText);
  const past = createPast(history);
  return {
    async print({ file, line, endLine }) {
      const text = file === null || line === null ? null : await open(file);
      return text === null || line === null ? BLANK_PRINT : printOf(text.lines, line, Math.max(line, endLine ?? line));
    },
    async place(claimed) {
      const located = (await mapped(claimed, index, open, map)) ?? (await locate(claimed, index, open, root, past));
      if (located.kind === "nowhere") {
        return { ...claimed.span, status: located.status, file: null, note: located.note, cited: claimed.span };
      }
      const { file, text } = located;
      if (text === null) return notText(claimed, file, located.note);
      const settled = await past.removed(file, claimed.quote, settle(claimed, text), text.lines.length);
      const status = located.note !== null && settled.status === "exact" ? "relocated" : settled.status;
      const notes = [located.note, settled.note].filter((part) => part !== null);
      const { line, endLine, column, endColumn } = settled.span;
      const note = notes.length === 0 ? null : notes.join(" ");
      return { line, endLine, column, endColumn, status, file, note, cited: settled.cited };
    },
  };
}

function notText(claimed: Claimed, file: string, note: string | null): Place {
  const reason = "The file is not text that can be read.";
  return {
    ...NO_SPAN,
    status: "file-level",
    file,
    note: note === null ? reason : `${note} ${reason}`,
    cited: claimed.span,
  };
}

/** Keeps the last texts open, so that grouped findings read a file once and memory stays bounded. */
function rememberTexts(
  readText: (file: string) => Promise<SourceText | null>,
): (file: string) => Promise<OpenText | null> {
  const kept = new Map<string, Promise<OpenText | null>>();
  return (file) => {
    const known = kept.get(file);
    if (known !== undefined) return known;
    const opened = readText(file).then((source) => (source === null ? null : openText(source)));
    kept.set(file, opened);
    const oldest = kept.keys().next();
    if (kept.size > OPEN_FILES && oldest.done !== true) kept.delete(oldest.value);
    return opened;
  };
}

/** Where the person's source roots lead, if there is a file; else the path is looked for as it is cited. */
async function mapped(
  claimed: Claimed,
  index: PathIndex,
  open: (file: string) => Promise<OpenText | null>,
  map: (cited: CitedPath) => MappedPath | null,
): Promise<Locate | null> {
  const cited = citedOf(claimed.path, claimed.extra);
  const to = cited === null ? null : map(cited);
  if (cited === null || to === null) return null;
  const listed = mappedFile(to.path, index);
  const file = listed ?? to.path;
  const text = await open(file);
  if (listed === null && text === null) return null;
  const same = normalPath(cited.path) === file;
  const note = same ? null : `${otherPath(cited.path, file)} The source root '${to.from}' is mapped to '${to.to}'.`;
  return { kind: "file", file, text, note };
}

async function locate(
  claimed: Claimed,
  index: PathIndex,
  open: (file: string) => Promise<OpenText | null>,
  root: string | null,
  past: Past,
): Promise<Locate> {
  if (claimed.path === null || claimed.path.trim() === "") {
    return { kind: "nowhere", status: "none", note: "The source names no file." };
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(claimed.path) && !/^file:/i.test(claimed.path)) {
    return { kind: "nowhere", status: "none", note: `The source names an address, not a file: ${claimed.path}` };
  }
  const cited = insideRoot(claimed, root);
  const found = index.find(cited);
  if (found.kind === "found") {
    return { kind: "file", file: found.file, text: await open(found.file), note: otherPath(cited, found.file) };
  }
  if (found.kind === "folder") return { kind: "nowhere", status: "none", note: `The source names a folder: ${cited}` };
  const ignored = await openIgnored(cited, open);
  if (ignored !== null) return ignored;
  const renamed = await past.renamed(normalPath(cited));
  if (renamed !== null)
    return { kind: "file", file: renamed, text: await open(renamed), note: `${cited} was renamed to ${renamed}.` };
  if (found.kind === "similar") return await witnessed(claimed, cited, found.files, open);
  return { kind: "nowhere", status: "missing-file", note: `No file ${cited} in this workspace.` };
}

/** Absolute paths into the workspace become relative to it; so does the absolute form a log gives beside a relative path. */
function insideRoot(claimed: Claimed, root: string | null): string {
  const path = pathOfUri(claimed.path ?? "");
  if (root === null) return path;
  const base = `${normalPath(root)}/`;
  for (const absolute of [claimed.extra["absolutePath"], path]) {
    if (typeof absolute !== "string" || !isAbsolute(absolute)) continue;
    const normal = normalPath(absolute);
    if (normal.toLowerCase().startsWith(base.toLowerCase())) return normal.slice(base.length);
  }
  return path;
}

/** Files that version control ignores are not listed but can be read: generated code, build output. */
async function openIgnored(cited: string, open: (file: string) => Promise<OpenText | null>): Promise<Locate | null> {
  const path = normalPath(cited);
  if (isAbsolute(path) || path === "" || path.startsWith("..")) return null;
  const text = await open(path);
  return text === null ? null : { kind: "file", file: path, text, note: otherPath(cited, path) };
}

/** Of several files of that name, the one that holds the quoted code or the named symbol; none where that is not exactly one. */
async function witnessed(
  claimed: Claimed,
  cited: string,
  files: readonly string[],
  open: (file: string) => Promise<OpenText | null>,
): Promise<Locate> {
  const holders: { file: string; text: OpenText }[] = [];
  const quotes = [claimed.quote, ...softQuotes(claimed)].filter((quote) => quote !== null && quoteWeight(quote) >= 8);
  const symbols = symbolsOf(claimed);
  for (const file of files.slice(0, WITNESS_FILES)) {
    const text = await open(file);
    if (text === null) continue;
    const byQuote = quotes.some((quote) => quote !== null && findQuote(text.folded(), quote, null) !== null);
    const named = quotes.length === 0 && symbols.some((symbol) => findSymbol(text.lines, [symbol]) !== null);
    if (byQuote || named) holders.push({ file, text });
  }
  const [only] = holders;
  if (only !== undefined && holders.length === 1 && files.length <= WITNESS_FILES) {
    return { kind: "file", file: only.file, text: only.text, note: otherPath(cited, only.file) };
  }
  const examples = files.slice(0, 3).join(", ");
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  return {
    kind: "nowhere",
    status: "missing-file",
    note: `No file ${cited} in this workspace; similar: ${examples}${more}.`,
  };
}

function otherPath(cited: string, file: string): string | null {
  return normalPath(cited) === file ? null : `The source names ${cited}; in this workspace that is ${file}.`;
}
