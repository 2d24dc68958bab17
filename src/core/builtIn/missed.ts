import { isTestFile } from "../checks/referenced.ts";
import type { CodePlace } from "../code/modules.ts";
import { guardsBefore } from "../code/outline.ts";
import type { Mask, Repository } from "../ports.ts";
import type { Given, RoundTask } from "../reviewer.ts";
import type { Answer } from "../round.ts";
import { answerFrom, type Caller, callersOf, listPlaces, type Site, siteOf } from "./look.ts";

const SUPPRESSION =
  /(?:eslint-disable|oxlint-disable|biome-ignore|@ts-(?:ignore|expect-error|nocheck)|\bnoqa\b|\bnosec\b|#\s*type:\s*ignore|NOLINT|nosemgrep|@SuppressWarnings)/;

interface Adapters {
  readonly repository: Repository;
  readonly mask: Mask;
}

/** Round 3: what the first two did not look at: callers without a check, error paths, tests, suppressions (R0.11). */
export async function answerMissed(task: RoundTask, adapters: Adapters): Promise<Given<Answer>> {
  const site = await siteOf(task, adapters.repository);
  if (site === null)
    return {
      kind: "gave",
      answer: {
        verdict: "UNCERTAIN",
        crux: "There is no code to look at from other angles.",
        reasoning: "",
        citations: [],
      },
    };
  const found =
    site.within === null ? [] : (await callersOf(site.within.name, site, task, adapters.repository)).callers;
  const others = found.filter((caller) => caller.within?.name !== site.within?.name);
  const tests = others.filter((caller) => isTestFile(caller.file));
  const unguarded = await withoutGuard(
    others.filter((caller) => !isTestFile(caller.file)),
    adapters.repository,
  );
  const errors = errorPaths(site);
  const suppressions = suppressionsNear(site);
  const sentences = [
    unguarded.length === 0 ? null : `Called without any condition before the call at ${listPlaces(unguarded)}.`,
    errors.length === 0 ? "The function handles no error of its own." : `Error paths: ${listPlaces(errors)}.`,
    tests.length === 0
      ? "No test was found that calls it by name."
      : `Tests call it at ${listPlaces(tests)}; whether they cover this claim is not known.`,
    suppressions.length === 0
      ? null
      : `A checker is silenced at ${listPlaces(suppressions)}: someone knew of a report there, which says nothing about who was right.`,
    "What would settle it: a test that drives the line with the input the finding names.",
  ].filter((sentence) => sentence !== null);
  const crux = cruxOf(unguarded, tests, suppressions);
  const places = [...unguarded.slice(0, 3), ...errors.slice(0, 2), ...tests.slice(0, 2), ...suppressions.slice(0, 2)];
  return { kind: "gave", answer: await answerFrom(task, crux, sentences, places, adapters) };
}

function cruxOf(
  unguarded: readonly CodePlace[],
  tests: readonly CodePlace[],
  suppressions: readonly CodePlace[],
): string {
  if (unguarded.length > 0) return `A path without a check: ${listPlaces(unguarded, 2)}.`;
  if (suppressions.length > 0) return `A report was silenced at ${listPlaces(suppressions, 1)}.`;
  if (tests.length > 0) return `${tests.length} test line${tests.length === 1 ? "" : "s"} call it; none was run.`;
  return "No other caller, test or suppression was found: nothing new to add.";
}

async function withoutGuard(callers: readonly Caller[], repository: Repository): Promise<CodePlace[]> {
  const bare: CodePlace[] = [];
  for (const caller of callers) {
    const text = await repository.text(caller.file);
    if (text === null) continue;
    if (caller.within === null || guardsBefore(caller.file, text.lines, caller.within, caller.line).length === 0)
      bare.push(caller);
  }
  return bare;
}

function errorPaths(site: Site): CodePlace[] {
  if (site.within === null) return [];
  const places: CodePlace[] = [];
  for (let line = site.within.line; line <= site.within.endLine; line += 1) {
    if (
      /\b(?:catch|except|rescue|recover)\b|\.catch\s*\(|\bthrow\b|\braise\b|if\s+err\s*!=\s*nil/.test(
        site.code[line - 1] ?? "",
      )
    )
      places.push({ file: site.file, line });
  }
  return places;
}

function suppressionsNear(site: Site): CodePlace[] {
  const from = Math.max(1, site.line - 2);
  const places: CodePlace[] = [];
  for (let line = from; line <= Math.min(site.endLine + 1, site.text.lines.length); line += 1) {
    if (SUPPRESSION.test(site.text.lines[line - 1] ?? "")) places.push({ file: site.file, line });
  }
  return places;
}
