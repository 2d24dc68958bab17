import { isTestFile } from "../checks/referenced.ts";
import type { CodePlace } from "../code/modules.ts";
import type { Mask, Repository } from "../ports.ts";
import type { Given, RoundTask } from "../reviewer.ts";
import type { Answer } from "../round.ts";
import { answerFrom, callersOf, listPlaces, siteOf } from "./look.ts";

/** Round 1: does the place hold what the finding says, and who reaches the code (R0.9)? */
export async function answerPremise(
  task: RoundTask,
  adapters: { readonly repository: Repository; readonly mask: Mask },
): Promise<Given<Answer>> {
  const { repository } = adapters;
  const place = task.checks.find((check) => check.check === "place");
  const site = await siteOf(task, repository);
  if (site === null) {
    const crux = place?.text ?? "The finding has no place in this workspace.";
    const reasoning =
      "Without the code nothing can be said about it. Open the workspace that was reviewed, or map its paths.";
    return { kind: "gave", answer: { verdict: "UNCERTAIN", crux, reasoning, citations: [] } };
  }
  await task.desk.run({
    verb: "read",
    file: site.file,
    from: site.within?.line ?? Math.max(1, site.line - 10),
    to: site.within?.endLine ?? site.line + 10,
  });
  const here: CodePlace = { file: site.file, line: site.line };
  const sentences = [place?.text ?? ""];
  if (site.within === null) {
    sentences.push("The line runs when the module is loaded, so whoever imports the file reaches it.");
    const crux = `${site.file}:${site.line} is top-level code: it runs on load.`;
    return { kind: "gave", answer: await answerFrom(task, crux, sentences, [here], adapters) };
  }
  const { name } = site.within;
  const found = await callersOf(name, site, task, repository);
  const callers = found.callers.filter((caller) => !(caller.file === site.file && caller.within?.name === name));
  const product = callers.filter((caller) => !isTestFile(caller.file));
  sentences.push(sentenceOnCallers(name, callers, product, found.searched, found.complete));
  sentences.push("What would settle it: whether a value that breaks the line can arrive through one of these callers.");
  const crux =
    product.length === 0
      ? `No caller of ${name} was found by search, which proves nothing.`
      : `${name} is reached from ${listPlaces(product, 2)}.`;
  return { kind: "gave", answer: await answerFrom(task, crux, sentences, [here, ...product.slice(0, 4)], adapters) };
}

function sentenceOnCallers(
  name: string,
  callers: readonly CodePlace[],
  product: readonly CodePlace[],
  searched: boolean,
  complete: boolean,
): string {
  if (!searched) return `Who calls ${name} could not be searched.`;
  if (callers.length === 0)
    return `A search for calls of ${name} found none; dynamic calls, exports and routes are not seen by it.`;
  const tests = callers.length - product.length;
  const rest = complete ? "" : " The list is cut.";
  return `${name} is called from ${product.length === 0 ? "tests only" : listPlaces(product)}${tests > 0 && product.length > 0 ? ` and from ${tests} test line${tests === 1 ? "" : "s"}` : ""}.${rest}`;
}
