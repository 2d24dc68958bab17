import * as vscode from "vscode";
import { SHOW_ALL } from "../protocol/query.ts";
import type { FindingRow } from "../protocol/worker.ts";
import type { FindingsStore } from "./findingsStore.ts";

const EVERYTHING = { ...SHOW_ALL, dismissed: true, suppressed: true };

/** What `take` makes of the listed findings of one file, whatever the filter says; at most `most`. */
export async function rowsOfFile<T>(
  store: FindingsStore,
  uri: vscode.Uri,
  take: (row: FindingRow) => T | null,
  most: number,
): Promise<readonly T[]> {
  // In a window with several folders, two files may have the same path below theirs.
  const group = vscode.workspace.asRelativePath(uri, false);
  const here = ({ absolute }: FindingRow): boolean =>
    absolute !== null && vscode.Uri.file(absolute).fsPath === uri.fsPath;
  const of = { query: EVERYTHING, groupBy: "file", group } as const;
  return (await store.gather(of, (row) => (here(row) ? take(row) : null), most)).taken;
}
