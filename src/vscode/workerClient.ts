import * as vscode from "vscode";
import * as checkers from "../protocol/checkers.ts";
import type { AskLanguageResult } from "../protocol/language.ts";
import * as query from "../protocol/query.ts";
import * as wire from "../protocol/worker.ts";
import type { Session, WorkerState } from "./workerLife.ts";
import { WorkerLife } from "./workerLife.ts";

type Send = Session["notify"];

export interface WorkerPorts {
  readonly log: vscode.LogOutputChannel;
  /** Starts one worker process. */
  launch(events: WorkerEvents, closed: () => void): Promise<Session>;
  /** Sends what a fresh worker must know before it answers anything: keys, diagnostics. */
  greet(send: Send): Promise<void>;
  askConsent(params: wire.AskConsentParams): Promise<wire.AskConsentResult>;
  /** What the editor's language servers say; the question is parsed there. */
  askLanguage(params: unknown, token: vscode.CancellationToken): Promise<AskLanguageResult>;
  /** The worker was given up: tell the person. */
  gaveUp(): void;
}

/** What the worker sends by itself: four notifications and two requests. The worker is our own program of the same build, so types suffice. */
export interface WorkerEvents {
  findingsChanged(params: wire.FindingsChangedParams): void;
  stateChanged(params: wire.StateChangedParams): void;
  runProgress(params: wire.RunProgressParams): void;
  runFinished(params: wire.RunFinishedParams): void;
  askConsent(params: wire.AskConsentParams): Promise<wire.AskConsentResult>;
  askLanguage(params: unknown, token: vscode.CancellationToken): Promise<AskLanguageResult>;
}

/**
 * The background worker as the extension sees it: a method for each message. Every request starts the worker where it
 * does not run, and rejects with `WorkerDown` where it cannot answer.
 */
export class WorkerClient implements vscode.Disposable {
  readonly #ports: WorkerPorts;
  readonly #life: WorkerLife;
  readonly #state = new vscode.EventEmitter<WorkerState>();
  readonly #findings = new vscode.EventEmitter<wire.FindingsChangedParams>();
  readonly #panel = new vscode.EventEmitter<wire.StateChangedParams>();
  readonly #progress = new vscode.EventEmitter<wire.RunProgressParams>();
  readonly #finished = new vscode.EventEmitter<wire.RunFinishedParams>();
  /** Sent again to each new process. */
  #shown: string | null = null;

  readonly onDidChangeState = this.#state.event;
  readonly onFindingsChanged = this.#findings.event;
  readonly onStateChanged = this.#panel.event;
  readonly onRunProgress = this.#progress.event;
  readonly onRunFinished = this.#finished.event;

  constructor(ports: WorkerPorts) {
    this.#ports = ports;
    this.#life = new WorkerLife({
      launch: (closed) => this.#launch(closed),
      now: () => Date.now(),
      wait: pause,
      onNote: (text) => ports.log.warn(text),
      onState: (state) => {
        this.#state.fire(state);
        if (state === "down") ports.gaveUp();
      },
    });
  }

  get state(): WorkerState {
    return this.#life.state;
  }

  /** Resolves when the worker runs and has been greeted. */
  async start(): Promise<void> {
    await this.#life.session();
  }

  async restart(): Promise<void> {
    this.#ports.log.info("The worker is restarted.");
    await this.#life.restart();
  }

  async stop(): Promise<void> {
    await this.#life.stop();
  }

  /** Process id of the running worker; null where none runs. */
  async pid(): Promise<number | null> {
    return this.state === "running" ? (await this.#life.session()).pid : null;
  }

  /** Sends a notification to a running worker; without one nothing is lost, since a new worker is greeted. */
  async tell(method: string, params: unknown): Promise<void> {
    if (this.state === "running") await (await this.#life.session()).notify(method, params);
  }

  openReview(params: wire.OpenReviewParams): Promise<wire.OpenReviewResult> {
    return this.#ask(wire.openReview, params);
  }

  listGroups(params: query.ListGroupsParams): Promise<query.ListGroupsResult> {
    return this.#ask(query.listGroups, params);
  }

  listRows(params: query.ListRowsParams): Promise<query.ListRowsResult> {
    return this.#ask(query.listRows, params);
  }

  nextFinding(params: query.NextFindingParams): Promise<query.NextFindingResult> {
    return this.#ask(query.nextFinding, params);
  }

  suggestRoots(params: wire.SuggestRootsParams): Promise<wire.SuggestRootsResult> {
    return this.#ask(wire.suggestRoots, params);
  }

  findingsAt(params: wire.FindingsAtParams): Promise<wire.FindingsAtResult> {
    return this.#ask(wire.findingsAt, params);
  }

  runTriage(params: wire.RunTriageParams): Promise<wire.RunTriageResult> {
    return this.#ask(wire.runTriage, params);
  }

  estimateRun(params: wire.RunTriageParams): Promise<wire.EstimateRunResult> {
    return this.#ask(wire.estimateRun, params);
  }

  async cancelTriage(params: wire.CancelTriageParams): Promise<void> {
    await this.#ask(wire.cancelTriage, params);
  }

  panelState(params: wire.PanelStateParams): Promise<wire.PanelStateResult> {
    return this.#ask(wire.panelState, params);
  }

  decide(params: wire.DecideParams): Promise<wire.DecideResult> {
    return this.#ask(wire.decide, params);
  }

  rebut(params: wire.RebutParams): Promise<wire.RebutResult> {
    return this.#ask(wire.rebut, params);
  }

  acceptLine(params: checkers.AcceptLineParams): Promise<checkers.AcceptLineResult> {
    return this.#ask(checkers.acceptLine, params);
  }

  async stopLine(params: checkers.StopLineParams): Promise<void> {
    await this.#ask(checkers.stopLine, params);
  }

  listCheckers(): Promise<checkers.ListCheckersResult> {
    return this.#ask(checkers.listCheckers, {});
  }

  acceptedLines(): Promise<checkers.AcceptedLinesResult> {
    return this.#ask(checkers.acceptedLines, {});
  }

  revokeLine(params: checkers.RevokeLineParams): Promise<checkers.RevokeLineResult> {
    return this.#ask(checkers.revokeLine, params);
  }

  verifyLog(): Promise<wire.VerifyLogResult> {
    return this.#ask(wire.verifyLog, {});
  }

  logPlace(params: wire.LogPlaceParams): Promise<wire.LogPlaceResult> {
    return this.#ask(wire.logPlace, params);
  }

  async panelShows(key: string | null): Promise<void> {
    this.#shown = key;
    await this.tell(wire.panelShows, { key } satisfies wire.PanelShowsParams);
  }

  dispose(): void {
    for (const emitter of [this.#state, this.#findings, this.#panel, this.#progress, this.#finished]) emitter.dispose();
  }

  async #ask<R>(method: string, params: unknown): Promise<R> {
    return await (await this.#life.session()).request<R>(method, params);
  }

  async #launch(closed: () => void): Promise<Session> {
    const session = await this.#ports.launch(this.#events(), closed);
    const send: Send = (method, params) => session.notify(method, params);
    await this.#ports.greet(send);
    if (this.#shown !== null) await send(wire.panelShows, { key: this.#shown } satisfies wire.PanelShowsParams);
    return session;
  }

  #events(): WorkerEvents {
    return {
      findingsChanged: (params) => this.#findings.fire(params),
      stateChanged: (params) => this.#panel.fire(params),
      runProgress: (params) => this.#progress.fire(params),
      runFinished: (params) => this.#finished.fire(params),
      askConsent: (params) => this.#ports.askConsent(params),
      askLanguage: (params, token) => this.#ports.askLanguage(params, token),
    };
  }
}

/** Resolves after a time, or at once when aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
