import type { FindingStatus, RelatedPlace, SourceSeverity } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { severityOf } from "../../severity.ts";
import type { JsonObject } from "../json.ts";
import { at, isObject } from "../json.ts";
import { readSeverity } from "../markdown/severityWords.ts";
import type { AgentPlace } from "./agentPlace.ts";
import { placeOfFields } from "./agentPlace.ts";
import type { Fields } from "./aliases.ts";
import { STATUSES, STATUS_FLAGS, openFields, plainName, textOf } from "./aliases.ts";
import { confidenceOf, cweOf, present, restOf } from "./fields.ts";
import type { Draft } from "./tool.ts";

/** What an entry takes over from the objects and lists it stands in. */
export interface Inherited {
  readonly place: AgentPlace | null;
  readonly tool: string | null;
  readonly severity: SourceSeverity | null;
  readonly category: string | null;
  /** In a list whose name says that its entries are findings. */
  readonly relaxed: boolean;
}

// Names that alone make a text beside a file a finding; a `name` or a `content` beside a file is an inventory.
const STRONG =
  /^(?:message|msg|issue|problem|finding|claim|bug|vulnerability|defect|comment|body|note|issuetext|concern|violation)$/;
/** A severity under these names needs no place beside it; `level` and `type` also stand in every log line. */
const STRICT: ReadonlySet<string> = new Set([
  "severity",
  "severitylevel",
  "sev",
  "priority",
  "risk",
  "risklevel",
  "criticality",
]);

/** An object as a finding, or null where it says too little to be one: no text, or neither a place nor a severity. */
export function readAgentFinding(object: JsonObject, inherited: Inherited, map: SeverityMap): Draft | null {
  const fields = openFields(object);
  if (!fields.mayHaveText) return null;
  const place = placeOfFields(fields);
  const severity = readRank(fields, map);
  let strong = false;
  const text = (value: unknown, alias: string): string | undefined => {
    const found = typeof value === "number" ? undefined : textOf(value);
    strong ||= found !== undefined && STRONG.test(alias);
    return found;
  };
  const headline = fields.pick("headline", text);
  const body = fields.pick("message", text);
  const message = [headline, body].filter((part) => part !== undefined);
  if (message.length === 0) return null;
  const path = place.path ?? inherited.place?.path ?? null;
  const said = ["rule", "category", "fix", "confidence", "cwe"] as const;
  const signals = place.span.line !== null || severity.length > 0 || said.some((field) => fields.has(field));
  const placed = (path !== null || place.words !== null) && (signals || strong);
  const ranked = severity.some(({ strict }) => strict);
  if (!placed && !ranked && !(inherited.relaxed && headline !== undefined)) return null;
  return draftOf(object, fields, { ...place, path }, severity, joined(headline, body), inherited);
}

/** The headline, and below it what says more than it. */
function joined(headline: string | undefined, body: string | undefined): string {
  if (headline === undefined || body === undefined) return headline ?? body ?? "";
  return body.startsWith(headline) ? body : `${headline}\n${body}`;
}

interface Rank extends SourceSeverity {
  /** Known, and under a name that means nothing else. */
  readonly strict: boolean;
}

function readRank(fields: Fields, map: SeverityMap): Rank[] {
  const ranks: Rank[] = [];
  // Each alias is asked; the first one that a scale knows wins, the others stay in `extra`.
  const known = fields.pick("severity", (value, alias) => {
    const found = rankOf(value, alias, map);
    if (found !== null && severityOf(found, map) !== null) return { ...found, strict: STRICT.has(alias) };
    if (found !== null && alias.startsWith("sev")) ranks.push({ ...found, strict: false });
    return undefined;
  });
  return known === undefined ? [...scoreOf(fields), ...ranks, ...byType(fields)] : [known, ...ranks];
}

/** pylint and others say in `type` how bad it is; anywhere else `type` is a category. */
function byType(fields: Fields): Rank[] {
  const type = fields.get("type");
  if (typeof type !== "string") return [];
  if (/^(?:fatal|error|warning|info|note)$/i.test(type)) return [{ scale: "compiler", value: type, strict: false }];
  return /^(?:convention|refactor)$/i.test(type) ? [{ scale: "word", value: type, strict: false }] : [];
}

function scoreOf(fields: Fields): Rank[] {
  const score = fields.pick("score", (value) => {
    const number = isObject(value) ? (at(value, "score") ?? at(value, "baseScore") ?? at(value, "base_score")) : value;
    const text = typeof number === "number" || typeof number === "string" ? String(number) : "";
    return severityOf({ scale: "security-severity", value: text }) === null ? undefined : text;
  });
  return score === undefined ? [] : [{ scale: "security-severity", value: score, strict: true }];
}

/** A severity as written, on the scale it is most likely from (`alias` is the member's plain name). Prose under such a name is none. */
export function rankOf(value: unknown, alias: string, map: SeverityMap): SourceSeverity | null {
  if (isObject(value)) return rankOf(at(value, "level") ?? at(value, "name") ?? at(value, "label") ?? null, alias, map);
  if (typeof value !== "number" && typeof value !== "string") return null;
  const text = String(value).trim();
  if (text === "" || text.length > 60) return null;
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    if (alias === "priority" || alias === "urgency") return { scale: "priority-number", value: text };
    const small = /^[0-5]$/.test(text);
    return { scale: small ? "severity-number" : "security-severity", value: text };
  }
  if (/^P\d$/i.test(text)) return { scale: "p-scale", value: text };
  if (/^S(?:EV)?[- ]?\d$/i.test(text)) return { scale: "s-scale", value: text };
  const read = readSeverity(text, map);
  if (read !== null) return read.sourceSeverity;
  return /^\S+(?:\s\S+){0,2}$/.test(text) ? { scale: "word", value: text } : null;
}

function draftOf(
  object: JsonObject,
  fields: Fields,
  place: AgentPlace,
  severity: readonly Rank[],
  message: string,
  inherited: Inherited,
): Draft {
  const code = fields.get("code");
  // `code` is a rule's id in one tool and the quoted source in another.
  const isRule = typeof code !== "string" || /^[\w./:-]{1,60}$/.test(code);
  const rule = fields.pick("rule", (value, alias) => (alias === "code" && !isRule ? null : scalar(value))) ?? null;
  const quote = fields.pick("quote", (value, alias) => (alias === "code" && isRule ? null : codeOf(value))) ?? null;
  const tags = fields.get("tags");
  const ranks = severity.map(({ scale, value }) => ({ scale, value }));
  return {
    tool: fields.pick("tool", toolOf) ?? inherited.tool ?? "agent",
    message,
    severities: inherited.severity === null ? ranks : [...ranks, inherited.severity],
    sourceId: fields.pick("id", scalar) ?? null,
    path: place.path,
    span: place.span,
    rule,
    category: fields.pick("category", categoryOf) ?? inherited.category,
    status: statusOf(fields),
    quote,
    fix: fields.pick("fix", fixOf) ?? null,
    helpUri: fields.pick("helpUri", addressOf) ?? null,
    cwe: cweOf(
      fields.pick("cwe", (value) => value),
      rule,
      Array.isArray(tags) ? tags : null,
    ),
    finderConfidence: fields.pick("confidence", confidenceOf) ?? null,
    help: fields.pick("help", sentence) ?? null,
    related: relatedOf(fields, place),
    ...extraOf(object, fields, place),
  };
}

/** Last of all, when every member that means something has been taken. */
function extraOf(object: JsonObject, fields: Fields, place: AgentPlace): Pick<Draft, "extra"> {
  const reproduction = fields.pick("reproduction", textOf);
  const ours = { location: place.words, reproduction, status: fields.get("status"), tags: fields.get("tags") };
  return { extra: { ...restOf(object, fields.taken()), ...present(ours), reader: "agent" } };
}

function relatedOf(fields: Fields, place: AgentPlace): RelatedPlace[] {
  const also = fields.pick("related", (value) =>
    Array.isArray(value) ? placeOfFields(openFields({ locations: value })) : undefined,
  );
  const more = also === undefined ? [] : [{ path: also.path, span: also.span, message: "" }, ...also.others];
  return [...place.others, ...more].filter(({ path, span }) => path !== null || span.line !== null);
}

/** Only words explain anything; `impact: 3` does not. */
function sentence(value: unknown): string | undefined {
  return typeof value === "string" && /\s/.test(value.trim()) ? value.trim() : undefined;
}

function statusOf(fields: Fields): FindingStatus {
  const said = fields.pick("status", (value) =>
    typeof value === "string" ? STATUSES.get(plainName(value)) : undefined,
  );
  if (said !== undefined) return said;
  for (const [name, status] of STATUS_FLAGS) if (fields.get(name) === true) return status;
  return "open";
}

function scalar(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (isObject(value)) return textOf(at(value, "id") ?? at(value, "name") ?? at(value, "value"));
  return typeof value === "string" ? textOf(value) : undefined;
}

function categoryOf(value: unknown): string | undefined {
  return typeof value === "number" ? undefined : scalar(Array.isArray(value) ? value[0] : value);
}

function toolOf(value: unknown): string | undefined {
  const name = scalar(value);
  return name === undefined || name.length > 80 ? undefined : name;
}

/** Code as quoted, without a fence around it. */
function codeOf(value: unknown): string | undefined {
  const text = isObject(value) ? textOf(at(value, "text") ?? at(value, "code") ?? at(value, "content")) : textOf(value);
  return text?.replace(/^```[^\n]*\n|\n?```$/g, "");
}

function fixOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => fixOf(each) ?? []).join("\n") || undefined;
  if (!isObject(value)) return typeof value === "string" ? textOf(value) : undefined;
  const parts = ["description", "summary", "message", "text", "title", "code", "patch", "diff", "after", "replacement"];
  return parts.flatMap((name) => textOf(at(value, name)) ?? []).join("\n") || undefined;
}

function addressOf(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.find((each: unknown) => typeof each === "string") : value;
  return typeof text === "string" && /^https?:\/\/\S+$/i.test(text.trim()) ? text.trim() : undefined;
}
