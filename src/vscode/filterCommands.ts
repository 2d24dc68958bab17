import type { FindingsQuery, Grouping } from "../protocol/query.ts";
import { SHOW_ALL } from "../protocol/query.ts";
import type { Application } from "./application.ts";
import type { TickedChoice } from "./asker.ts";
import { MOST_NAME } from "./filterState.ts";
import { queryInWords, sameQuery, STATE_WORDS, STATES, visible } from "./filterWords.ts";
import { PAGE } from "./findingsStore.ts";
import { inFigures } from "./findingsTree.ts";
import { SEVERITIES } from "./severities.ts";

// Everything the filter bar can do, for whoever does not use it: by input boxes and picks of the editor.

/** Asks for the words that findings must hold. */
export async function filterByText(app: Application): Promise<void> {
  const prompt = "Words that must all occur in message, file, rule or tool. Empty: all findings.";
  const text = await ask(app, "Filter Findings", prompt, app.filter.query.text);
  if (text !== undefined) await app.filter.change({ text });
}

async function filterByPath(app: Application): Promise<void> {
  const prompt = "A part of the path, or a glob such as src/**/*.ts. Empty: all files.";
  const path = await ask(app, "Filter Findings by Path", prompt, app.filter.query.path);
  if (path !== undefined) await app.filter.change({ path });
}

async function ask(app: Application, title: string, prompt: string, value: string): Promise<string | undefined> {
  return await app.ask.input({ title, prompt, value, password: false, problem: () => null });
}

/** Conditions that are on or off. */
const SWITCHES = {
  waiting: "Waits for You",
  changedOnly: "Changed Files Only",
  suppressed: "Show Suppressed",
  dismissed: "Show Dismissed",
} as const satisfies Partial<Record<keyof FindingsQuery, string>>;

/** Lets the person choose a condition, and then its values. */
export async function filterBy(app: Application): Promise<void> {
  const { query } = app.filter;
  const choices = [
    { label: "Text…", description: query.text, value: () => filterByText(app) },
    { label: "Severity…", description: query.severities.join(", "), value: () => pickSeverities(app) },
    { label: "State…", description: only({ states: query.states }), value: () => pickValues(app, "states") },
    { label: "Tool…", description: only({ tools: query.tools }), value: () => pickValues(app, "tools") },
    { label: "Rule…", description: only({ rules: query.rules }), value: () => pickValues(app, "rules") },
    { label: "Path…", description: query.path, value: () => filterByPath(app) },
    ...switches(app),
  ];
  const chosen = await app.ask.pick(choices, "Filter findings by what?");
  await chosen?.();
}

function switches(app: Application) {
  const { query } = app.filter;
  const one = (name: keyof typeof SWITCHES) => ({
    label: SWITCHES[name],
    description: query[name] ? "on" : "off",
    value: () => app.filter.change({ [name]: !query[name] }),
  });
  return [one("waiting"), one("changedOnly"), one("suppressed"), one("dismissed")];
}

function only(part: Partial<FindingsQuery>): string {
  return queryInWords({ ...SHOW_ALL, ...part });
}

async function pickSeverities(app: Application): Promise<void> {
  const { bySeverity } = app.store.current;
  const chosen = app.filter.query.severities;
  const choices = SEVERITIES.map((value) => ({
    label: value,
    description: inFigures(bySeverity[value]),
    picked: chosen.includes(value),
    value,
  }));
  const severities = await app.ask.pickMany(choices, "Show which severities? None: all.");
  if (severities !== undefined) await app.filter.change({ severities });
}

const VALUES = {
  tools: { by: "tool", noun: "tool" },
  rules: { by: "rule", noun: "rule" },
  states: { by: "state", noun: "state" },
} as const satisfies Record<string, { readonly by: Grouping; readonly noun: string }>;

/** Lets the person tick tools, rules or states out of those that the other conditions leave, with their counts. */
export async function pickValues(app: Application, what: keyof typeof VALUES): Promise<void> {
  const { by, noun } = VALUES[what];
  const query = { ...app.filter.query, [what]: [] };
  const { groups, groupCount } = await app.worker.listGroups({ query, groupBy: by, offset: 0, limit: PAGE });
  const chosen: readonly string[] = app.filter.query[what];
  const choices: TickedChoice<string>[] = groups.map(({ id, label, total }) => ({
    label: wordsOf(what, id, label, noun),
    description: inFigures(total),
    picked: chosen.includes(id),
    value: id,
  }));
  for (const id of chosen) {
    if (choices.some(({ value }) => value === id)) continue;
    choices.push({ label: wordsOf(what, id, visible(id), noun), description: "0", picked: true, value: id });
  }
  const cut = groupCount > groups.length ? ` (${inFigures(groups.length)} of ${inFigures(groupCount)} are listed)` : "";
  const picked = await app.ask.pickMany(choices, `Show which ${noun}s? None: all.${cut}`);
  if (picked === undefined) return;
  if (what === "states") await app.filter.change({ states: statesOf(picked) });
  else await app.filter.change({ [what]: picked });
}

function wordsOf(what: keyof typeof VALUES, id: string, label: string, noun: string): string {
  if (id === "") return `(no ${noun})`;
  const state = what === "states" ? STATES.find((known) => known === id) : undefined;
  // `$(name)` would be drawn as an icon.
  return state === undefined ? label.replaceAll("$(", "$\u200B(") : STATE_WORDS[state];
}

function statesOf(picked: readonly string[]): FindingsQuery["states"] {
  return STATES.filter((state) => picked.includes(state));
}

/** Keeps the present filter under a name that the person gives. */
export async function saveFilter(app: Application): Promise<void> {
  const { filter } = app;
  if (sameQuery(filter.query, SHOW_ALL)) {
    return void (await app.ask.tell("info", "No filter is set that could be saved."));
  }
  const name = await app.ask.input({
    title: "Save Filter",
    prompt: queryInWords(filter.query),
    value: filter.name ?? "",
    password: false,
    problem: (text) => nameProblem(text.trim()),
  });
  if (name === undefined || nameProblem(name.trim()) !== null) return;
  await filter.save(name.trim());
  app.ask.say(`The filter is saved as “${name.trim()}”.`);
}

function nameProblem(name: string): string | null {
  if (name === "") return "Give the filter a name.";
  return name.length > MOST_NAME ? `A name has at most ${MOST_NAME} characters.` : null;
}

/** Shows what a saved filter shows. */
export async function applySavedFilter(app: Application): Promise<void> {
  const saved = await pickSaved(app, "Apply which filter?");
  if (saved !== undefined) await app.filter.set(saved.query);
}

export async function deleteSavedFilter(app: Application): Promise<void> {
  const saved = await pickSaved(app, "Delete which saved filter?");
  if (saved === undefined) return;
  await app.filter.delete(saved.name);
  app.ask.say(`The filter “${saved.name}” is deleted.`);
}

async function pickSaved(app: Application, title: string) {
  const { saved, name } = app.filter;
  if (saved.length === 0) {
    await app.ask.tell("info", "No filter is saved yet. Set one, then run “Save Filter”.");
    return undefined;
  }
  return await app.ask.pick(
    saved.map((one) => savedChoice(one, name, one)),
    title,
  );
}

function savedChoice<T>(saved: Application["filter"]["saved"][number], current: string | null, value: T) {
  const label = saved.name.replaceAll("$(", "$\u200B(");
  return { label: saved.name === current ? `$(check) ${label}` : label, description: queryInWords(saved.query), value };
}

/** The menu of the filter bar: saved filters to apply, then what can be done with them. */
export async function savedMenu(app: Application): Promise<void> {
  const { saved, name, query } = app.filter;
  const choices: { label: string; description: string; value: () => Promise<void> }[] = saved.map((one) =>
    savedChoice(one, name, () => app.filter.set(one.query)),
  );
  if (!sameQuery(query, SHOW_ALL))
    choices.push({ label: "$(save) Save Filter…", description: queryInWords(query), value: () => saveFilter(app) });
  if (saved.length > 0)
    choices.push({ label: "$(trash) Delete Saved Filter…", description: "", value: () => deleteSavedFilter(app) });
  if (choices.length === 0) return await pickSaved(app, "").then(() => undefined);
  await (
    await app.ask.pick(choices, "Saved filters")
  )?.();
}
