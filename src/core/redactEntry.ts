import type { LogEntry } from "./audit.ts";
import type { Mask } from "./ports.ts";
import { redactForLog } from "./redaction.ts";

/**
 * An entry fit for a committed file: secrets masked in every text, code taken out of every sentence (R1.33). `code` are
 * lines that a sentence may have copied. The log does this to each entry; keys and hashes are never touched.
 */
export function redactEntry(entry: LogEntry, mask: Mask, code: readonly string[] = []): LogEntry {
  const place =
    "file" in entry && entry.file !== null ? `${entry.file}${entry.line === null ? "" : `:${entry.line}`}` : null;
  const free = (text: string): string => redactForLog(mask(text), { code, place });
  const own = (text: string): string => redactForLog(mask(text), { code, place, ownWords: true });
  const evidence = "evidence" in entry ? { evidence: entry.evidence.map(mask) } : {};
  if (entry.kind === "warned") return { ...entry, text: own(entry.text) };
  const named = { ...maskNames(entry, mask), ...evidence };
  if (named.kind !== "triaged") return { ...named, reason: free(named.reason) };
  const { arbiter } = named;
  return {
    ...named,
    rounds: named.rounds.map((round) => ({ ...round, crux: free(round.crux) })),
    arbiter: arbiter && {
      ...arbiter,
      crux: free(arbiter.crux),
      reason: arbiter.reason === null ? null : own(arbiter.reason),
    },
    because: named.because.map(({ rule, text }) => ({ rule, text: own(text) })),
    ...(named.refutation === undefined
      ? {}
      : {
          refutation: {
            ...named.refutation,
            refuters: named.refutation.refuters.map((refuter) => ({ ...refuter, text: free(refuter.text) })),
          },
        }),
    ...(named.reductions === undefined ? {} : { reductions: named.reductions.map(own) }),
    ...(named.severitySuggestion === undefined
      ? {}
      : { severitySuggestion: { ...named.severitySuggestion, why: free(named.severitySuggestion.why) } }),
  };
}

function maskNames<T extends { readonly file: string | null; readonly tool: string; readonly rule: string | null }>(
  entry: T,
  mask: Mask,
): T {
  return {
    ...entry,
    file: entry.file === null ? null : mask(entry.file),
    tool: redactForLog(mask(entry.tool), { ownWords: true }),
    rule: entry.rule === null ? null : redactForLog(mask(entry.rule), { ownWords: true }),
  };
}
