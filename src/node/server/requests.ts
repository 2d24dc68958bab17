import { join } from "node:path";
import { type Connection, RequestType } from "vscode-languageserver/node";
import * as query from "../../protocol/query.ts";
import * as wire from "../../protocol/worker.ts";
import { waitsForPerson } from "../engine/entry.ts";
import { EDITOR } from "../engine/findings.ts";
import { findRecord } from "../log/place.ts";
import { verifyLog } from "../log/readLog.ts";
import type { FindingsIndex } from "./findingsIndex.ts";
import { locate, pathOfUri } from "./folders.ts";
import { compareEntries, entriesAt, isListed, rowOf } from "./listing.ts";
import { readSettings } from "./options.ts";
import { rootsFor } from "./roots.ts";
import type { Lines } from "./lines.ts";
import type { Runs } from "./runs.ts";
import type { WorkerSession } from "./session.ts";
import { panelSnapshot } from "./snapshot.ts";

/** The worker as its custom messages see it. */
export interface Desk {
  readonly session: WorkerSession;
  readonly runs: Runs;
  readonly lines: Lines;
  readonly index: FindingsIndex;
  /** Resolves when the folders have been read and every notification that came before has been taken in. */
  readonly ready: Promise<void>;
  /** Takes a notification's work in, after what came before it. */
  hear(work: () => Promise<void>): void;
  panelShows(key: string | null): void;
  estimate(params: wire.RunTriageParams): wire.EstimateRunResult;
  /** What the panel shows of a finding; null where there is none. */
  snapshot(key: string): Promise<wire.PanelStateResult>;
}

/** Answers the custom messages of `protocol/worker.ts`. */
export function answerRequests(connection: Connection, desk: () => Desk): void {
  answerFindings(connection, desk);
  answerView(connection, desk);
  answerRoots(connection, desk);
  answerTriage(connection, desk);
  hearNotifications(connection, desk);
}

function answerFindings(connection: Connection, desk: () => Desk): void {
  connection.onRequest(wire.findingsAt, async (params: wire.FindingsAtParams): Promise<wire.FindingsAtResult> => {
    const { session, ready } = desk();
    await ready;
    const absolute = pathOfUri(params.uri);
    const found = absolute === null ? null : locate(session.folders, absolute);
    if (found === null) return { rows: [] };
    const { engine } = found.folder;
    return {
      rows: entriesAt(engine, found.file, params.line)
        .sort(compareEntries)
        .map((entry) => rowOf(entry, engine)),
    };
  });
  connection.onRequest(wire.panelState, async (params: wire.PanelStateParams): Promise<wire.PanelStateResult> => {
    await desk().ready;
    return await desk().snapshot(params.key);
  });
  connection.onRequest(wire.openReview, async (params: wire.OpenReviewParams): Promise<wire.OpenReviewResult> => {
    const { session, ready } = desk();
    await ready;
    const opened = await session.openReview(params.path);
    if (opened === null)
      return { path: params.path, format: "none", keys: [], unread: 0, problem: "No folder is open." };
    const { folder, loaded } = opened;
    const keys = folder.engine
      .entries()
      .filter(({ finding }) => finding.source.path === loaded.name)
      .map(({ finding }) => finding.key);
    return { path: params.path, format: loaded.format, keys, unread: loaded.unread, problem: loaded.problem };
  });
}

function answerView(connection: Connection, desk: () => Desk): void {
  connection.onRequest(query.listGroups, async (params: query.ListGroupsParams): Promise<query.ListGroupsResult> => {
    await desk().ready;
    return await desk().index.groups(params);
  });
  connection.onRequest(query.listRows, async (params: query.ListRowsParams): Promise<query.ListRowsResult> => {
    await desk().ready;
    return await desk().index.rows(params);
  });
  connection.onRequest(query.nextFinding, async (params: query.NextFindingParams): Promise<query.NextFindingResult> => {
    await desk().ready;
    return await desk().index.next(params);
  });
}

function answerRoots(connection: Connection, desk: () => Desk): void {
  connection.onRequest(wire.suggestRoots, async (params: wire.SuggestRootsParams): Promise<wire.SuggestRootsResult> => {
    await desk().ready;
    return await rootsFor(desk().session, params.tried);
  });
}

function answerTriage(connection: Connection, desk: () => Desk): void {
  connection.onRequest(wire.runTriage, async (params: wire.RunTriageParams): Promise<wire.RunTriageResult> => {
    const { runs, ready } = desk();
    await ready;
    return await runs.start(params);
  });
  connection.onRequest(wire.estimateRun, async (params: wire.RunTriageParams): Promise<wire.EstimateRunResult> => {
    await desk().ready;
    return desk().estimate(params);
  });
  connection.onRequest(wire.cancelTriage, async (params: wire.CancelTriageParams): Promise<null> => {
    await desk().runs.cancel(params.keys);
    return null;
  });
  connection.onRequest(new RequestType<wire.DecideParams, wire.DecideResult, void>(wire.decide), async (params) => {
    const { session, ready } = desk();
    await ready;
    const found = session.find(params.key);
    if (found === null) return { kind: "refused", why: "There is no such finding any more." };
    return await found.folder.engine.decide(params.key, params);
  });
  connection.onRequest(new RequestType<wire.RebutParams, wire.RebutResult, void>(wire.rebut), async (params) => {
    const { runs, ready } = desk();
    await ready;
    return await runs.rebut(params);
  });
  connection.onRequest(wire.verifyLog, async (): Promise<wire.VerifyLogResult> => {
    let records = 0;
    for (const folder of desk().session.folders) {
      const path = folder.logPath();
      const verified = await verifyLog(path);
      records += verified.records;
      if (verified.problem !== null)
        return { path, records, problem: `line ${verified.problem.line}: ${verified.problem.why}` };
    }
    return { path: desk().session.folders[0]?.logPath() ?? null, records, problem: null };
  });
  connection.onRequest(wire.logPlace, async (params: wire.LogPlaceParams): Promise<wire.LogPlaceResult> => {
    const { session } = desk();
    const folder = params.key === null ? session.folders[0] : session.find(params.key)?.folder;
    return folder === undefined ? null : await findRecord(folder.logPath(), params.key);
  });
}

function hearNotifications(connection: Connection, desk: () => Desk): void {
  connection.onNotification(wire.settingsChanged, (params: unknown) => {
    const read = readSettings(params);
    if (read.kind === "wrong") return connection.console.warn(`Settings were not taken over: ${read.why}`);
    desk().hear(async () => await desk().session.change(read.settings));
  });
  connection.onNotification(wire.keyChanged, (params: wire.KeyChangedParams) => {
    if (params.key === null) desk().session.keys.delete(params.origin);
    else desk().session.keys.set(params.origin, params.key);
  });
  connection.onNotification(wire.diagnosticsChanged, (params: wire.DiagnosticsChangedParams) => {
    const { session } = desk();
    desk().hear(async () => {
      const absolute = pathOfUri(params.uri);
      const found = absolute === null ? null : locate(session.folders, absolute);
      await found?.folder.engine.setDiagnostics(found.file, params.diagnostics);
    });
  });
  connection.onNotification(wire.panelShows, (params: wire.PanelShowsParams) => desk().panelShows(params.key));
}

/**
 * The panel's snapshot of a finding, read from its live text; null where there is no such finding. `packed` is called when
 * evidence that the snapshot still lacked has been collected.
 */
export async function snapshotOf(
  { session, lines }: Pick<Desk, "session" | "lines">,
  key: string,
  packed: () => void,
): Promise<wire.PanelStateResult> {
  const found = session.find(key);
  if (found === null) return null;
  const { folder, entry } = found;
  const { file } = entry.finding.place;
  const text = file === null ? null : await folder.repository.text(file);
  const whole = { ...entry, finding: await folder.engine.whole(entry.finding) };
  const { engine } = folder;
  const shown = panelSnapshot(whole, {
    engine,
    text,
    mask: session.mask,
    pack: engine.packOf(entry, packed),
    streak: folder.streak(),
    otherModel: otherModelOf(session.settings),
  });
  return { ...shown, ...(await lines.view(folder, whole)) };
}

/** Name of the model to ask instead of the usual one; null where none is set. */
function otherModelOf({ roles }: wire.WorkerSettings): string | null {
  const { fallback } = roles;
  if (fallback === undefined) return null;
  return "serverModel" in fallback ? fallback.serverModel : fallback.editorModel;
}

/** What `findingsChanged` tells: counts, and the files whose editor menus offer triage. */
export function countsOf(session: WorkerSession): wire.FindingsChangedParams {
  let [total, waiting, unplaced] = [0, 0, 0];
  const files = new Map<string, string>();
  for (const { entry, folder } of session.entries()) {
    if (!isListed(entry)) continue;
    total += 1;
    if (waitsForPerson(entry)) waiting += 1;
    const { place, source } = entry.finding;
    if (place.status === "missing-file" && source.path !== EDITOR) unplaced += 1;
    const id = `${folder.root}\0${place.file}`;
    if (place.file !== null && source.path !== EDITOR && !files.has(id)) files.set(id, join(folder.root, place.file));
  }
  return { total, waiting, unplaced, files: [...files.values()] };
}
