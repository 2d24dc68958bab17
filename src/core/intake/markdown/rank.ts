import { ENGLISH_WORDS, GROUP_WORDS, SEVERITY_WORDS } from "./severityWords.ts";

// The sign "ℹ" counts as a letter in Unicode.
const NOUN =
  "finding|issue|attack|challenge|bug|problem|vulnerability|item|问题|問題|指摘|problème|problema|befund|fund";
const LEAD = String.raw`^(?:[^\p{L}\p{N}\[(（]|ℹ)*(?:(?:${NOUN})\s*#?\d{0,6}|#?\d+(?:\.\d+)*[.)]?)?[^\p{L}\p{N}]*`;
const FOLLOW = String.raw`(?=\s*(?:$|[\])）】:：|*_—–(（\u0060]|-\s?\d|-\s|severity\b|risk\b))`;
const AT_START = new RegExp(`${LEAD}(${SEVERITY_WORDS})${FOLLOW}`, "iu");
const ID_TOKEN = String.raw`(?!(?:CWE|CVSS|UTF|SHA|ISO|RFC|HTTP|AES|TLS|SSL|IPV|BASE|ECMA|PCI|SOC|ASCII|COVID|MD)-)(?:[A-Z][A-Z0-9]{0,11}(?:-[A-Z0-9]{1,12}){0,2}-\d{1,6}(?![\w-])|GHSA(?:-[0-9a-z]{4}){3}|(?!P[0-4]\b)[A-Z]{1,4}\d{1,4}(?=\**\s?[:：.)\]—–]))`;
const AFTER_ID = new RegExp(
  String.raw`^[\s*_\u0060]*\[?${ID_TOKEN}\]?[\s*_:：\u0060—–-]*[\[(（]?\**(${SEVERITY_WORDS}|${SEVERITY_WORDS.toUpperCase()}|Critical|High|Medium|Low|Info|Major|Minor|Moderate|Warning|Error)\**(?:[\])）]|\s*[:：—–-])`,
  "u",
);
const AT_END = new RegExp(
  String.raw`(?:\s[—–-]\s*|[:：]\s*|[\[(（【])(?:(?:severity|risk|priority|严重程度|级别)\s?[:：]\s?)?[^\p{L}\p{N}\s]{0,4}\s?\**(${SEVERITY_WORDS})(?![\p{L}\p{N}])[^—–\p{L}]{0,12}(?:(?:severity|risk|priority)\b[^—–\p{L}]{0,12})?(?:[(（][^()（）]{0,60}[)）][^\p{L}]{0,12})?$`,
  "iu",
);
const AFTER_NAME = new RegExp(String.raw`^\*\*[^*]{1,120}\*\*:?\s*\**(${SEVERITY_WORDS})\**\s*[—–:：-]`, "iu");
const WORD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${GROUP_WORDS})s?(?![\\p{L}\\p{N}])`, "giu");
const CJK_WORD = new RegExp(`^[^\\p{L}]*(?:${GROUP_WORDS})(?=[\\u2e80-\\u9fff\\uac00-\\ud7af])`, "iu");
const GROUP_NOUNS =
  /\b(?:severity|priority|risks?|findings?|issues?|vulnerabilit(?:y|ies)|problems?|bugs?|items?|level|and|or|must|should|be|fix(?:ed)?|before|merg(?:e|ing)|release|blocking|required|immediately|address(?:ed)?|comments?|observations?|improvements?|concerns?|defects?|probleme|befunde?|fehler|schwere|problèmes?|problemas?|hallazgos?|vulnerabilidad(?:es)?|achados?|severidade?|gravité|gravedad|prioridade?s?|severidad|risiko|проблемы|уровень|n)\b|级别|等级|严重程度|优先级|严重度|风险|問題|问题|漏洞|缺陷|[项個个件条處处]|指摘|事項|事项/giu;
// "Finding #2 (Severity: Medium)" has no other words, and is one finding all the same.
const ONE_FINDING = new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${NOUN})\s*#?\d`, "iu");
const OVERALL =
  /^[^\p{L}]*(?:overall|total|risk (?:level|rating|assessment|score)|severity|verdict|status|summary|conclusion|assessment|priority|rating|结论|总体|总结)\b/iu;
const STRUCK = /^[^\p{L}\p{N}]*(?:\d+[.)]\s*)?[*_\s]*~~/u;
const VOID_WORDS =
  "pass(?:ed)?|good|ok|okay|none(?: found)?|n/a|by design|not (?:an issue|a bug|vulnerable|applicable|exploitable)|no (?:issues?|findings?|problems?)(?: found)?|false positive|safe|secure|clean";
// In capitals, bold, or ticked; "(outline: none)" is a part of a title.
const VOID_END = new RegExp(
  String.raw`(?:(?:\s[—–-]\s*|[:：]\s*|[[(（【]\s*)[*_\s]*(?:${VOID_WORDS.toUpperCase()})|(?:\*\*|[✅✓✔👍🟢]\s*)(?:${VOID_WORDS}|${VOID_WORDS.toUpperCase()}|Pass(?:ed)?|Good|None(?: found)?|By design|Safe|Secure|Clean)|[—–:：-]\s*(?:通过|无|良好))[*_\s.!✅✓✔]*[)\]）】]?\s*$`,
  "u",
);
const VOID_START =
  /^[^\p{L}\p{N}]*(?:(?:\d+(?:\.\d+)*[.)]?|[A-Z]+-\d+)\s*)?[^\p{L}\p{N}]*(?:PASS(?:ED)?|GOOD|NONE FOUND|BY DESIGN|OK|N\/A)\b(?=\s*(?:[:：—–\])*]|-\s|$))/u;

/** A rank in the position of one. */
export interface Rank {
  /** As written. */
  readonly word: string;
}

/** The rank a heading carries: at its start, after its id, or at its end; null where it carries none, or ranks a whole report. */
export function rankOfHeading(text: string): Rank | null {
  if (OVERALL.test(text)) return null;
  const head = start(text);
  const found = AT_START.exec(head) ?? AFTER_ID.exec(head) ?? AT_END.exec(text.slice(-140));
  return found === null ? null : { word: found[1] ?? "" };
}

/** The rank a line or list item starts with (R3.22), marked as one: running text that begins with "high memory use" has none. */
export function rankOfLine(line: string): Rank | null {
  const head = start(line);
  const leading = AT_START.exec(head);
  if (leading !== null && isMarked(head, leading[1] ?? "")) return { word: leading[1] ?? "" };
  const found = AFTER_ID.exec(head) ?? AFTER_NAME.exec(head) ?? closingRank(line);
  return found === null ? null : { word: found[1] ?? "" };
}

/** `**Title** (High)`, `**Title** — **HIGH**`: only after a bold title, and where the line ends with it. */
function closingRank(line: string): RegExpExecArray | null {
  return /^[\s*_]*\*\*[^*]{1,200}\*\*/.test(line) || /\*\*\s*$/.test(line) ? AT_END.exec(line.slice(-200)) : null;
}

/** The rank a line ends with in brackets, after a place: `src/a.ts:3 leaks (high)`. */
export function rankAtEnd(line: string): Rank | null {
  const found = AT_END.exec(line.slice(-140));
  return found === null || !/^[[(（【]/.test(found[0]) ? null : { word: found[1] ?? "" };
}

/** A rank stands at the start of its line; a bounded start also bounds what a hostile line can cost. */
function start(text: string): string {
  return text.slice(0, 240);
}

const ENGLISH = new RegExp(`^(?:${ENGLISH_WORDS})$`, "i");

/** Marked words and capitals rank; of other words only English ones with a colon: "Media: the file" is a description. */
function isMarked(text: string, word: string): boolean {
  const capitals = /^(?:\p{Lu}{3,}(?:[ -]\p{Lu}+)*|P[0-4])$/u.test(word);
  if (capitals || /^[^\p{L}\p{N}]*[*_[(（【`]/u.test(text) || /^[\u2e80-\u9fff\uac00-\ud7af]/u.test(word)) return true;
  if (/^(?:[^\p{L}\p{N}]|ℹ)*\p{Extended_Pictographic}/u.test(text)) return true;
  return ENGLISH.test(word) && /^[^\p{L}\p{N}]*\p{Lu}[\p{L}\d]+\s*[:：]/u.test(text);
}

/** The rank of a heading that only ranks what stands under it: `## Medium Severity Vulnerabilities`, `## HIGH（2 项）`; else null. */
export function groupRank(text: string): Rank | null {
  if (text.length > 120 || ONE_FINDING.test(text)) return null;
  const head = text.slice(0, 240).replace(CJK_WORD, (word) => `${word} `);
  const rest = head.replace(WORD, "").replace(GROUP_NOUNS, "");
  if (/\p{L}/u.test(rest.replaceAll("ℹ", ""))) return null;
  const words = Array.from(head.matchAll(WORD), ([word]) => word);
  const named = /([\p{L}\d]+)[\s-]+(?:severity|risk|priority)/iu.exec(head)?.[1]?.toLowerCase();
  const word = words.find((each) => each.toLowerCase() === named) ?? words[0];
  return word === undefined ? null : { word };
}

const ANY_CASE = [
  SEVERITY_WORDS,
  SEVERITY_WORDS.toUpperCase(),
  SEVERITY_WORDS.replace(/(?<=^|\|)[a-z]/g, (first) => first.toUpperCase()),
].join("|");
const ID = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}]|ℹ)*(?:(?:[Ff]inding|[Ii]ssue|FINDING|ISSUE)\s+)?(?:\d+(?:\.\d+)*[.)]?\s*)?(?:\**(?:${ANY_CASE})[^\p{L}\p{N}-]+)?[^\p{L}\p{N}]*(${ID_TOKEN})`,
  "u",
);
const NUMBER = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}]|ℹ)*(?:(?:${NOUN})\s*)?#?(\d{1,4}(?:\.\d{1,4}){0,3})(?=[.)\s:：]|$)`,
  "iu",
);

/** The id a heading, item or row starts with: `H-1`, `[DATA-001]`, `GO-2025-4012` after a number or a rank; else null. */
export function idOf(text: string): string | null {
  return ID.exec(start(text))?.[1] ?? null;
}

/** The number it starts with: `3`, `1.2`, `Issue #5`; else null. */
export function numberOf(text: string): string | null {
  return NUMBER.exec(start(text))?.[1] ?? null;
}

/** True for what says of itself that it is no finding: struck through, `— **GOOD**`, `NONE FOUND`, `BY DESIGN` in place of a rank. */
export function isVoid(text: string): boolean {
  return STRUCK.test(start(text)) || VOID_END.test(text.slice(-60)) || VOID_START.test(text.slice(0, 60));
}

/** True where a heading praises: `### LOW-2 (positive): …`. */
export function isPositive(text: string): boolean {
  return /[(（[]\s*(?:positive|good|praise|优点|良好)\s*[)）\]]/i.test(text);
}

/** A text that says there is nothing: `None.`, `No issues found`, `无`. */
export function isEmptyPhrase(text: string): boolean {
  return /^[\s*_`(（]*(?:none|n\/?a|nil|nothing|无|没有|なし|keine|aucune?|ninguno|nenhum|нет|no (?:[\w-]+ ){0,4}(?:findings?|issues?|problems?|concerns?|vulnerabilities))?(?:[\s/-]*(?:found|identified|detected|to report|at this (?:time|level)))?[\s*_`)）.!。✅–—-]*$/iu.test(
    text.slice(0, 200),
  );
}

const PREFIXES: readonly RegExp[] = [
  /^(?:[^\p{L}\p{N}`"'“„«([<$@#/.*_~]|ℹ)+/u,
  new RegExp(String.raw`^\**(?:${NOUN})\s*(?:#?\d{1,4}\s*$|(?:#?\d{1,4})?\s*[:：.)—–-]\s*)`, "iu"),
  new RegExp(String.raw`^\**(?:[Ff]inding|[Ii]ssue|FINDING|ISSUE)\s+(?=\[?${ID_TOKEN})`, "u"),
  /^\**#?\d{1,4}(?:\.\d{1,4}){0,3}[.):]?\s+/,
  new RegExp(String.raw`^\**\[?${ID_TOKEN}\]?\**(?:[.)]|\s*[:：—–|]|\s*-(?!\w)){0,4}\**\s*`, "u"),
  new RegExp(
    String.raw`^[*_\u0060\[(（【]*(?:${SEVERITY_WORDS})${FOLLOW}(?:\u0060(?=[\s:：\])）】]|$)|[*_\])）】])*(?:[\s-]+(?:severity|risk|priority)\b)?[*_\])）】]*(?:[.)]|\s*[:：—–|]|\s*-(?!\w)){0,4}[*_]*\s*`,
    "iu",
  ),
  /^[(（][^()（）]{1,30}[)）]\s*[:：—–-]+\s*/,
  /^\*{2}(?:\s+|$)|^\[\s*\]\s*|^\(\s*\)\s*/,
];

const NAMED_RANK = new RegExp(String.raw`^(\*\*[^*]{1,120}\*\*:?)\s*\**(?:${SEVERITY_WORDS})\**\s*[—–:：-]\s*`, "iu");

/** The words of a heading or first line without number, id, rank and their marks; markdown, empty where it has none. `closing` is a rank at its end. */
export function titleOf(text: string, closing: boolean): string {
  let rest = (closing ? text.replace(AT_END, "") : text).replace(NAMED_RANK, "$1 ").trim();
  for (let round = 0; round < 4; round += 1) {
    const before = rest;
    for (const prefix of PREFIXES) rest = rest.replace(prefix, "");
    if (rest === before) break;
  }
  const stray = (rest.match(/\*\*/g) ?? []).length % 2 === 1;
  const clean = (stray ? rest.replaceAll("**", "") : rest)
    .replace(/[\s—–:：\p{Extended_Pictographic}\ufe0f-]{1,20}$/u, "")
    .trim();
  return /[\p{L}\p{N}]/u.test(clean) ? clean : "";
}
