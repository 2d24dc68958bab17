// What may stand in a log that is committed: no code, no secret, nothing about the person (R1.33, ruling 23).

/** Longest free text of a log record, in characters. */
export const LONGEST_TEXT = 300;

export interface Redaction {
  /** Lines of code that the text may have copied; wherever one stands in the text it goes. */
  readonly code?: readonly string[];
  /** `file:line` that takes the place of code; without it `[code]` does. */
  readonly place?: string | null;
  /** True for sentences the program itself wrote: only quoted and known code is looked for, figures stay. */
  readonly ownWords?: boolean;
}

/** Shorter lines of code are ordinary words (`else`, `try {`) and are left. */
const SHORTEST_CODE = 6;

/**
 * A model's or person's sentence without code, on one line, at most `LONGEST_TEXT` characters. Backticked spans, fences,
 * quoted code, calls, assignments and the known lines of `code` become `place`; a backticked `path:line` stays as it is;
 * home folders lose their owner's name. Doing it twice changes nothing.
 */
export function redactForLog(text: string, { code = [], place = null, ownWords = false }: Redaction = {}): string {
  const put = place ?? "[code]";
  let clean = text.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, ` ${put} `).replace(/\s+/g, " ");
  for (const line of knownCode(code)) clean = clean.replaceAll(line, put);
  clean = clean.replace(/`+([^`]*)`+/g, (_whole, span: string) => (isPlace(span) ? span : put));
  clean = clean.replace(QUOTED, (whole, ...groups: unknown[]) => (isCode(quotedText(groups)) ? put : whole));
  if (!ownWords) for (const shape of CODE_SHAPES) clean = clean.replace(shape, (whole) => keepPlace(whole, put));
  return cut(withoutHome(collapse(clean, put).trim()));
}

/** Longest first, so that a line is not spoilt by a shorter one inside it. */
function knownCode(code: readonly string[]): readonly string[] {
  const lines = code.flatMap((text) => text.split("\n")).map((line) => line.replace(/\s+/g, " ").trim());
  return [...new Set(lines)].filter((line) => line.length >= SHORTEST_CODE).sort((a, b) => b.length - a.length);
}

const QUOTED = /"([^"]{1,300})"|“([^”]{1,300})”|(?<![\w'])'([^']{1,300})'(?!\w)/g;

function quotedText(groups: readonly unknown[]): string {
  return groups.slice(0, 3).find((group): group is string => typeof group === "string") ?? "";
}

function isCode(text: string): boolean {
  return !isPlace(text) && /[(){}[\];=<>|&$]|::|->|\w\.\w|\w_\w|[a-z][A-Z]/.test(text);
}

/** `src/a.ts:14`, `a.ts:3-9`, `src/a.ts`: a path needs a slash or a line, `req.body` has neither. */
function isPlace(text: string): boolean {
  return /^[\w@+.-]+(?:\/[\w@+.-]+)*\.\w+:\d+(?:-\d+)?$|^[\w@+.-]+(?:\/[\w@+.-]+)+$/.test(text.trim());
}

/** What code looks like between the words of a sentence. Bounded repeats, so that no sentence can make them slow. */
const CODE_SHAPES: readonly RegExp[] = [
  /\b(?:const|let|var|final|public|private)\s[\w$<> ]{1,60}(?::[^=]{1,40})?=\s?[^\s;]{1,100};?/g,
  /\b(?:if|for|while|switch|catch)\s?\([^()]{0,200}(?:\([^()]{0,100}\)[^()]{0,100})*\)/g,
  /[\w$.]{1,80}\((?!s\)|es\))(?:[^()]|\([^()]{0,100}\)){0,200}\);?/g,
  /\{[^{}]{1,200}\}/g,
  /<\/?[A-Za-z][^<>]{0,100}>/g,
  /[\w$)\]."']{1,100} ?(?:=>|===?|!==?|&&|\|\||:=|[+*/-]=|::) ?[\w$("'.[\]!]{1,100}/g,
  /[\w$\].]{1,80} = [^\s,]{1,100}/g,
  /[\w$.]{1,80}->[\w$]{1,80}/g,
  /[\w$.]{1,80}\[[^\]]{1,60}\][\w$.]{0,80};?/g,
  /[\w$]{1,60}(?:\.[\w$]{1,60}){1,6};/g,
];

function keepPlace(found: string, put: string): string {
  return isPlace(found.replace(/[;,]$/, "")) ? found : put;
}

function collapse(text: string, put: string): string {
  let clean = text;
  while (clean.includes(`${put} ${put}`)) clean = clean.replaceAll(`${put} ${put}`, put);
  return clean;
}

function withoutHome(text: string): string {
  return text.replace(/(?:\/home\/|\/Users\/|\b[A-Za-z]:\\Users\\)[^/\\\s]{1,60}/g, "~");
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).trimEnd()}…`;
}
