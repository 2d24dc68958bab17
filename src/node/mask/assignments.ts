import { looksRandom } from "./entropy.ts";
import type { Secret } from "./secret.ts";

const PASSWORD = "passw(?:or)?d|passphrase|pwd";
const TOKEN =
  "secret|token|api[_-]?key|access[_-]?key|account[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?";
/** The rest of the name, what closes a quoted or indexed name, a type annotation, and the sign that assigns or compares. */
const BETWEEN = String.raw`([\w$-]{0,40})\\?["'\x60]?\]?[ \t]{0,4}(?::[ \t]{0,2}[\w<>|? ]{1,30}=|:=|=>|={1,3}|!==?|:)[ \t]{0,4}`;

const NAMED = `(${PASSWORD}|${TOKEN})${BETWEEN}`;
const QUOTED = new RegExp(`${NAMED}[a-z]{0,2}(["'\`])((?:\\\\[^\\r\\n]|(?!\\3)[^\\\\\\r\\n]){1,500})\\3`, "gi");
/** The same inside another string: `\"password\":\"...\"`. */
const ESCAPED = new RegExp(`${NAMED}(\\\\["'\`])((?:(?!\\3)[^\\r\\n]){1,500})\\3`, "gi");
/** `NAME=value` and `name: value` up to the end of the line, as in .env, properties and YAML files. */
const BARE = new RegExp(`${NAMED}([^\\s"'\`]{6,500})[ \\t]{0,4}(?=$|\\r|#)`, "gim");
/** `Password=...;` inside a connection string. */
const CONNECTION = /\b(password|pwd)()=()([^;"'`\s]{4,200})(?=[;"'`])/gi;

/** Values that a name gives away: `password = "..."`, `api_key: ...`, `"token": "..."`, `Pwd=...;`. */
export function assignedSecrets(text: string): readonly Secret[] {
  return [
    ...collect(text, QUOTED, 4, isQuotedSecret),
    ...collect(text, ESCAPED, 4, isQuotedSecret),
    ...collect(text, BARE, 3, isBareSecret),
    ...collect(text, CONNECTION, 4, (_name, value) => isMadeUpPassword(value) && !/[()]/.test(value)),
  ];
}

function collect(
  text: string,
  pattern: RegExp,
  group: number,
  holds: (name: string, value: string) => boolean,
): readonly Secret[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const name = match[1] ?? "";
    const value = match[group] ?? "";
    if (isDescribing(match[2] ?? "") || isStandIn(value) || !holds(name, value)) return [];
    const start = match.index + match[0].lastIndexOf(value);
    return [{ type: typeOf(name), start, end: start + value.length }];
  });
}

function typeOf(name: string): string {
  if (/^(?:pass|pwd)/i.test(name)) return "password";
  if (/key$/i.test(name)) return "api-key";
  return /^token/i.test(name) ? "token" : "secret";
}

function isPasswordName(name: string): boolean {
  return typeOf(name) === "password";
}

/** `tokenType`, `password_field`, `secretName`: the value says something about the secret and is none. */
function isDescribing(rest: string): boolean {
  return /(?:ids?|names?|types?|ur[il]s?|paths?|files?|fields?|headers?|labels?|hints?|placeholder|messages?|errors?|length|size|count|min|max|expiry|expires?(?:[_-]?(?:in|at))?|ttl|kind|prefix|pattern|regexp?|policy|selector|input|column|param|class|test|scope|endpoint|version|algorithm)$/i.test(
    rest,
  );
}

/** Interpolations, examples, paths, addresses and prose. */
function isStandIn(value: string): boolean {
  return (
    /^[$%<{]|\$\{|\{\{|^\*+$|^x+$|^\.+$|\[REDACTED:|:\/\/|^\.{0,2}\//i.test(value) ||
    /\s/.test(value.trim()) ||
    /^(?:your|my|the|some|an?|test|dummy|fake|sample|example|placeholder|change)[-_ ]?[a-z]*[-_ ]?[a-z]*$/i.test(value)
  );
}

function isQuotedSecret(name: string, value: string): boolean {
  return isPasswordName(name) ? isMadeUpPassword(value) : looksRandom(value);
}

/** Passwords of people are short: a digit or sign among letters is enough where the name says what it is. */
function isMadeUpPassword(value: string): boolean {
  // A long name that speaks of passwords is a name: `FlowPasswordRequiredResultV2`.
  if (value.length < 6 || (value.length >= 20 && /passw(?:or)?d/i.test(value))) return false;
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || /[!@#%^&*+?~]/.test(value));
}

/** Without quotes it may be code: no calls, members or names with a number, only what looks random as a whole. */
function isBareSecret(_name: string, value: string): boolean {
  if (/[()[\]{};,]/.test(value)) return false;
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  return looksRandom(value) && (value.match(/\d/g) ?? []).length >= 2;
}
