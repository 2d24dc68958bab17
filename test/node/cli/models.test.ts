import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import test, { after, before } from "node:test";
import { readArguments } from "../../../src/node/cli/arguments.ts";
import { HELP } from "../../../src/node/cli/help.ts";
import { runModels } from "../../../src/node/cli/models.ts";
import type { LocalPort } from "../../../src/node/models/localServers.ts";
import { freePort, listing, withLister } from "../../support/modelLister.ts";
import { startScriptedServer } from "../../support/scriptedServer.ts";
import { status } from "../models/setting.ts";

// What is learnt about servers goes into the user's cache folder: here, one of the test's own.
const environment = { ...process.env };
let folder = "";
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "triage-cli-models-"));
  Object.assign(process.env, { XDG_CACHE_HOME: folder, LOCALAPPDATA: folder });
  delete process.env["SKEPTICAL_TRIAGE_API_KEY"];
});
after(async () => {
  process.env = environment;
  await rm(folder, { recursive: true, force: true });
});

/** Runs `models` with these arguments. */
async function models(args: readonly string[], ports?: readonly LocalPort[]) {
  const command = readArguments(["models", ...args]);
  assert.ok(command.kind === "models", JSON.stringify(command));
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const code = await runModels(command, streams, new AbortController().signal, ports);
  return { code, out: out.join(""), err: err.join("") };
}

const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /needs --discover.* or --model URL/],
  [["a.sarif"], /takes no file/],
  [["--model-name", "m"], /--model-name needs --model URL/],
  [["--model", "built-in"], /base address of a server/],
  [["--model", "http://x/v1", "--discover"], /do not go together/],
  [["--discover", "--all"], /has no option --all/],
];

for (const [args, why] of WRONG)
  test(`models ${args.join(" ")}: is a wrong use`, () => {
    const command = readArguments(["models", ...args]);
    assert.ok(command.kind === "wrong");
    assert.match(command.why, why);
  });

test("the help names the command", () => assert.match(HELP, /skeptical-triage models --discover/));

test("--discover lists what answers on this machine, with its models", async () => {
  await withLister(listing("qwen3:8b"), async (_origin, port) => {
    const ports = [{ port, name: "Ollama" }];
    const { code, out } = await models(["--discover"], ports);
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^http://127\\.0\\.0\\.1:${port}/v1  \\(the usual port of Ollama\\)\n  qwen3:8b\n`));
  });
});

test("--discover says where it looked when nothing answers, and exits 1", async () => {
  const port = await freePort();
  const { code, out, err } = await models(["--discover"], [{ port, name: "Ollama" }]);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, new RegExp(`looked at 127\\.0\\.0\\.1: Ollama ${port}\\)\\. Start one`));
});

test("--model lists a server's models; a name cannot drive the terminal (ruling 33)", async () => {
  await withLister(listing("b", "a\u001b[2J\u202e"), async (origin) => {
    const { code, out } = await models(["--model", origin]);
    assert.equal(code, 0);
    assert.match(out, /^a \[2J\nb\n/);
    assert.match(out, new RegExp(`--model ${origin}/v1 --model-name NAME`));
  });
});

test("with --model-name the model is tried, and the line that uses it is given", async () => {
  const server = await startScriptedServer([{ does: "answer", value: { verdict: "VALID", reasoning: "Yes." } }]);
  try {
    const { code, out } = await models(["--model", server.url, "--model-name", "m"]);
    assert.equal(code, 0);
    assert.match(out, /^m works\.\nIt answered in /);
    assert.match(out, new RegExp(`triage FILE… --model ${server.url} --model-name m\n$`));
  } finally {
    await server.close();
  }
});

test("a model that cannot be used exits 1 with the reason and the name of the key's variable", async () => {
  const server = await startScriptedServer([], { schema: status(401), functions: status(401) });
  try {
    const { code, out, err } = await models(["--model", server.url, "--model-name", "m"]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /does not accept the key \(401\)[\s\S]*SKEPTICAL_TRIAGE_API_KEY/);
  } finally {
    await server.close();
  }
});
