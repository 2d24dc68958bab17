// What prompts cost, by finding of the demo workspace and by strategy, against a scripted server:
//   npm run bench prompts
// A token is taken as three bytes. A request is its whole body as it goes out: tools, schema and messages. What a server's
// cache can hit is the common head of a request with the finding's first one.
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Method, STRATEGIES, type Strategy, USUAL_METHOD } from "../../src/core/method.ts";
import { createMask } from "../../src/node/mask/mask.ts";
import { openEngine } from "../../src/node/engine/openEngine.ts";
import { sha256 } from "../../src/node/hash.ts";
import { createCallQueues } from "../../src/node/models/callQueue.ts";
import { openPrompts } from "../../src/node/prompts.ts";
import { createReviewer } from "../../src/node/reviewers.ts";
import { DISMISSES, roleOf, rounds } from "../support/personas.ts";
import { type ReceivedRequest, startScriptedServer } from "../support/scriptedServer.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const BYTES_PER_TOKEN = 3;
const SHARE_TARGET = 0.8;
const TOKEN_BUDGET = 12_000;

interface Figures {
  /** The strategy's own calls, or with `+` those of the second opinion that a P0 or P1 needs besides: another form, another thread. */
  readonly who: Strategy | `${Strategy}+`;
  readonly place: string;
  readonly calls: number;
  readonly tokens: number;
  /** Of calls 2..n: tokens in the common head with call 1, and all. */
  readonly shared: number;
  readonly later: number;
  /** Tokens that no earlier request of this finding begins with. */
  readonly uncached: number;
}

const demo = mkdtempSync(path.join(os.tmpdir(), "bench-prompts-"));
cpSync(path.join(ROOT, "test/workspaces/demo"), demo, { recursive: true });
const server = await startScriptedServer(rounds(DISMISSES));
try {
  print(await measure());
} finally {
  await server.close();
  rmSync(demo, { recursive: true, force: true });
}

async function measure(): Promise<Figures[]> {
  const mask = createMask();
  const prompts = openPrompts(path.join(ROOT, "prompts"));
  let method: Method = USUAL_METHOD;
  const { engine, repository, structures } = await openEngine({
    root: demo,
    ripgrep: null,
    liveText: () => undefined,
    liveFiles: () => [],
    mask,
    now: () => new Date(),
    prompts,
    history: null,
    checkers: null,
    concurrency: () => 1,
    severityMap: () => ({}),
    sourceRoots: () => ({}),
    budget: () => ({ calls: 8, bytes: 32_768 }),
    method: () => method,
    costMode: () => "normal",
    untouchable: () => null,
    changed: () => undefined,
    log: () => undefined,
  });
  const reviews = path.join(demo, "reviews");
  await engine.loadReviews(readdirSync(reviews).map((file) => path.join(reviews, file)));
  const reviewer = createReviewer(
    { kind: "server", url: server.url, model: "scripted", apiKey: null },
    {
      repository,
      structures,
      mask,
      hash: sha256,
      now: () => new Date(),
      prompts,
      probeCache: new Map(),
      idleTimeoutMs: 10_000,
      log: () => undefined,
      batchArbiter: false,
      record: null,
      queues: createCallQueues(
        () => 1,
        () => new Date(),
      ),
      store: null,
      fresh: true,
      budget: null,
    },
  );
  const figures: Figures[] = [];
  for (const strategy of STRATEGIES) {
    method = { ...USUAL_METHOD, strategy };
    for (const { finding } of engine.entries()) {
      const from = server.requests.length;
      await (
        await engine.triage([finding.key], true, reviewer, { strategy, fresh: true })
      ).finished;
      const asked = server.requests.slice(from);
      const place = `${finding.place.file}:${finding.place.line}`;
      const own = asked.filter(({ body }) => strategy === "verdict" || roleOf(body) !== "opinion");
      const besides = asked.filter((request) => !own.includes(request));
      // What checks settle asks nobody.
      if (own.length > 0) figures.push(figuresOf(strategy, place, own));
      if (besides.length > 0) figures.push(figuresOf(`${strategy}+`, place, besides));
    }
  }
  return figures;
}

function figuresOf(who: Figures["who"], place: string, requests: readonly ReceivedRequest[]): Figures {
  const bytes = requests.map(({ text }) => Buffer.from(text));
  const heads = bytes.map((body, index) =>
    Math.max(0, ...bytes.slice(0, index).map((other) => commonHead(body, other))),
  );
  const [first = Buffer.alloc(0), ...rest] = bytes;
  const tokensOf = (bytesOf: readonly number[]): number =>
    bytesOf.reduce((sum, length) => sum + length, 0) / BYTES_PER_TOKEN;
  return {
    who,
    place,
    calls: requests.length,
    tokens: tokensOf(bytes.map(({ length }) => length)),
    shared: tokensOf(rest.map((body) => commonHead(body, first))),
    later: tokensOf(rest.map(({ length }) => length)),
    uncached: tokensOf(bytes.map(({ length }, index) => length - (heads[index] ?? 0))),
  };
}

function commonHead(a: Buffer, b: Buffer): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function print(figures: readonly Figures[]): void {
  const titles = ["calls", "tokens", "shared", "uncached"].map((name) => name.padStart(10)).join("");
  console.log(`\n${"".padEnd(34)}${titles}`);
  for (const who of new Set(figures.map((row) => row.who))) {
    const rows = figures.filter((row) => row.who === who);
    for (const row of rows) console.log(line(who.padEnd(10) + row.place, row));
    const mean = meanOf(rows);
    const most = Math.max(...rows.map(({ uncached }) => uncached));
    console.log(line(`${who.padEnd(10)}mean`, mean));
    const budget = who === "rounds" ? `, budget ${TOKEN_BUDGET.toLocaleString("en")}` : "";
    console.log(
      `${who}: ${percent(mean)} of calls 2..n in the head of call 1, target >= ${100 * SHARE_TARGET} %; at most ${count(most)} uncached tokens a finding${budget}\n`,
    );
  }
}

function line(title: string, { calls, tokens, uncached, ...row }: Omit<Figures, "who" | "place">): string {
  return (
    title.padEnd(34) +
    [String(calls), count(tokens), percent(row), count(uncached)].map((text) => text.padStart(10)).join("")
  );
}

function meanOf(rows: readonly Figures[]): Omit<Figures, "who" | "place"> {
  const mean = (of: (row: Figures) => number): number => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  return {
    calls: Math.round(mean(({ calls }) => calls)),
    tokens: mean(({ tokens }) => tokens),
    shared: mean(({ shared }) => shared),
    later: mean(({ later }) => later),
    uncached: mean(({ uncached }) => uncached),
  };
}

function percent({ shared, later }: Pick<Figures, "shared" | "later">): string {
  return later === 0 ? "-" : `${((100 * shared) / later).toFixed(1)} %`;
}

function count(tokens: number): string {
  return Math.round(tokens).toLocaleString("en");
}
