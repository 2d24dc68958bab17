import { at, filledAt, listAt } from "../json.ts";
import type { FoundRule } from "./rules.ts";

// Inner brackets are excluded and lengths bounded, so a text full of "[" costs no more than its length.
const LINK =
  /\[((?:\\[^\n]|[^[\]\\]){1,500})\]\((?:\d{1,9}|(?:https?|sarif|file):[^()\s]{1,2000})\)(?:,\s?\(\d{1,9}\))*/g;

/**
 * The plain text of a SARIF message (3.11): `text`, else the rule's string named by `id`, else `markdown`; placeholders `{0}` filled,
 * embedded links reduced to their words. Null where the message says nothing.
 */
export function messageText(message: unknown, rule: FoundRule): string | null {
  if (typeof message === "string") return message.trim() === "" ? null : message;
  const template =
    filledAt(message, "text") ?? namedString(filledAt(message, "id"), rule) ?? filledAt(message, "markdown");
  return template === null ? null : plainLinks(fill(template, listAt(message, "arguments")));
}

function namedString(id: string | null, rule: FoundRule): string | null {
  if (id === null) return null;
  for (const strings of [at(rule.descriptor, "messageStrings"), at(rule.component, "globalMessageStrings")]) {
    const found = filledAt(strings, id, "text") ?? filledAt(strings, id, "markdown") ?? filledAt(strings, id);
    if (found !== null) return found;
  }
  return null;
}

/** Fills `{n}`; doubled braces stand for one. A message without arguments is left as it is: many tools quote code with braces. */
function fill(template: string, values: readonly unknown[]): string {
  if (values.length === 0) return template;
  return template.replace(/\{\{|\}\}|\{(\d{1,4})\}/g, (found, position?: string) => {
    if (position === undefined) return found.slice(1);
    const value = values[Number(position)];
    return typeof value === "string" || typeof value === "number" ? String(value) : found;
  });
}

/** `[text](1)` and links to addresses become their text (3.11.6). */
export function plainLinks(text: string): string {
  return text.replace(LINK, (_, words: string) => words.replace(/\\([[\]\\])/g, "$1"));
}
