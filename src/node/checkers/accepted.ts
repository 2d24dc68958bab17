import { join } from "node:path";
import type { Receipt } from "../../core/check.ts";
import type { Proposal } from "../../core/proposal.ts";
import { holdPath } from "../paths.ts";
import { findProgram } from "../program.ts";
import { startProgram, type Workshop } from "./bench.ts";
import { lineOf, parseReproduction } from "./commandLine.ts";

/** What became of a line that a person accepted. It settles nothing by itself: a person reads it. */
export type AcceptedRun =
  | { readonly kind: "ran"; readonly exitCode: number; readonly receipt: Receipt }
  | { readonly kind: "failed"; readonly why: string; readonly receipt: Receipt | null };

const REPRODUCTION = "A finding gives this command: it runs code of this repository with your rights.";
const LONG_MS = 300_000;

/**
 * A finding's reproduction (R3.1) as the line a person would have to accept: read without a shell, its program looked for
 * outside of the tree, or a plain file inside of it. Nothing is started.
 */
export async function proposeReproduction(
  text: string,
  shop: Workshop,
): Promise<Proposal | { readonly kind: "refused"; readonly why: string }> {
  const parsed = parseReproduction(text);
  if ("why" in parsed) return { kind: "refused", why: parsed.why };
  const [name = "", ...rest] = parsed.argv;
  const program = await programOf(name, shop);
  if (program === null) return { kind: "refused", why: `There is no ${name.slice(0, 80)} to run.` };
  const argv = [program, ...rest];
  const line = lineOf(argv);
  if (line === null) return { kind: "refused", why: "It cannot be shown as it would run." };
  const proposal = { line, argv, cwd: ".", why: REPRODUCTION };
  shop.consent.propose(proposal);
  return proposal;
}

async function programOf(name: string, { root, searchPath }: Workshop): Promise<string | null> {
  if (!name.includes("/")) return await findProgram(name, searchPath, root);
  const held = await holdPath(root, name);
  return held.kind === "held" ? join(root, held.file) : null;
}

/** Runs a line that was proposed in this process and accepted to the letter; anything else is not run. */
export async function runAccepted(
  line: string,
  { shop, held }: { readonly shop: Workshop; readonly held: string | null },
  signal: AbortSignal,
): Promise<AcceptedRun> {
  if (held !== null) return notRun(held);
  const proposal = shop.consent.proposed(line);
  if (proposal === null) return notRun("This line was not proposed.");
  if (!(await shop.consent.allows(line))) return notRun("This line was not accepted.");
  const [file = "", ...argv] = proposal.argv;
  const receipts: Receipt[] = [];
  const start = { file, named: [file.slice(file.lastIndexOf("/") + 1), ...argv], argv, id: "accepted", by: "person" };
  const ran = await startProgram({ ...start, options: { timeoutMs: LONG_MS } }, receipts, shop, signal);
  const [receipt] = receipts;
  if (ran.kind === "failed" || receipt === undefined)
    return { kind: "failed", why: ran.kind === "failed" ? ran.why : "It left no receipt.", receipt: receipt ?? null };
  return { kind: "ran", exitCode: ran.exitCode, receipt };
}

function notRun(why: string): AcceptedRun {
  return { kind: "failed", why, receipt: null };
}
