import type { TestModelResult } from "../../protocol/modelSetup.ts";
import { scrubber } from "../models/explain.ts";
import { findLocalServers, LOCAL_PORTS, type LocalPort } from "../models/localServers.ts";
import { openProbeFile, probeFilePath } from "../models/probeFile.ts";
import { serverModels } from "../models/serverList.ts";
import { testServer } from "../models/testCall.ts";
import { keyFromEnvironment, serverOptions } from "../reviewers.ts";
import { EXIT } from "./exit.ts";
import type { Streams } from "./output.ts";

export interface ModelsCommand {
  readonly kind: "models";
  /** Base address of a server; null where local ones are looked for. */
  readonly url: string | null;
  /** Null: the server's models are listed. */
  readonly name: string | null;
}

/** Reads the options of `models`; a sentence where they do not fit together. */
export function readModels(
  files: readonly string[],
  options: {
    readonly model?: string | undefined;
    readonly "model-name"?: string | undefined;
    readonly discover?: boolean | undefined;
  },
): ModelsCommand | string {
  const { model: url, "model-name": name } = options;
  const looks = options.discover === true;
  if (files.length > 0) return "'models' takes no file.";
  if (url === undefined && name !== undefined) return "--model-name needs --model URL.";
  if (url === undefined && !looks)
    return "'models' needs --discover, to look for servers on this machine, or --model URL.";
  if (url !== undefined && looks) return "--discover and --model do not go together.";
  if (url !== undefined && !/^https?:\/\//.test(url))
    return "--model takes the base address of a server here (http:// or https://).";
  return { kind: "models", url: url ?? null, name: name ?? null };
}

/** Names come from a server: nothing in them drives the terminal (ruling 33). */
const plain = scrubber(null);

const LIST_MS = 15_000;
const IDLE_MS = 60_000;
const now = (): Date => new Date();
const log = (): void => undefined;

/** `models`: looks for servers, lists a server's models, or tries one. Exit code 0 where it found or reached what was asked for. */
export async function runModels(
  { url, name }: ModelsCommand,
  streams: Streams,
  signal: AbortSignal,
  ports: readonly LocalPort[] = LOCAL_PORTS,
): Promise<number> {
  const say = (text: string): void => void streams.stdout.write(`${text}\n`);
  const complain = (text: string): number => {
    streams.stderr.write(`${text}\n`);
    return EXIT.open;
  };
  if (url === null) return await discover(say, complain, signal, ports);
  const apiKey = keyFromEnvironment(url, process.env);
  if (name === null) {
    const listed = await serverModels(url, { apiKey, timeoutMs: LIST_MS, now }, signal);
    if (listed.kind !== "listed")
      return complain(listed.kind === "unlisted" ? `${listed.why} (--model-name)` : withKeyHint(listed.why, apiKey));
    for (const model of listed.models) say(plain(model));
    say(`\nTry one: skeptical-triage models --model ${listed.url} --model-name NAME`);
    return EXIT.nothingOpen;
  }
  const parts = { idleTimeoutMs: IDLE_MS, now, log, probeCache: openProbeFile(probeFilePath(), now) };
  const result = await testServer(serverOptions({ url, model: name, apiKey }, parts), signal);
  return tell(result, url, name, say, (why) => complain(withKeyHint(why, apiKey)));
}

async function discover(
  say: (text: string) => void,
  complain: (text: string) => number,
  signal: AbortSignal,
  ports: readonly LocalPort[],
): Promise<number> {
  const found = await findLocalServers({ now }, signal, ports);
  const looked = ports.map(({ name, port }) => `${name} ${port}`).join(", ");
  if (found.length === 0)
    return complain(
      `No model server answers on this machine (looked at 127.0.0.1: ${looked}). Start one, or give --model URL.`,
    );
  for (const { name, url, models } of found) {
    say(`${url}  (the usual port of ${name})`);
    for (const model of models) say(`  ${plain(model)}`);
  }
  say("\nTry one: skeptical-triage models --model URL --model-name NAME");
  return EXIT.nothingOpen;
}

function tell(
  result: TestModelResult,
  url: string,
  name: string,
  say: (text: string) => void,
  complain: (why: string) => number,
): number {
  if (result.kind === "fails") return complain(result.why);
  for (const line of [`${name} works.`, ...result.words]) say(line);
  say(`\nUse it: skeptical-triage triage FILE… --model ${url} --model-name ${name}`);
  return EXIT.nothingOpen;
}

/** Nobody guesses the name of the variable. */
function withKeyHint(why: string, apiKey: string | null): string {
  return apiKey === null
    ? `${why}\nNo key was sent: a server that wants one gets it from SKEPTICAL_TRIAGE_API_KEY.`
    : why;
}
