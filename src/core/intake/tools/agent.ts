import type { Claimed, ReviewReading, Unread } from "../../finding.ts";
import { NO_SPAN } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { isObject, shortValue, step } from "../json.ts";
import { leadingPlace, readPlace } from "../markdown/places.ts";
import { readSeverity } from "../markdown/severityWords.ts";
import type { Inherited } from "./agentFinding.ts";
import { rankOf, readAgentFinding } from "./agentFinding.ts";
import { placeOfFields } from "./agentPlace.ts";
import { CHILD_LISTS, FINDING_LISTS, openFields, plainName, textOf } from "./aliases.ts";
import type { Draft, Standing, ToolContext } from "./tool.ts";
import { WHOLE_FILE, finishDraft, notRead } from "./tool.ts";

interface Found {
  readonly claimed: Claimed[];
  readonly unread: Unread[];
}

interface Walk extends ToolContext {
  readonly standing: Standing;
}

const NOTHING: Inherited = { place: null, tool: null, severity: null, category: null, relaxed: false };
// Real reports nest a handful of levels; the bound keeps a hostile one from exhausting the stack.
const DEEPEST = 40;

/**
 * Findings anywhere in a JSON value, known by their members (`ALIASES`): file, line, severity, text in any of their spellings, alone, in
 * lists, grouped by file, severity or pull request. Null where nothing looks like a finding. An entry beside findings that is none is unread (C20).
 */
export function readAgentFindings(
  value: unknown,
  context: ToolContext,
  standing: Standing = WHOLE_FILE,
): ReviewReading | null {
  const found = visit({ ...context, standing }, value, "", "", NOTHING, 0);
  if (found.claimed.length === 0 && found.unread.length === 0 && !isEmptyReport(value)) return null;
  return { format: "agent", ...found, revision: revisionOf(value) };
}

/** `{"findings": []}`: an agent that found nothing. */
function isEmptyReport(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).some(
      ([name, list]) => FINDING_LISTS.has(plainName(name)) && Array.isArray(list) && list.length === 0,
    )
  );
}

function revisionOf(value: unknown): string | null {
  if (!isObject(value)) return null;
  for (const [name, member] of Object.entries(value)) {
    const isName = /^(?:commit|commitsha|commithash|commitid|revision|headsha|sha|gitsha)$/.test(plainName(name));
    if (isName && typeof member === "string" && /^[0-9a-f]{7,64}$/i.test(member)) return member;
  }
  return null;
}

function visit(walk: Walk, value: unknown, name: string, pointer: string, inherited: Inherited, depth: number): Found {
  if (depth > DEEPEST || typeof value !== "object" || value === null) return { claimed: [], unread: [] };
  if (Array.isArray(value)) return visitList(walk, value, name, pointer, inherited, depth);
  return isObject(value) ? visitObject(walk, value, pointer, inherited, depth) : { claimed: [], unread: [] };
}

function visitObject(walk: Walk, object: JsonObject, pointer: string, inherited: Inherited, depth: number): Found {
  const entries = Object.entries(object).filter(([, member]) => typeof member === "object" && member !== null);
  const hasLists = entries.some(
    ([name, member]) => CHILD_LISTS.has(plainName(name)) && Array.isArray(member) && member.some(isObject),
  );
  const draft = readAgentFinding(object, inherited, walk.severityMap);
  if (draft !== null && !hasLists) return keep(walk, draft, pointer);
  if (entries.length === 0) return { claimed: [], unread: [] };
  const below: Inherited = { ...inheritedBy(walk, object, inherited), relaxed: false };
  const found: Found = { claimed: [], unread: [] };
  for (const [name, member] of entries) {
    const named: Inherited = { ...below, ...saidByName(walk, name) };
    append(found, visit(walk, member, name, step(pointer, name), named, depth + 1));
  }
  return draft !== null && found.claimed.length === 0 ? keep(walk, draft, pointer) : found;
}

/** What an object that is no finding itself says about the findings in it. */
function inheritedBy(walk: Walk, object: JsonObject, inherited: Inherited): Inherited {
  const fields = openFields(object);
  const place = placeOfFields(fields);
  const severity = fields.pick("severity", (value, alias) => rankOf(value, alias, walk.severityMap));
  const tool = fields.pick("tool", (value) => textOf(isObject(value) ? value["name"] : value));
  const category = fields.pick("category", (value) => (typeof value === "string" ? value : undefined));
  return {
    ...inherited,
    place: place.path === null ? inherited.place : { ...place, span: NO_SPAN },
    tool: tool ?? inherited.tool,
    severity: severity ?? inherited.severity,
    category: category ?? inherited.category,
  };
}

/** Findings are also grouped under a severity (`"critical": [...]`) or under their file (`"src/a.ts": [...]`). */
function saidByName(walk: Walk, name: string): Partial<Inherited> {
  if (/^[A-Za-z]\w{1,14}$/.test(name)) {
    const read = readSeverity(name.replace(/_?(?:issues|findings|severity)$/i, ""), walk.severityMap);
    return read === null ? {} : { severity: read.sourceSeverity };
  }
  const place = /[./\\]/.test(name) && name.length < 500 ? readPlace(name) : null;
  return place === null ? {} : { place: { ...place, others: [], words: null } };
}

function visitList(
  walk: Walk,
  list: readonly unknown[],
  name: string,
  pointer: string,
  inherited: Inherited,
  depth: number,
): Found {
  const relaxed = FINDING_LISTS.has(plainName(name));
  const below = { ...inherited, relaxed };
  const parts = list.map((entry, index) => {
    const place = step(pointer, index);
    if (typeof entry === "string")
      return { entry, place, found: relaxed ? visitText(walk, entry, place, inherited) : null };
    return { entry, place, found: visit(walk, entry, relaxed ? name : "", place, below, depth + 1) };
  });
  const holdsFindings = relaxed || parts.some(({ entry, found }) => isObject(entry) && found?.claimed.length === 1);
  const all: Found = { claimed: [], unread: [] };
  for (const { entry, place, found } of parts) {
    const isEmpty = found === null || (found.claimed.length === 0 && found.unread.length === 0);
    if (found !== null && !isEmpty) append(all, found);
    else if (holdsFindings && isMissed(entry)) {
      const reason = "This entry stands among findings and is none: it needs a text, and a place or a severity.";
      all.unread.push(notRead(walk.path, walk.standing.locate(place), shortValue(entry), reason));
    }
  }
  return all;
}

/** An empty list or object hides nothing. */
function isMissed(entry: unknown): boolean {
  if (typeof entry === "object" && entry !== null) return Object.keys(entry).length > 0;
  return entry !== "" && entry !== undefined;
}

/** A finding that is only a text: `HIGH: src/a.ts:12 leaks the handle`. It has to start with a severity or a place. */
function visitText(walk: Walk, text: string, pointer: string, inherited: Inherited): Found {
  const rank = readSeverity(text.slice(0, 200), walk.severityMap);
  const start = rank === null ? text : text.replace(/^[^\p{L}\p{N}]*[\p{L}\p{N}]+[^\p{L}\p{N}./`<]*/u, "");
  const leading = leadingPlace(start.slice(0, 2000));
  if (rank === null && leading === null) return { claimed: [], unread: [] };
  const draft: Draft = {
    tool: inherited.tool ?? "agent",
    message: (leading === null ? start : leading.rest + start.slice(2000)).trim() || text,
    severities: rank === null ? [] : [rank.sourceSeverity],
    path: leading?.place.path ?? inherited.place?.path ?? null,
    span: leading?.place.span ?? NO_SPAN,
    extra: { reader: "agent", text },
  };
  return keep(walk, draft, pointer);
}

function keep(walk: Walk, draft: Draft, pointer: string): Found {
  const at = walk.standing.locate(pointer);
  return { claimed: [finishDraft(draft, at.pointer, walk.severityMap)], unread: [] };
}

function append(all: Found, more: Found): void {
  for (const each of more.claimed) all.claimed.push(each);
  for (const each of more.unread) all.unread.push(each);
}
