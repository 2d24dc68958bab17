import type { SourceRoots } from "../../core/sourceRoots.ts";
import { oneOf, parseOptions, readRoots, type Values, type Wrong, wrong } from "./options.ts";
import { readTriage, TRIAGE_OPTIONS, type TriageCommand } from "./triageArguments.ts";

const FINDINGS_FORMATS = ["text", "jsonl"] as const;

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
  | { readonly kind: "log-verify"; readonly workspace: string }
  | {
      readonly kind: "gate";
      readonly action: "validate" | "scan";
      /** As it was given. */
      readonly file: string;
      /** Null where cited places are not looked up. */
      readonly workspace: string | null;
    }
  | Wrong;

export interface ChecksCommand {
  readonly kind: "checks";
  readonly workspace: string;
  readonly format: "text" | "jsonl";
  /** Lines whose remembered acceptance is taken back. */
  readonly revoke: readonly string[];
}

const ALLOWED = {
  findings: ["workspace", "map", "format"],
  triage: TRIAGE_OPTIONS,
  checks: ["workspace", "format", "revoke"],
  log: ["workspace"],
  gate: ["workspace"],
} as const satisfies Record<string, readonly (keyof Values)[]>;

/** Reads `process.argv.slice(2)`. A wrong command line is a variant with one sentence, never a throw. */
export function readArguments(argv: readonly string[]): Command {
  try {
    const { values, positionals } = parseOptions(argv);
    if (values.help === true || positionals[0] === "help") return { kind: "help" };
    if (values.version === true) return { kind: "version" };
    return readCommand(positionals, values);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return argv[0] === "gate" ? wrongGate(why) : wrong(why);
  }
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
  const format = oneOf(FINDINGS_FORMATS, values.format);
  if (format === null) return wrong(`--format is one of ${FINDINGS_FORMATS.join(", ")}.`);
  return { kind: "checks", workspace, format, revoke: values.revoke ?? [] };
}

function readFindings(
  files: readonly string[],
  workspace: string,
  values: Values,
): Omit<Extract<Command, { kind: "findings" }>, "roots"> | Wrong {
  const format = oneOf(FINDINGS_FORMATS, values.format);
  if (format === null) return wrong(`--format is one of ${FINDINGS_FORMATS.join(", ")}.`);
  return { kind: "findings", files, workspace, format };
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
