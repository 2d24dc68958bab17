import path from "node:path";
import type { Method } from "../../core/method.ts";
import type { Terms } from "../../core/policy.ts";
import type { SourceRoots } from "../../core/sourceRoots.ts";
import type { Untouchable } from "../../protocol/worker.ts";
import { METHOD_OPTIONS, readMethod, readUntouchable } from "./methodArguments.ts";
import { oneOf, readPromptFiles, type Values, wholeNumber, type Wrong, wrong } from "./options.ts";

export const TRIAGE_FORMATS = ["text", "jsonl", "md", "sarif"] as const;
export type TriageFormat = (typeof TRIAGE_FORMATS)[number];

export interface TriageCommand {
  readonly kind: "triage";
  readonly files: readonly string[];
  readonly workspace: string;
  readonly roots: SourceRoots;
  /** `built-in`, `replay:FILE` or the base URL of a server. */
  readonly model: string;
  readonly modelName: string | null;
  readonly record: string | null;
  /** A person's own prompt files by id, absolute. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly all: boolean;
  readonly mostFindings: number | null;
  /** Tokens the run may spend; null: no limit. */
  readonly budgetTokens: number | null;
  /** `p0-only`: P1 is judged with `--all` only (R0.7). */
  readonly costMode: Terms["costMode"];
  /** Everybody is asked anew, whatever was answered before. */
  readonly fresh: boolean;
  /** One call of the arbiter for several independent findings (C11). */
  readonly batchArbiter: boolean;
  /** How findings are judged. */
  readonly method: Method;
  /** What the program never closes alone. */
  readonly untouchable: Untouchable;
  readonly format: TriageFormat;
  readonly out: string | null;
  readonly log: boolean;
  /** Null: no checker is started. The command line has no trust prompt, so it is asked for. */
  readonly checkers: {
    /** Lines accepted to the letter for this run, with `remember` until revoked. */
    readonly accept: readonly string[];
    readonly remember: boolean;
  } | null;
}

/** Every option of `triage`. */
export const TRIAGE_OPTIONS = [
  "workspace",
  "map",
  "format",
  "model",
  "model-name",
  "record",
  "all",
  "max-findings",
  "budget-tokens",
  "cost-mode",
  "fresh",
  "prompt",
  "batch-arbiter",
  "out",
  "no-log",
  "allow-checkers",
  "accept",
  "remember",
  ...METHOD_OPTIONS,
] as const satisfies readonly (keyof Values)[];

/** Reads everything of `triage` but its source roots. */
export function readTriage(
  files: readonly string[],
  workspace: string,
  values: Values,
): Omit<TriageCommand, "roots"> | Wrong {
  const format = oneOf(TRIAGE_FORMATS, values.format);
  if (format === null) return wrong(`--format is one of ${TRIAGE_FORMATS.join(", ")}.`);
  const most = values["max-findings"];
  if (most !== undefined && !/^[1-9]\d*$/.test(most)) return wrong("--max-findings takes a whole number from 1.");
  const budget = values["budget-tokens"];
  const budgetTokens = budget === undefined ? null : wholeNumber(budget, 1, 999_999_999);
  if (budget !== undefined && budgetTokens === null) return wrong("--budget-tokens takes a whole number from 1.");
  const costMode = oneOf(["normal", "p0-only"], values["cost-mode"]);
  if (costMode === null) return wrong("--cost-mode is normal or p0-only.");
  const model = values.model ?? "built-in";
  if (model !== "built-in" && !model.startsWith("replay:") && !/^https?:\/\//.test(model)) {
    return wrong("--model is built-in, replay:FILE, or the base URL of a server (http:// or https://).");
  }
  const accept = values.accept ?? [];
  if (accept.length > 0 && values["allow-checkers"] !== true) return wrong("--accept needs --allow-checkers.");
  if (values.remember === true && accept.length === 0) return wrong("--remember needs --accept.");
  const modelName = values["model-name"] ?? null;
  if (/^https?:/.test(model) && modelName === null) return wrong("--model URL needs --model-name.");
  const method = readMethod(values);
  if ("kind" in method) return method;
  const untouchable = readUntouchable(values.untouchable ?? []);
  if (typeof untouchable === "string") return wrong(untouchable);
  const prompts = readPromptFiles(values.prompt ?? [], (file) => path.resolve(file));
  if (typeof prompts === "string") return wrong(prompts);
  return {
    kind: "triage",
    files,
    workspace,
    model,
    modelName,
    record: values.record ?? null,
    prompts,
    all: values.all ?? false,
    method,
    untouchable,
    mostFindings: most === undefined ? null : Number(most),
    budgetTokens,
    costMode,
    fresh: values.fresh ?? false,
    batchArbiter: values["batch-arbiter"] ?? false,
    format,
    out: values.out ?? null,
    log: values["no-log"] !== true,
    checkers: values["allow-checkers"] === true ? { accept, remember: values.remember ?? false } : null,
  };
}
