import type { CodePlace } from "../code/modules.ts";
import type { Given, RoundTask } from "../reviewer.ts";
import type { Answer } from "../round.ts";
import { type Origin, originsOf } from "../evidence/flow.ts";
import { type Adapters, flaggedLines, type Site, siteOf } from "../evidence/site.ts";
import { answerFrom, listPlaces, quoteAt } from "./look.ts";
import { loadersOf, type Reach, reachOf, type Use } from "../evidence/reach.ts";

/** Round 1: does the place hold what the finding says, who reaches it, and where do its values come from (R0.9)? */
export async function answerPremise(task: RoundTask, adapters: Adapters): Promise<Given<Answer>> {
  const place = task.checks.find((check) => check.check === "place");
  const site = await siteOf(task, adapters);
  if (site === null) {
    const crux = place?.text ?? "The finding has no place in this workspace.";
    const reasoning =
      "Without the code nothing can be said about it. Open the workspace that was reviewed, or map its paths.";
    return { kind: "gave", answer: { verdict: "UNCERTAIN", crux, reasoning, citations: [] } };
  }
  const from = site.within?.line ?? Math.max(1, site.line - 10);
  const to = Math.min(site.within?.endLine ?? site.line + 10, from + 120);
  await task.desk.run({ verb: "read", file: site.file, from, to });
  const flagged = flaggedLines(site);
  const here = flagged.slice(0, 2).map((line) => ({ file: site.file, line }));
  const origins = await originsOf(site, flagged, adapters);
  const values = sentenceOnValues(origins, site);
  if (site.within === null) {
    const loading = `${site.file}:${site.line} stands outside any function: it runs when the file is loaded.`;
    const sentences = [place?.text ?? "", values, "Whoever loads the file reaches it."];
    return { kind: "gave", answer: await answerFrom(task, loading, sentences, here, adapters) };
  }
  const { name } = site.within;
  const reach = await reachOf(name, site, task, adapters);
  const product = reach.uses.filter((use) => !use.test);
  const loaders = product.length === 0 ? await loadersOf(site, task, adapters.repository) : [];
  const crux = await cruxOf(name, reach, product, loaders, adapters);
  const sentences = [
    place?.text ?? "",
    sentenceOnReach(name, reach, product, loaders),
    values,
    task.checks.some((check) => check.atom?.claimClass === 12)
      ? "What would settle it: a use that no search by name can see, or the owner's word that there is none."
      : "What would settle it: whether a value that breaks the line can arrive this way.",
  ];
  const feeding = origins.filter((origin) => origin.kind === "local").slice(0, 3);
  const places: CodePlace[] = [...here, ...product.slice(0, 4), ...loaders.slice(0, 2), ...feeding];
  return { kind: "gave", answer: await answerFrom(task, crux, sentences, places, adapters) };
}

async function cruxOf(
  name: string,
  reach: Reach,
  product: readonly Use[],
  loaders: readonly CodePlace[],
  adapters: Adapters,
): Promise<string> {
  const [first] = product;
  const more = product.length > 1 ? ` and ${product.length - 1} more place${product.length > 2 ? "s" : ""}` : "";
  if (first !== undefined) {
    const verb = first.kind === "call" ? "is called from" : "is handed on at";
    return `\`${name}\` ${verb} ${await quoteAt(first, adapters)}${more}.`;
  }
  const [loader] = loaders;
  if (loader !== undefined) return `The file of \`${name}\` is loaded at ${await quoteAt(loader, adapters)}.`;
  if (reach.uses.length > 0) return `Only tests were found to use \`${name}\`, first at ${listPlaces(reach.uses, 1)}.`;
  return reach.searched
    ? `No use of \`${name}\` was found, which does not show that there is none.`
    : `Who uses \`${name}\` could not be searched.`;
}

function sentenceOnReach(name: string, reach: Reach, product: readonly Use[], loaders: readonly CodePlace[]): string {
  if (!reach.searched) return `Who uses ${name} could not be searched.`;
  const calls = product.filter((use) => use.kind === "call");
  const handed = product.filter((use) => use.kind === "handed on");
  const tests = reach.uses.filter((use) => use.test);
  const parts = [
    calls.length === 0 ? null : `called at ${listPlaces(calls)}`,
    handed.length === 0 ? null : `handed on as a value at ${listPlaces(handed)}`,
    tests.length === 0 ? null : `used by tests at ${listPlaces(tests, 2)}`,
    loaders.length === 0 ? null : `in a file that is loaded at ${listPlaces(loaders)}`,
  ].filter((part) => part !== null);
  const cut = reach.complete ? "" : " The list is not complete.";
  return parts.length === 0
    ? `A search for ${name} found no use; reflection, templates and other repositories are not seen by it.${cut}`
    : `${name} is ${parts.join(", ")}.${cut}`;
}

function sentenceOnValues(origins: readonly Origin[], site: Site): string | null {
  const named = (kind: Origin["kind"]): Origin[] => origins.filter((origin) => origin.kind === kind);
  const locals = named("local").map((origin) => `${origin.name} is set at line ${origin.line}`);
  const parameters = named("parameter").map((origin) => origin.name);
  const parts = [
    parameters.length === 0
      ? null
      : `${parameters.join(", ")} ${parameters.length === 1 ? "is a parameter" : "are parameters"} of ${site.within?.name ?? "the function"}`,
    locals.length === 0 ? null : locals.slice(0, 4).join(", "),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `Values on the line: ${parts.join("; ")}.`;
}
