import type { CancellationToken } from "vscode";
import type { Choice } from "./asker.ts";

/** The person went one step back. */
export const BACK: unique symbol = Symbol("back");
export type Back = typeof BACK;

interface Step {
  readonly title: string;
  /** 1-based. */
  readonly step: number;
}

export interface PickStep<T> extends Step {
  /** What is asked, above the list. */
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
}

export interface InputStep extends Step {
  readonly prompt: string;
  readonly password: boolean;
  readonly value: string;
  /** Why a text cannot be accepted; null where it can. */
  readonly problem: (text: string) => string | null;
}

/** Questions in a row, with a way back from all but the first. `undefined`: the person left. Tests put answers in its place. */
export interface Steps {
  pick<T>(step: PickStep<T>): Promise<T | Back | undefined>;
  input(step: InputStep): Promise<string | Back | undefined>;
  /** Shows that something is being done; undefined where the person cancelled it. */
  wait<T>(title: string, work: (token: CancellationToken) => Promise<T>): Promise<T | undefined>;
}
