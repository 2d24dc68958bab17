import { alikeIn } from "../../core/alike.ts";
import type { Pack } from "../../core/evidence/pack.ts";
import { needsPerson } from "../../core/policy.ts";
import type { Mask, SourceText } from "../../core/ports.ts";
import type { Streak } from "../../core/streak.ts";
import type { PanelState } from "../../protocol/panel.ts";
import type { Engine } from "../engine/engine.ts";
import { type Entry, stateOf } from "../engine/entry.ts";
import { shortLine } from "../report/clean.ts";
import { judgedAs } from "../report/verdict.ts";
import { summaryOf } from "../report/words.ts";
import { judgesOf, opinionView, refutationView } from "./judges.ts";
import { receiptsShown } from "./receipts.ts";
import { reviewerName } from "../report/reviewerName.ts";

/** Lines shown above and below the flagged region. */
const AROUND = 3;
/** Most lines of one flagged region that are shown. */
const MOST_FLAGGED = 20;
/** Most findings shown as alike; the others are counted. */
const MOST_ALIKE = 8;

/** Where a finding stands, besides its entry. */
export interface Surroundings {
  readonly engine: Engine;
  /** The live text of its file; null where there is none. */
  readonly text: SourceText | null;
  readonly mask: Mask;
  /** Null while it is being cut. */
  readonly pack: Pack | null;
  readonly streak: Streak;
  /** Name of the fallback model; null where none is set. */
  readonly otherModel: string | null;
}

/** The panel's state of one entry, without the lines that wait for a person (`lines.ts`). */
export function panelSnapshot(
  entry: Entry,
  { engine, text, mask, pack, streak, otherModel }: Surroundings,
): Omit<PanelState, "lines" | "reproduction"> {
  const { finding, triaged, progress } = entry;
  const evidence = progress ?? triaged;
  const { receipts, left } = receiptsShown(evidence?.receipts ?? [], judgesOf(entry));
  return {
    finding,
    excerpt: excerptOf(entry, text, mask),
    state: stateOf(entry),
    staleReason: entry.staleReason,
    stage: progress?.stage ?? null,
    reviewer: triaged?.reviewer === null || triaged === null ? null : reviewerName(triaged.reviewer),
    pack,
    checks: evidence?.checks ?? [],
    method: evidence?.method ?? null,
    rounds: evidence?.rounds ?? [],
    vote: evidence?.vote ?? null,
    ruling: evidence?.ruling ?? null,
    refutation: refutationView(entry),
    opinion: opinionView(entry),
    asked: evidence?.asked ?? [],
    reductions: progress === null ? (triaged?.reductions ?? []) : [],
    outcome: progress === null ? (triaged?.outcome ?? null) : null,
    receipts,
    receiptsLeft: left,
    decision: entry.decided,
    permits: engine.permits(entry),
    dismissNeedsModal: needsPerson(finding),
    clusterSize: engine.clusterSize(entry),
    ...alikeOf(entry, engine),
    cost: {
      calls: triaged?.calls ?? 0,
      prompt: triaged?.tokens.prompt ?? 0,
      completion: triaged?.tokens.completion ?? 0,
    },
    ledger: (triaged?.ledger ?? []).map((row) => ({
      ...row,
      model: row.model === null ? null : reviewerName(row.model),
    })),
    notice: entry.notice,
    streak,
    otherModel,
  };
}

function alikeOf(entry: Entry, engine: Engine): Pick<PanelState, "alike" | "alikeCount" | "conflict"> {
  const { file } = entry.finding.place;
  const inFile = file === null ? [] : engine.entriesIn(file).map(({ finding }) => finding);
  const all = alikeIn(entry.finding, inFile, Infinity).flatMap(({ key }) => engine.entry(key) ?? []);
  const verdicts = new Set([entry, ...all].map(verdictOf));
  const alike = all.slice(0, MOST_ALIKE).map((other) => ({
    key: other.finding.key,
    title: shortLine(other.finding.message, 200),
    tool: shortLine(other.finding.tool, 60),
    summary: summaryOf(other),
    verdict: verdictOf(other),
  }));
  return { alike, alikeCount: all.length, conflict: verdicts.has("VALID") && verdicts.has("INVALID") };
}

/** The person's word, else what a check or the arbiter said; null where nobody decided, or the code has changed since. */
function verdictOf(entry: Entry): PanelState["alike"][number]["verdict"] {
  const { decided, triaged } = entry;
  if (entry.progress !== null || entry.staleReason !== null) return null;
  if (decided !== null && decided.decision !== "reopened")
    return decided.decision === "confirmed" ? "VALID" : "INVALID";
  const settled = triaged?.outcome.settledAs ?? null;
  if (settled !== null) return settled === "confirmed" ? "VALID" : "INVALID";
  return triaged === null ? null : judgedAs(triaged);
}

function excerptOf(entry: Entry, text: SourceText | null, mask: Mask): PanelState["excerpt"] {
  const { line, endLine } = entry.finding.place;
  if (text === null || line === null) return [];
  const last = Math.min(Math.max(line, endLine ?? line), line + MOST_FLAGGED - 1);
  const from = Math.max(1, line - AROUND);
  const masked = mask(text.lines.join("\n")).split("\n");
  return masked.slice(from - 1, last + AROUND).map((shown, index) => {
    const at = from + index;
    return { line: at, text: shown.slice(0, 500), flagged: at >= line && at <= last };
  });
}
