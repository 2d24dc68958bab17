import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import type { CheckerQuestion, FileAnswer } from "../../src/core/checkers.ts";
import type { CheckerTool } from "../../src/core/checkerClaim.ts";
import { createCheckers, type CheckersOptions } from "../../src/node/checkers/checkers.ts";
import { createConsent } from "../../src/node/checkers/consent.ts";
import { sha256 } from "../../src/node/hash.ts";
import { createRepository, type WorkspaceRepository } from "../../src/node/repository/repository.ts";
import { unmasked } from "./memoryWorkspace.ts";

/** Programs that this repository's own packages bring. */
export const OWN_PROGRAMS = path.join(import.meta.dirname, "../../node_modules/.bin");
export const NEVER = new AbortController().signal;

/** A folder that goes with the test, links resolved. */
export function scratch(t: Pick<TestContext, "after">): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "checkers-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

/** A program that is a Node script; `body` sees its arguments as `argv`. Returns the folder for a search path. */
export function fakeProgram(folder: string, name: string, body: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, `#!${process.execPath}\nconst argv = process.argv.slice(2);\n${body}\n`);
  chmodSync(file, 0o755);
  return folder;
}

export interface Opened {
  readonly root: string;
  readonly repository: WorkspaceRepository;
  readonly checkers: ReturnType<typeof createCheckers>;
  readonly ask: (tool: CheckerTool, file: string, more?: Partial<CheckerQuestion>) => Promise<FileAnswer>;
}

/** A workspace on disk with the checkers of the product over it. */
export function openCheckers(
  t: Pick<TestContext, "after">,
  files: Readonly<Record<string, string>>,
  more: Partial<CheckersOptions> = {},
): Opened {
  const root = scratch(t);
  const home = scratch(t);
  writeFiles(root, files);
  const repository = createRepository({ root, liveText: () => undefined, liveFiles: () => [] });
  const checkers = createCheckers({
    root,
    repository,
    searchPath: [OWN_PROGRAMS, process.env["PATH"]].join(path.delimiter),
    home: path.join(home, "home"),
    consent: createConsent(path.join(home, "accepted.json"), () => new Date(0)),
    mask: unmasked,
    hash: sha256,
    now: () => new Date(0),
    trusted: () => true,
    wanted: () => true,
    programs: () => ({}),
    ...more,
  });
  const ask: Opened["ask"] = async (tool, file, question = {}) =>
    await checkers.report({ tool, file, code: null, strict: false, ...question }, NEVER);
  return { root, repository, checkers, ask };
}

const FIXTURES = path.join(import.meta.dirname, "../fixtures/checkers");

/** What a real run printed, with the folder of this run in place of the one it was recorded in. */
export function recorded(file: string, root: string): string {
  return readFileSync(path.join(FIXTURES, file), "utf8").replaceAll("{{ROOT}}", root);
}

/** ESLint 9.39.5 as it answered about the corpus project, with its list of rules where the real one keeps it. */
export function recordedEslint(folder: string): string {
  const file = (name: string): string => JSON.stringify(path.join(FIXTURES, "eslint", name));
  writeFiles(folder, {
    "lib/unsupported-api.js": `const { readFileSync } = require("node:fs");
exports.builtinRules = new Map(JSON.parse(readFileSync(${file("rules.json")}, "utf8")).map((name) => [name, {}]));`,
    "package.json": "{}",
  });
  return fakeProgram(
    path.join(folder, "bin"),
    "eslint",
    `const { readFileSync } = require("node:fs");
const say = (name) => process.stdout.write(readFileSync(name, "utf8").replaceAll("{{ROOT}}", process.cwd()));
if (argv[0] === "--version") process.stdout.write("v9.39.5\\n");
else if (argv[0] === "--print-config") say(${file("print-config.json")});
else { say(${file("results.json")}); process.exitCode = 1; }`,
  );
}
