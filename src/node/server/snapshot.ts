import { alikeIn } from "../../core/alike.ts";
import type { Pack } from "../../core/evidence/pack.ts";
import { needsPerson } from "../../core/policy.ts";
import type { Mask, SourceText } from "../../core/ports.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import type { PanelState } from "../../protocol/panel.ts";
import type { Engine } from "../engine/engine.ts";
import { type Entry, stateOf } from "../engine/entry.ts";
import { shortLine } from "../report/clean.ts";
import { summaryOf } from "../report/words.ts";

/** Lines shown above and below the flagged region. */
const AROUND = 3;
/** Most lines of one flagged region that are shown. */
const MOST_FLAGGED = 20;
/** Most kept lines of one receipt that go to the panel; the rest is in the receipt's count. */
export const MOST_RECEIPT_LINES = 60;
/** Most findings shown as alike; the others are counted. */
const MOST_ALIKE = 8;

/** The panel's state of one entry, without the lines that wait for a person (`lines.ts`). `text` is the live text of its file; `pack` null while it is being cut. */
export function panelSnapshot(
  entry: Entry,
  engine: Engine,
  text: SourceText | null,
  mask: Mask,
  pack: Pack | null,
): Omit<PanelState, "lines" | "reproduction"> {
  const { finding, triaged, progress } = entry;
  const evidence = progress ?? triaged;
  return {
    finding,
    excerpt: excerptOf(entry, text, mask),
    state: stateOf(entry),
    staleReason: entry.staleReason,
    stage: progress?.stage ?? null,
    reviewer: triaged?.reviewer === null || triaged === null ? null : reviewerName(triaged.reviewer),
    pack,
    checks: evidence?.checks ?? [],
    rounds: evidence?.rounds ?? [],
    vote: evidence?.vote ?? null,
    ruling: evidence?.ruling ?? null,
    outcome: progress === null ? (triaged?.outcome ?? null) : null,
    receipts: (evidence?.receipts ?? []).map((receipt) => ({
      ...receipt,
      lines: receipt.lines.slice(0, MOST_RECEIPT_LINES),
    })),
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
    notice: entry.notice,
  };
}

/** What stands before the vendor in the provider of the editor's own models. */
const EDITOR = "editor:";

/** Who judged, in words. */
export function reviewerName(identity: ModelIdentity): string {
  const { provider, model } = identity;
  if (provider === "built-in") return "built-in reviewer";
  return provider.startsWith(EDITOR)
    ? `${model}, a model of this editor (${provider.slice(EDITOR.length)})`
    : `${model} at ${provider}`;
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
  return triaged?.ruling?.verdict ?? null;
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
