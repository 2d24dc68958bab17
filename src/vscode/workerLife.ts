import type { CancellationToken } from "vscode";
import { afterCrash } from "./crashes.ts";

/** The worker is not there to answer; the message is the sentence for the person. */
export class WorkerDown extends Error {
  override readonly name = "WorkerDown";
}

/** `idle`: never needed so far. `restarting`: crashed, comes back by itself. `down`: crashed too often, waits for a person. */
export type WorkerState = "idle" | "starting" | "running" | "restarting" | "down";

/** One run of the worker process, from start to end. */
export interface Session {
  /** Rejects with `WorkerDown` where the session ended before the answer came. */
  request<R>(method: string, params: unknown, token?: CancellationToken): Promise<R>;
  notify(method: string, params: unknown): Promise<void>;
  /** Ends the process; resolves when it was told to, never rejects. */
  stop(): Promise<void>;
  readonly pid: number | null;
}

export interface LifePorts {
  /** Starts a process and brings it up to date. Rejects where that fails; calls `closed` when it ends later, unasked. */
  launch(closed: () => void): Promise<Session>;
  now(): number;
  /** Resolves after a time, or at once when aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  onState(state: WorkerState): void;
  /** One line for the log. */
  onNote(text: string): void;
}

/** Keeps one session alive: starts it when first asked for, restarts it after a crash with a growing delay, gives up at the cap. */
export class WorkerLife {
  readonly #ports: LifePorts;
  #state: WorkerState = "idle";
  #session: Promise<Session> | null = null;
  #crashes: readonly number[] = [];
  /** Number of the current attempt; what an older one still reports is ignored. */
  #life = 0;
  #waiting = new AbortController();

  constructor(ports: LifePorts) {
    this.#ports = ports;
  }

  get state(): WorkerState {
    return this.#state;
  }

  /** The running session; starts one, or waits for the one that is coming up. Rejects with `WorkerDown` when given up. */
  session(): Promise<Session> {
    if (this.#state === "down") {
      return Promise.reject(new WorkerDown("The background worker is stopped because it crashed several times."));
    }
    this.#session ??= this.#begin("starting");
    return this.#session;
  }

  /** A person's restart, or a change of trust: forgets the crashes, ends what runs, starts anew. */
  async restart(): Promise<void> {
    await this.stop();
    await this.session();
  }

  /** Ends the worker and any wait for it; it starts again when next needed. */
  async stop(): Promise<void> {
    this.#life += 1;
    this.#crashes = [];
    this.#waiting.abort();
    this.#waiting = new AbortController();
    const session = this.#session;
    this.#session = null;
    this.#enter("idle");
    if (session === null) return;
    const running = await session.catch(() => null);
    await running?.stop();
  }

  #begin(state: "starting" | "restarting"): Promise<Session> {
    this.#life += 1;
    this.#enter(state);
    const attempt = this.#attempt(this.#life, 0);
    // Whoever asked hears of a failure; a restart by itself has nobody who asked.
    attempt.catch(() => undefined);
    return attempt;
  }

  async #attempt(life: number, delayMs: number): Promise<Session> {
    if (delayMs > 0) await this.#ports.wait(delayMs, this.#waiting.signal);
    if (life !== this.#life) throw new WorkerDown("The background worker was stopped while it started.");
    try {
      const session = await this.#ports.launch(() => this.#closed(life));
      if (life !== this.#life) {
        await session.stop();
        throw new WorkerDown("The background worker was stopped while it started.");
      }
      this.#enter("running");
      return session;
    } catch (error) {
      if (life !== this.#life) throw error;
      this.#ports.onNote(`The worker did not start: ${String(error)}`);
      return await this.#attempt(life, this.#crashed());
    }
  }

  #closed(life: number): void {
    if (life !== this.#life) return;
    this.#life += 1;
    this.#session = null;
    try {
      const delayMs = this.#crashed();
      this.#enter("restarting");
      const attempt = this.#attempt(this.#life, delayMs);
      attempt.catch(() => undefined);
      this.#session = attempt;
    } catch (error) {
      if (!(error instanceof WorkerDown)) throw error;
    }
  }

  /** Notes a crash and returns the delay before the next try; throws `WorkerDown` where there is none. */
  #crashed(): number {
    const next = afterCrash(this.#crashes, this.#ports.now());
    this.#crashes = next.crashes;
    if (next.kind === "restart") {
      this.#ports.onNote(`Crash ${next.crashes.length}; the worker is restarted in ${next.delayMs} ms.`);
      return next.delayMs;
    }
    this.#session = null;
    this.#enter("down");
    throw new WorkerDown(
      `The background worker crashed ${next.crashes.length} times within three minutes and is stopped.`,
    );
  }

  #enter(state: WorkerState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#ports.onState(state);
  }
}
