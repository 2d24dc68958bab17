import { assignedSecrets } from "./assignments.ts";
import { looksRandom } from "./entropy.ts";
import type { Secret } from "./secret.ts";

/** A secret that its own shape gives away. `group` is the capture that is secret where the rest may be seen. */
interface Shape {
  readonly type: string;
  readonly pattern: RegExp;
  readonly group?: number;
  /** Sorts out look-alikes. */
  readonly holds?: (value: string) => boolean;
}

// Every pattern starts where a word starts and has bounded or plain repeats, so that none can be made slow. Where two
// rules want the same place the earlier one wins: a narrow rule stands before a wide one.
const SHAPES: readonly Shape[] = [
  { type: "jwt", pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g },
  { type: "aws-access-key", pattern: /(?<![\w-])A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![\w-])/g },
  { type: "github-token", pattern: /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255})/g },
  { type: "gitlab-token", pattern: /(?<![\w-])gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[\w-]{20,200}/g },
  { type: "slack-token", pattern: /(?<![\w-])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,250}/g },
  { type: "slack-webhook", pattern: /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,200}/g },
  { type: "npm-token", pattern: /(?<![\w-])npm_[A-Za-z0-9]{36}(?!\w)/g },
  { type: "pypi-token", pattern: /(?<![\w-])pypi-AgE[\w-]{50,500}/g },
  { type: "anthropic-key", pattern: /(?<![\w-])sk-ant-[\w-]{20,250}/g },
  {
    type: "stripe-key",
    pattern: /(?<![\w-])(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9+/=]{20,100})/g,
  },
  { type: "openai-key", pattern: /(?<![\w-])sk-[\w-]{20,250}/g, holds: isSkKey },
  { type: "google-key", pattern: /(?<![\w-])(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,500})(?![\w-])/g },
  {
    type: "azure-key",
    pattern: /\b(?:AccountKey|SharedAccessKey|SharedSecretValue)\s?=\s?([A-Za-z0-9+/]{40,200}={0,2})/g,
    group: 1,
  },
  { type: "azure-sas", pattern: /[?&;]sig=([A-Za-z0-9%+/]{30,200}={0,2})/g, group: 1 },
  { type: "sendgrid-key", pattern: /(?<![\w-])SG\.[\w-]{16,32}\.[\w-]{16,64}/g },
  { type: "huggingface-token", pattern: /(?<![\w-])hf_[A-Za-z0-9]{30,50}(?!\w)/g },
  { type: "vault-token", pattern: /(?<![\w-])hv[sbr]\.[\w-]{24,200}/g },
  { type: "docker-token", pattern: /(?<![\w-])dckr_(?:pat|oat)_[\w-]{20,100}/g },
  { type: "digitalocean-token", pattern: /(?<![\w-])do[opr]_v1_[a-f0-9]{64}/g },
  { type: "shopify-token", pattern: /(?<![\w-])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g },
  { type: "age-key", pattern: /(?<![\w-])AGE-SECRET-KEY-1[0-9A-Z]{58}/g },
  { type: "telegram-token", pattern: /(?<![\w-])\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  {
    type: "url-password",
    pattern: /(?<![\w.+-])[A-Za-z][\w.+-]{1,20}:\/\/[^\s:@/'"`<>]{0,100}:([^\s@/'"`<>]{1,200})@/g,
    group: 1,
    holds: (value) => !isPlaceholder(value),
  },
  {
    type: "bearer-token",
    pattern: /\b(?:Bearer|Basic|Token)[ \t]{1,3}([\w.~+/-]{16,2000}={0,2})/gi,
    group: 1,
    holds: looksRandom,
  },
];

/** All secrets of a text that our own rules know, without overlaps, in order of their place (R1.33). */
export function findSecrets(text: string): readonly Secret[] {
  const found = [...privateKeys(text), ...SHAPES.flatMap((shape) => findShape(text, shape)), ...assignedSecrets(text)];
  return withoutOverlaps(found);
}

/** Keeps the first named of overlapping secrets, widened to hold the others: nothing of either may stay behind. */
export function withoutOverlaps(secrets: readonly Secret[]): readonly Secret[] {
  const kept: Secret[] = [];
  for (const next of secrets.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last === undefined || next.start >= last.end) kept.push(next);
    else {
      const first = secrets.indexOf(last) <= secrets.indexOf(next) ? last : next;
      kept[kept.length - 1] = { type: first.type, start: last.start, end: Math.max(last.end, next.end) };
    }
  }
  return kept;
}

function findShape(text: string, shape: Shape): readonly Secret[] {
  return [...text.matchAll(shape.pattern)].flatMap((match) => {
    const value = match[shape.group ?? 0] ?? "";
    if (shape.holds !== undefined && !shape.holds(value)) return [];
    const start = match.index + match[0].lastIndexOf(value);
    return [{ type: shape.type, start, end: start + value.length }];
  });
}

/** `sk-` also begins names of style sheets; a key has a long run of mixed letters and digits. */
function isSkKey(value: string): boolean {
  return value.split("-").some((part) => part.length >= 16 && /\d/.test(part) && looksRandom(part));
}

/** Interpolations and stand-ins that are no secret themselves. */
export function isPlaceholder(value: string): boolean {
  return /^\$|[{}<>]|^%|^\*+$|^x+$|^\.+$|^\[REDACTED/i.test(value);
}

const KEY_HEAD = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const LONGEST_KEY = 20_000;

/** PEM blocks of private keys, also indented, quoted, escaped in a string or cut off at their end. */
function privateKeys(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(KEY_HEAD)) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const from = match.index + match[0].length;
    const body = text.slice(from, from + LONGEST_KEY);
    const tail = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/.exec(body);
    const end = tail !== null && isKeyBody(body.slice(0, tail.index)) ? tail.index + tail[0].length : cutKeyEnd(body);
    if (end > 0) found.push({ type: "private-key", start: match.index, end: from + end });
  }
  return found;
}

/** True for key material with what surrounds it in sources: quotes, line joins, comment marks, line numbers, PEM headers. */
function isKeyBody(body: string): boolean {
  const material = body
    .replace(/^.{0,20}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): .*$/gm, "")
    .replace(/\\[nrt]|[\s"'`+,#*|>:\\-]/g, "");
  return /^[A-Za-z0-9/=]{16,}$/.test(material);
}

/** Length of the key lines that follow a head without an end; 0 where none do, as in code that looks for such heads. */
function cutKeyEnd(body: string): number {
  let end = 0;
  for (const line of body.matchAll(/[^\n]*\n?/g)) {
    const words = line[0].replace(/\\[nrt]|[\s"'`+,#*|>:\\-]/g, "");
    const isHeader = /^\W{0,10}(?:Proc-Type|DEK-Info|Version|Comment): /.test(line[0]);
    if (words !== "" && !isHeader && !(/^[A-Za-z0-9/=]+$/.test(words) && words.length >= 32)) break;
    if (line[0] === "") break;
    if (words.length >= 32) end = line.index + line[0].trimEnd().length;
  }
  return end;
}
