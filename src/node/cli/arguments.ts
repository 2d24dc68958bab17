import { parseArgs } from "node:util";
import { isInside, type SourceRoots } from "../../core/sourceRoots.ts";
import { type ModelsCommand, readModels } from "./models.ts";

export const FINDINGS_FORMATS = ["text", "jsonl"] as const;
export const TRIAGE_FORMATS = ["text", "jsonl", "md", "sarif"] as const;
export type TriageFormat = (typeof TRIAGE_FORMATS)[number];

/** A command line, understood. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | {
      readonly kind: "findings";
      readonly files: readonly string[];
      readonly workspace: string;
      readonly roots: SourceRoots;
      readonly format: "text" | "jsonl";
    }
  | TriageCommand
  | ChecksCommand
  | ModelsCommand
  | { readonly kind: "log-verify"; readonly workspace: string }
  | {
      readonly kind: "gate";
      readonly action: "validate" | "scan";
      /** As it was given. */
      readonly file: string;
      /** Null where cited places are not looked up. */
      readonly workspace: string | null;
    }
  /** `exit` where a command has a code of its own for a wrong use. */
  | { readonly kind: "wrong"; readonly why: string; readonly exit?: number };

export interface TriageCommand {
  readonly kind: "triage";
  readonly files: readonly string[];
  readonly workspace: string;
  readonly roots: SourceRoots;
  /** `built-in`, `replay:FILE` or the base URL of a server. */
  readonly model: string;
  readonly modelName: string | null;
  readonly record: string | null;
  readonly all: boolean;
  readonly mostFindings: number | null;
  /** Tokens the run may spend; null: no limit. */
  readonly budgetTokens: number | null;
  /** Everybody is asked anew, whatever was answered before. */
  readonly fresh: boolean;
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

export interface ChecksCommand {
  readonly kind: "checks";
  readonly workspace: string;
  readonly format: "text" | "jsonl";
  /** Lines whose remembered acceptance is taken back. */
  readonly revoke: readonly string[];
}

const OPTIONS = {
  workspace: { type: "string" },
  map: { type: "string", multiple: true },
  format: { type: "string" },
  model: { type: "string" },
  "model-name": { type: "string" },
  record: { type: "string" },
  all: { type: "boolean" },
  "max-findings": { type: "string" },
  "budget-tokens": { type: "string" },
  fresh: { type: "boolean" },
  out: { type: "string" },
  "no-log": { type: "boolean" },
  "allow-checkers": { type: "boolean" },
  accept: { type: "string", multiple: true },
  remember: { type: "boolean" },
  revoke: { type: "string", multiple: true },
  discover: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** A command that still lacks its source roots. */
type Unmapped<K extends "findings" | "triage"> =
  | Omit<Extract<Command, { kind: K }>, "roots">
  | Extract<Command, { kind: "wrong" }>;

type Values = ReturnType<typeof parse>["values"];

const ALLOWED = {
  findings: ["workspace", "map", "format"],
  triage: [
    "workspace",
    "map",
    "format",
    "model",
    "model-name",
    "record",
    "all",
    "max-findings",
    "budget-tokens",
    "fresh",
    "out",
    "no-log",
    "allow-checkers",
    "accept",
    "remember",
  ],
  checks: ["workspace", "format", "revoke"],
  models: ["model", "model-name", "discover"],
  log: ["workspace"],
  gate: ["workspace"],
} as const satisfies Record<string, readonly (keyof Values)[]>;

/** Reads `process.argv.slice(2)`. A wrong command line is a variant with one sentence, never a throw. */
export function readArguments(argv: readonly string[]): Command {
  try {
    const { values, positionals } = parse(argv);
    if (values.help === true || positionals[0] === "help") return { kind: "help" };
    if (values.version === true) return { kind: "version" };
    return readCommand(positionals, values);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return argv[0] === "gate" ? wrongGate(why) : wrong(why);
  }
}

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
}

function readCommand([name, ...rest]: readonly string[], values: Values): Command {
  if (name === undefined) return { kind: "help" };
  if (!isCommand(name)) return wrong(`There is no command '${name}'.`);
  const allowed: readonly string[] = ALLOWED[name];
  const extra = Object.keys(values).find((option) => !allowed.includes(option));
  if (name === "gate") return readGate(rest, extra, values.workspace ?? null);
  if (extra !== undefined) return wrong(`'${name}' has no option --${extra}.`);
  const workspace = values.workspace ?? ".";
  if (name === "log")
    return rest.join(" ") === "verify"
      ? { kind: "log-verify", workspace }
      : wrong("'log' knows one thing: 'log verify'.");
  if (name === "checks") return readChecks(rest, workspace, values);
  if (name === "models") return orWrong(readModels(rest, values));
  if (rest.length === 0) return wrong(`'${name}' needs at least one review file.`);
  const roots = readRoots(values.map ?? []);
  if (typeof roots === "string") return wrong(roots);
  const command = name === "findings" ? readFindings(rest, workspace, values) : readTriage(rest, workspace, values);
  return command.kind === "wrong" ? command : { ...command, roots };
}

function isCommand(name: string): name is keyof typeof ALLOWED {
  return Object.hasOwn(ALLOWED, name);
}

function readChecks(rest: readonly string[], workspace: string, values: Values): Command {
  if (rest.length > 0) return wrong("'checks' takes no file.");
  const format = FINDINGS_FORMATS.find((known) => known === (values.format ?? "text"));
  if (format === undefined) return wrong(`--format is one of ${FINDINGS_FORMATS.join(", ")}.`);
  return { kind: "checks", workspace, format, revoke: values.revoke ?? [] };
}

/** The mappings of `--map FROM=TO`, or what is wrong with one. */
function readRoots(given: readonly string[]): SourceRoots | string {
  const roots: Record<string, string> = {};
  for (const mapping of given) {
    const cut = mapping.lastIndexOf("=");
    if (cut < 0) return `--map takes FROM=TO, not '${mapping}'.`;
    const to = mapping.slice(cut + 1);
    if (!isInside(to)) return `--map takes a folder inside of the workspace, relative to it, not '${to}'.`;
    roots[mapping.slice(0, cut)] = to;
  }
  return roots;
}

function readFindings(files: readonly string[], workspace: string, values: Values): Unmapped<"findings"> {
  const format = FINDINGS_FORMATS.find((known) => known === (values.format ?? "text"));
  if (format === undefined) return wrong(`--format is one of ${FINDINGS_FORMATS.join(", ")}.`);
  return { kind: "findings", files, workspace, format };
}

function readTriage(files: readonly string[], workspace: string, values: Values): Unmapped<"triage"> {
  const format = TRIAGE_FORMATS.find((known) => known === (values.format ?? "text"));
  if (format === undefined) return wrong(`--format is one of ${TRIAGE_FORMATS.join(", ")}.`);
  const most = values["max-findings"];
  if (most !== undefined && !/^[1-9]\d*$/.test(most)) return wrong("--max-findings takes a whole number from 1.");
  const budget = values["budget-tokens"];
  if (budget !== undefined && !/^[1-9]\d*$/.test(budget)) return wrong("--budget-tokens takes a whole number from 1.");
  const model = values.model ?? "built-in";
  if (model !== "built-in" && !model.startsWith("replay:") && !/^https?:\/\//.test(model)) {
    return wrong("--model is built-in, replay:FILE, or the base URL of a server (http:// or https://).");
  }
  const accept = values.accept ?? [];
  if (accept.length > 0 && values["allow-checkers"] !== true) return wrong("--accept needs --allow-checkers.");
  if (values.remember === true && accept.length === 0) return wrong("--remember needs --accept.");
  const modelName = values["model-name"] ?? null;
  if (/^https?:/.test(model) && modelName === null) return wrong("--model URL needs --model-name.");
  return {
    kind: "triage",
    files,
    workspace,
    model,
    modelName,
    record: values.record ?? null,
    all: values.all ?? false,
    mostFindings: most === undefined ? null : Number(most),
    budgetTokens: budget === undefined ? null : Number(budget),
    fresh: values.fresh ?? false,
    format,
    out: values.out ?? null,
    log: values["no-log"] !== true,
    checkers: values["allow-checkers"] === true ? { accept, remember: values.remember ?? false } : null,
  };
}

function readGate(rest: readonly string[], extra: string | undefined, workspace: string | null): Command {
  const [action, file, ...more] = rest;
  if (extra !== undefined) return wrongGate(`'gate' has no option --${extra}.`);
  if (action !== "validate" && action !== "scan") return wrongGate("'gate' knows two things: validate and scan.");
  if (file === undefined || file === "" || more.length > 0)
    return wrongGate(`'gate ${action}' needs exactly one file.`);
  return { kind: "gate", action, file, workspace };
}

/** A wrong use of the gate exits with 1 (R3.14). */
function wrongGate(why: string): Command {
  return { kind: "wrong", why: `${why}\nUsage: skeptical-triage gate validate|scan FILE [--workspace DIR]`, exit: 1 };
}

function orWrong(read: ModelsCommand | string): Command {
  return typeof read === "string" ? wrong(read) : read;
}

function wrong(why: string): Extract<Command, { kind: "wrong" }> {
  return { kind: "wrong", why };
}
