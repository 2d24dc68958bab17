import type { RootSuggestion } from "../core/sourceRoots.ts";
import type { SuggestRootsResult } from "../protocol/worker.ts";
import type { Asker } from "./asker.ts";
import { inFigures } from "./findingsTree.ts";

type Mapping = Pick<RootSuggestion, "from" | "to">;

/** What the command works with. */
export interface RootPorts {
  readonly ask: Pick<Asker, "input" | "modal" | "pick" | "tell">;
  readonly suggest: (tried: Mapping | null) => Promise<SuggestRootsResult>;
  /** Writes a mapping into the workspace's settings; resolves when the worker was told. */
  readonly remember: (mapping: Mapping) => Promise<void>;
}

/** Lets the person choose where cited paths lie, with what each mapping would fix; remembers it and tells what it did. */
export async function mapSourceRoot(ports: RootPorts): Promise<void> {
  const before = await ports.suggest(null);
  if (before.missing === 0) return void (await ports.ask.tell("info", "Every finding that names a file has found it."));
  const chosen = await choose(ports, before);
  if (chosen === null) return;
  await ports.remember(chosen);
  const { missing } = await ports.suggest(null);
  const fixed = Math.max(0, before.missing - missing);
  const text = `${inFigures(fixed)} of ${findings(before.missing)} found a file.`;
  await ports.ask.tell(fixed === 0 ? "warning" : "info", `${text} The mapping stands in the workspace's settings.`);
}

async function choose({ ask, suggest }: RootPorts, { missing, example, suggestions }: SuggestRootsResult) {
  const choices = suggestions.map(({ from, to, fixes }) => ({
    label: `${plain(from) || "(any relative path)"} → ${plain(to) || "(workspace)"}`,
    description: `fixes ${inFigures(fixes)} of ${inFigures(missing)}`,
    value: { from, to },
  }));
  const own = { label: "Enter a folder…", description: `for example for ${plain(example)}`, value: null };
  const picked = await ask.pick<Mapping | null>([...choices, own], `${findings(missing)} without a file`);
  if (picked === undefined) return null;
  if (picked !== null) return picked;
  const entered = await enter(ask, example);
  if (entered === null) return null;
  const fixes = (await suggest(entered)).suggestions[0]?.fixes ?? 0;
  if (fixes > 0) return entered;
  const detail = "No file of this workspace is where the mapping leads. It may help later reviews.";
  return (await ask.modal(`This fixes none of ${findings(missing)}.`, detail, "Keep It All the Same")) ? entered : null;
}

async function enter(ask: RootPorts["ask"], example: string): Promise<Mapping | null> {
  const from = await ask.input({
    title: "Map Source Root (1/2)",
    prompt: `The beginning of cited paths that is replaced, or a SARIF base id as %SRCROOT%; empty for every relative path. A finding cites ${example}.`,
    password: false,
    value: example.slice(0, Math.max(example.lastIndexOf("/"), example.lastIndexOf("\\")) + 1),
    problem: () => null,
  });
  if (from === undefined) return null;
  const to = await ask.input({
    title: "Map Source Root (2/2)",
    prompt: "The folder it lies in, relative to the workspace; empty for the workspace itself.",
    password: false,
    problem: folderProblem,
  });
  return to === undefined ? null : { from: from.trim(), to: to.trim() };
}

/** Why a text is no folder of the workspace; null where it may be one. */
export function folderProblem(text: string): string | null {
  const folder = text.trim();
  if (/^[/\\]|:/.test(folder)) return "The folder is written relative to the workspace.";
  return folder.split(/[/\\]/).includes("..") ? "The folder must lie in the workspace." : null;
}

/** Text of a review is no icon of the editor. */
function plain(text: string): string {
  return text.replaceAll("$(", "$\u200B(");
}

function findings(count: number): string {
  return `${inFigures(count)} ${count === 1 ? "finding" : "findings"}`;
}
