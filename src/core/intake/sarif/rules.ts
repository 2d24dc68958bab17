import type { JsonObject } from "../json.ts";
import { filledAt, isObject, listAt, objectAt, textAt, wholeAt } from "../json.ts";

/** One tool component (driver or extension) with its rules made findable. */
interface Component {
  readonly name: string | null;
  readonly guid: string | null;
  readonly rules: readonly unknown[];
  readonly byId: ReadonlyMap<string, JsonObject>;
  readonly byGuid: ReadonlyMap<string, JsonObject>;
  readonly source: JsonObject;
}

/** All components of one run, the driver first, then the extensions in their order. */
export type Components = readonly Component[];

/** What a result says about its rule: the id as it will be shown, and the descriptor ({} where there is none). */
export interface FoundRule {
  readonly id: string | null;
  readonly descriptor: JsonObject;
  /** The component the rule was looked for in: home of `globalMessageStrings`. */
  readonly component: JsonObject;
}

/** Indexes the rules of a run's driver and extensions once, so that a result finds its rule in constant time. */
export function indexRules(run: JsonObject): Components {
  const tool = objectAt(run, "tool");
  return [objectAt(tool, "driver"), ...listAt(tool, "extensions")].map(indexComponent);
}

function indexComponent(source: unknown): Component {
  const byId = new Map<string, JsonObject>();
  const byGuid = new Map<string, JsonObject>();
  const rules = listAt(source, "rules");
  for (const rule of rules) {
    if (!isObject(rule)) continue;
    const guid = textAt(rule, "guid")?.toLowerCase();
    if (guid !== undefined) byGuid.set(guid, rule);
    for (const id of [textAt(rule, "id"), ...listAt(rule, "deprecatedIds")]) {
      if (typeof id === "string" && !byId.has(id)) byId.set(id, rule);
    }
  }
  const guid = textAt(source, "guid")?.toLowerCase() ?? null;
  return { name: textAt(source, "name"), guid, rules, byId, byGuid, source: isObject(source) ? source : {} };
}

/**
 * The rule of a result (SARIF 2.1.0, 3.27.5-3.27.7 and 3.52): by index where the index agrees with the id, by guid, by id, by the
 * parents of a hierarchical id (`CWE-78/api-handler`), in the named component first and then in all.
 */
export function findRule(components: Components, result: JsonObject): FoundRule {
  const reference = objectAt(result, "rule");
  const named = findComponent(components, objectAt(reference, "toolComponent"));
  const home = named ?? components[0];
  const id = filledAt(result, "ruleId") ?? filledAt(reference, "id");
  const guid = textAt(reference, "guid")?.toLowerCase() ?? null;
  const descriptor =
    byIndex(home, wholeAt(result, "ruleIndex") ?? wholeAt(reference, "index"), id) ??
    inOrder(home, components, (component) => (guid === null ? undefined : component.byGuid.get(guid))) ??
    inOrder(home, components, (component) => byHierarchicalId(component, id)) ??
    {};
  // Results of one rule share the text of its id.
  const known = filledAt(descriptor, "id");
  return { id: id === null || id === known ? known : id, descriptor, component: home?.source ?? {} };
}

function findComponent(components: Components, reference: JsonObject): Component | null {
  const index = wholeAt(reference, "index");
  // Index 0 is the first extension; the driver has none (3.54.4).
  if (index !== null && index >= 0 && components[index + 1] !== undefined) return components[index + 1] ?? null;
  const guid = textAt(reference, "guid")?.toLowerCase() ?? null;
  const name = textAt(reference, "name");
  return (
    components.find((component) => guid !== null && component.guid === guid) ??
    components.find((component) => name !== null && component.name === name) ??
    null
  );
}

/** A wrong index is common, so it is believed only where it does not contradict the id. */
function byIndex(home: Component | undefined, index: number | null, id: string | null): JsonObject | null {
  const rule = index === null ? undefined : home?.rules[index];
  if (!isObject(rule)) return null;
  const own = textAt(rule, "id");
  const agrees = id === null || own === null || id === own || id.startsWith(`${own}/`);
  return agrees || listAt(rule, "deprecatedIds").includes(id) ? rule : null;
}

function inOrder(
  home: Component | undefined,
  components: Components,
  find: (component: Component) => JsonObject | undefined,
): JsonObject | null {
  const inHome = home === undefined ? undefined : find(home);
  if (inHome !== undefined) return inHome;
  for (const component of components) {
    const found = find(component);
    if (found !== undefined) return found;
  }
  return null;
}

function byHierarchicalId(component: Component, id: string | null): JsonObject | undefined {
  let rest = id ?? "";
  for (let depth = 0; rest !== "" && depth < 16; depth += 1) {
    const found = component.byId.get(rest);
    if (found !== undefined) return found;
    const cut = rest.lastIndexOf("/");
    rest = cut > 0 ? rest.slice(0, cut) : "";
  }
  return undefined;
}
