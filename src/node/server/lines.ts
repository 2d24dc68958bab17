import path from "node:path";
import { type Permit, PERMITS } from "../../core/decision.ts";
import type { Proposal } from "../../core/proposal.ts";
import { reproductionOf } from "../../core/reproduction.ts";
import type { AcceptLineParams, AcceptLineResult } from "../../protocol/checkers.ts";
import type { LineView, PanelState, ReproductionView } from "../../protocol/panel.ts";
import type { WorkspaceCheckers } from "../checkers/checkers.ts";
import { type Entry, stateOf } from "../engine/entry.ts";
import type { Folder } from "./folders.ts";
import type { WorkerSession } from "./session.ts";
import { MOST_RECEIPT_LINES } from "./receipts.ts";

const MOST_TEXT = 4000;
const GONE: AcceptLineResult = { kind: "refused", why: "There is no such finding any more." };
const NOT_PROPOSED: AcceptLineResult = { kind: "refused", why: "This line is not proposed for this finding any more." };
const OLD = "Triage it again: this line was proposed before the background worker started.";
const RUNNING = "It is running.";
const NO_CHECKERS = "No program is started here.";

export interface LineParts {
  readonly session: WorkerSession;
  /** Starts the triage of one finding; resolves to why it was not started, empty where it was. */
  readonly triage: (key: string) => Promise<readonly string[]>;
  /** What `view` gives of a finding has changed. */
  readonly changed: (key: string) => void;
}

/** The command lines of findings that wait for a person, and what became of those that were accepted. */
export interface Lines {
  view(folder: Folder, entry: Entry): Promise<Pick<PanelState, "lines" | "reproduction">>;
  /** A person accepted a line: it runs only if it is still proposed for that finding, and nothing forbids it. */
  accept(params: AcceptLineParams): Promise<AcceptLineResult>;
  /** Stops the reproduction of a finding, or with null all; resolves when they run no more. */
  stop(key: string | null): Promise<void>;
  /** The entry changed: what was accepted for one time ends with its triage. */
  moved(key: string): void;
}

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

interface Book {
  readonly running: Map<string, Running>;
  readonly results: Map<string, ReproductionView["run"]>;
  /** Lines accepted once for the triage of a finding. A checker may need several, one after the other. */
  readonly once: Map<string, Set<string>>;
}

interface Offer {
  readonly proposal: Proposal;
  readonly by: "check" | "reproduction";
}

export function createLines(parts: LineParts): Lines {
  const book: Book = { running: new Map(), results: new Map(), once: new Map() };
  return {
    view: async (folder, entry) => {
      const { reproduction, offers } = await offersOf(folder, entry, book);
      const lines: LineView[] = [];
      for (const offer of offers) lines.push(await lineView(offer, folder, entry, book));
      return { lines, reproduction };
    },
    accept: async (params) => await accept(params, parts, book),
    stop: async (key) => {
      const keys = key === null ? [...book.running.keys()] : [key];
      const chosen = keys.map((one) => book.running.get(one)).filter((run) => run !== undefined);
      for (const { controller } of chosen) controller.abort(new DOMException("stopped by the person", "AbortError"));
      await Promise.all(chosen.map(({ ended }) => ended));
    },
    moved: (key) => {
      const found = parts.session.find(key);
      if (found === null || found.entry.progress !== null || !book.once.has(key)) return;
      // It asks for another line of the same check: the ones before are needed with it.
      if (found.entry.triaged?.checks.some(({ proposal }) => proposal !== undefined) === true) return;
      releaseAll(key, found.folder.checkers, book);
    },
  };
}

async function accept(params: AcceptLineParams, parts: LineParts, book: Book): Promise<AcceptLineResult> {
  const { key, line, remember } = params;
  const found = parts.session.find(key);
  const checkers = found?.folder.checkers ?? null;
  if (found === null || checkers === null) return GONE;
  const entry = { ...found.entry, finding: await found.folder.engine.whole(found.entry.finding) };
  const { offers } = await offersOf(found.folder, entry, book);
  const offer = offers.find(({ proposal }) => proposal.line === line);
  if (offer === undefined) return NOT_PROPOSED;
  const permit = permitOf(offer, checkers, entry, book);
  if (!permit.allowed) return { kind: "refused", why: permit.why };
  const known = await checkers.consent.allows(line);
  if (remember || !known) await checkers.consent.accept(line, remember);
  const once = !remember && !known;
  if (offer.by === "reproduction") {
    // Asked for twice at the same moment: the first one runs.
    if (book.running.has(key)) return { kind: "refused", why: RUNNING };
    reproduce(key, line, once, checkers, parts, book);
    return { kind: "started" };
  }
  if (once) book.once.set(key, new Set([...(book.once.get(key) ?? []), line]));
  const refused = await parts.triage(key);
  if (refused.length === 0) return { kind: "started" };
  releaseAll(key, checkers, book);
  return { kind: "refused", why: refused.join(" ") };
}

function releaseAll(key: string, checkers: WorkspaceCheckers | null, book: Book): void {
  for (const line of book.once.get(key) ?? []) checkers?.consent.release(line);
  book.once.delete(key);
}

/** Runs an accepted reproduction; its end is kept for the panel and settles nothing. */
function reproduce(
  key: string,
  line: string,
  once: boolean,
  checkers: WorkspaceCheckers,
  { changed }: LineParts,
  book: Book,
): void {
  const controller = new AbortController();
  const ended = checkers
    .run(line, controller.signal)
    .catch((error: unknown) => ({
      kind: "failed" as const,
      why: controller.signal.aborted ? "It was stopped." : error instanceof Error ? error.message : String(error),
      receipt: null,
    }))
    .then((run) => {
      if (once) checkers.consent.release(line);
      book.running.delete(key);
      const receipt =
        run.receipt === null ? null : { ...run.receipt, lines: run.receipt.lines.slice(0, MOST_RECEIPT_LINES) };
      book.results.set(
        key,
        run.kind === "ran" && receipt !== null
          ? { kind: "ran", receipt }
          : { kind: "failed", why: run.kind === "failed" ? run.why : "It left no receipt.", receipt },
      );
      changed(key);
    });
  book.running.set(key, { controller, ended });
  book.results.set(key, { kind: "running" });
  changed(key);
}

/** Everything of a finding that waits for a person: of its checks, then its reproduction; each line once. */
async function offersOf(
  { checkers }: Folder,
  entry: Entry,
  book: Book,
): Promise<{ offers: readonly Offer[]; reproduction: ReproductionView | null }> {
  const checks = (entry.progress ?? entry.triaged)?.checks ?? [];
  const offers: Offer[] = checks.flatMap(({ proposal }) =>
    proposal === undefined ? [] : [{ proposal, by: "check" as const }],
  );
  const text = reproductionOf(entry.finding);
  const held = checkers === null ? NO_CHECKERS : checkers.held();
  if (text === null) return { offers: distinct(offers), reproduction: null };
  const shown = {
    text: text.slice(0, MOST_TEXT),
    run: book.results.get(entry.finding.key) ?? null,
  };
  const made =
    held === null && checkers !== null
      ? await checkers.reproduction(text)
      : { kind: "refused", why: held ?? NO_CHECKERS };
  if ("kind" in made) return { offers: distinct(offers), reproduction: { ...shown, line: null, refused: made.why } };
  offers.push({ proposal: made, by: "reproduction" });
  return { offers: distinct(offers), reproduction: { ...shown, line: made.line, refused: null } };
}

function distinct(offers: readonly Offer[]): readonly Offer[] {
  return offers.filter(
    ({ proposal }, index) => offers.findIndex((other) => other.proposal.line === proposal.line) === index,
  );
}

async function lineView(offer: Offer, folder: Folder, entry: Entry, book: Book): Promise<LineView> {
  const { checkers, root } = folder;
  const { line, cwd, why } = offer.proposal;
  return {
    line,
    folder: path.join(root, cwd),
    why,
    permit: checkers === null ? no(NO_CHECKERS) : permitOf(offer, checkers, entry, book),
    accepted: (await checkers?.consent.allows(line)) ?? false,
  };
}

function permitOf({ proposal, by }: Offer, checkers: WorkspaceCheckers, entry: Entry, book: Book): Permit {
  const held = checkers.held();
  if (held !== null) return no(held);
  if (checkers.consent.proposed(proposal.line) === null) return no(OLD);
  if (by === "check") return PERMITS[stateOf(entry)].triage;
  return book.running.has(entry.finding.key) ? no(RUNNING) : { allowed: true };
}

function no(why: string): Permit {
  return { allowed: false, why };
}
