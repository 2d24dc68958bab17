import { parseArgs } from "node:util";
import { isInside, type SourceRoots } from "../../core/sourceRoots.ts";

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
  readonly format: TriageFormat;
  readonly out: string | null;
  readonly log: boolean;
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
  out: { type: "string" },
  "no-log": { type: "boolean" },
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
  triage: ["workspace", "map", "format", "model", "model-name", "record", "all", "max-findings", "out", "no-log"],
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
  if (name !== "findings" && name !== "triage" && name !== "log" && name !== "gate")
    return wrong(`There is no command '${name}'.`);
  const allowed: readonly string[] = ALLOWED[name];
  const extra = Object.keys(values).find((option) => !allowed.includes(option));
  if (name === "gate") return readGate(rest, extra, values.workspace ?? null);
  if (extra !== undefined) return wrong(`'${name}' has no option --${extra}.`);
  const workspace = values.workspace ?? ".";
  if (name === "log")
    return rest.join(" ") === "verify"
      ? { kind: "log-verify", workspace }
      : wrong("'log' knows one thing: 'log verify'.");
  if (rest.length === 0) return wrong(`'${name}' needs at least one review file.`);
  const roots = readRoots(values.map ?? []);
  if (typeof roots === "string") return wrong(roots);
  const command = name === "findings" ? readFindings(rest, workspace, values) : readTriage(rest, workspace, values);
  return command.kind === "wrong" ? command : { ...command, roots };
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
  const model = values.model ?? "built-in";
  if (model !== "built-in" && !model.startsWith("replay:") && !/^https?:\/\//.test(model)) {
    return wrong("--model is built-in, replay:FILE, or the base URL of a server (http:// or https://).");
  }
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
    format,
    out: values.out ?? null,
    log: values["no-log"] !== true,
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

function wrong(why: string): Extract<Command, { kind: "wrong" }> {
  return { kind: "wrong", why };
}

export const HELP = `Skeptical Triage: decide which findings are real, with evidence.

Usage
  skeptical-triage findings FILE… [--workspace DIR] [--map FROM=TO] [--format text|jsonl]
      What was read from review files (SARIF, markdown tables, bullets and lines), and what was not, with its place.
      --map, as often as needed, says where cited paths lie: FROM is their beginning or a SARIF base id (%SRCROOT%), TO a
      folder of the workspace, empty for its root. The longest beginning wins.

  skeptical-triage triage FILE… [--workspace DIR] [--map FROM=TO] [--all] [--max-findings N]
                   [--model built-in|URL|replay:FILE] [--model-name NAME] [--record FILE]
                   [--format text|jsonl|md|sarif] [--out FILE] [--no-log]
      Checks every finding; three rounds and an arbiter for P0 and P1, with --all for every severity.
      The default model is the built-in reviewer: no key, no network. A server is any OpenAI-compatible one; its key is
      read from SKEPTICAL_TRIAGE_API_KEY (OPENAI_API_KEY is used for OpenAI's own host only).
      Results are also written to DIR/.skeptical-triage/triage-log.jsonl, unless --no-log is given.

  skeptical-triage gate validate|scan FILE [--workspace DIR]
      The evidence gate for reviews that rank findings CRITICAL, WARNING and INFO: what carries no evidence is taken
      back to INFO. 'scan' reports, 'validate' rewrites FILE and keeps FILE.orig. With --workspace the places the review
      cites are looked up there, and those that do not exist are listed; that changes neither FILE nor the exit code.

  skeptical-triage log verify [--workspace DIR]
      Checks the hash chains of the triage log and names the first broken line.

  skeptical-triage --help | --version

Exit codes of triage (the first that applies: 2, 3, 1, 0)
  0  nothing open at P0 or P1
  1  something is open at P0 or P1: only a person closes it
  2  usage or input error
  3  some finding could not be read or triaged
Exit codes of findings: 0, 2. Of log verify: 0 intact or no log, 1 broken, 2.
Of gate: 0 something was downgraded, 1 nothing was (or a wrong use), 3 no finding could be read though severities are named.
`;
