import type { Block, Document } from "./blocks.ts";
import { labelOf } from "./labels.ts";
import type { NamedPlace } from "./places.ts";
import { readPlace } from "./places.ts";
import { groupRank, type Rank, rankOfHeading } from "./rank.ts";

/** What a section is about, by its heading: `silent` and `plans` hold no findings, a `summary` repeats them. */
export type Topic = "findings" | "silent" | "plans" | "summary";

/** Headings over a line, innermost first, and where (0-based, exclusive) a heading's section ends. */
export interface Sections {
  readonly above: (line: number) => readonly Block[];
  readonly end: (heading: Block) => number;
  readonly headings: readonly Block[];
  /** The line of the first heading after a line; the end of the document where there is none. */
  readonly after: (line: number) => number;
  /** The first heading that stands after this one; null where it is the last. */
  readonly next: (heading: Block) => Block | null;
  /** The strictest topic of all headings over a line; a document's own title decides nothing. */
  readonly topic: (line: number) => Topic;
  /** The rank of the nearest heading over a line that only ranks what stands under it; `heading` is that one. */
  readonly group: (line: number) => { readonly rank: Rank; readonly heading: Block } | null;
  /** The file that a heading over this line names: `### src/a.ts`; null where none does. */
  readonly file: (line: number) => NamedPlace | null;
}

const LEAD = String.raw`^[^\p{L}]*`;
// The phrase is the whole heading, or nearly: "Timeline endpoint leaks data" is a finding.
const TAIL = String.raw`(?=[^\p{L}\p{N}]*(?:$|[(（:：—–&/,]|-\s|(?:and|for|of|to|with|since|by|in|about|from|und|et|y|e|priorit\w*|plan|steps|order|summary|notes?)\b|[\u2e80-\u9fff]))`;
const SILENT = new RegExp(
  `${LEAD}(?:legend|severity (?:legend|levels?|scale|definitions?|ratings?|criteria|guide)|positives?|positive (?:findings?|aspects?|observations?|notes?|points?)|strengths|what(?:['’]s| is| went| works)? ?(?:good|well|working|right)|(?:other )?(?:good (?:practices?|things|points|patterns)|well done|highlights|praise|kudos)|changes|(?:previously |already )(?:fixed|resolved)|resolved (?:issues|findings)|false positives?|passed(?: checks)?|no issues|not issues|methodology|严重(?:程度|度|性)?(?:说明|定义|图例)|优点|亮点|良好实践|正面|良い点|positives|positive befunde|stärken|points (?:positifs|forts)|aspectos positivos|pontos positivos)${TAIL}`,
  "iu",
);
const PLANS = new RegExp(
  `${LEAD}(?:remediation|timeline|(?:recommended |suggested )?next steps|recommended steps|roadmap|(?:\\p{L}+ )?check ?list|action items?|(?:fix|action|remediation|implementation|improvement) (?:plan|order|priorit(?:y|ies|ization))|priorit(?:y|ies)|priorit(?:y|i[sz]ed) (?:list|order|actions?|fix(?:es)?|recommendations?|matrix|summary)|recommendations?|recommended (?:actions?|fix(?:es)?|order)|quick wins|follow-?ups?|impact (?:analysis|assessment)|risk (?:assessment|matrix|analysis)|修复(?:优先级|计划|顺序|路线)|(?:改进|整改|后续|下一步)(?:建议|计划|步骤)?|優先順位|修正計画|maßnahmenplan|nächste schritte|plan d['’]action|prochaines étapes|plan de acción|próximos pas(?:os|sos)|plano de ação|审批)${TAIL}`,
  "iu",
);
const SUMMARY = new RegExp(
  `${LEAD}(?:(?:executive |quick |review |audit |findings? |issues? )?(?:summary|overview)|tl;?dr|key (?:issues|findings|takeaways)|top (?:\\d+ )?(?:issues|findings|risks|concerns)|at a glance|执行摘要|摘要|概要|总结|概述|zusammenfassung|résumé|resumen|resumo|riepilogo|итоги)${TAIL}`,
  "iu",
);

/** The sections of a document, made once. */
export function sectionsOf(document: Document): Sections {
  const headings = document.blocks.filter((block) => block.kind === "heading");
  const { parents, ends } = nest(headings);
  const first = headings[0];
  const topics = new Map<Block, Topic>();
  const groups = new Map<Block, { readonly rank: Rank; readonly heading: Block } | null>();
  const files = new Map<Block, NamedPlace | null>();
  for (const heading of headings) {
    const parent = parents.get(heading) ?? null;
    const title = heading === first && heading.level === 1;
    const over = parent === null ? "findings" : (topics.get(parent) ?? "findings");
    topics.set(heading, title || over === "silent" || over === "plans" ? over : stricter(over, topicOf(heading.text)));
    const rank = title ? null : groupRank(heading.text);
    groups.set(heading, rank === null ? parent && (groups.get(parent) ?? null) : { rank, heading });
    files.set(heading, fileOf(document.plain(heading.text)) ?? (parent && (files.get(parent) ?? null)));
  }
  const before = (line: number): number =>
    countBefore(headings.length, (index) => (headings[index]?.from ?? 0) <= line);
  const last = (line: number): Block | null => headings[before(line) - 1] ?? null;
  const order = new Map(headings.map((heading, index) => [heading, index]));
  const at = <T>(map: ReadonlyMap<Block, T>, line: number, none: T): T => {
    const heading = last(line);
    return heading === null ? none : (map.get(heading) ?? none);
  };
  return {
    headings,
    above(line) {
      const chain: Block[] = [];
      for (let here = last(line); here !== null; here = parents.get(here) ?? null) chain.push(here);
      return chain;
    },
    end: (heading) => ends.get(heading) ?? document.lines.length,
    after: (line) => headings[before(line)]?.from ?? document.lines.length,
    next: (heading) => headings[(order.get(heading) ?? headings.length) + 1] ?? null,
    topic: (line) => at(topics, line, "findings"),
    group: (line) => at(groups, line, null),
    file: (line) => at(files, line, null),
  };
}

function nest(headings: readonly Block[]): { parents: Map<Block, Block | null>; ends: Map<Block, number> } {
  const parents = new Map<Block, Block | null>();
  const ends = new Map<Block, number>();
  const open: Block[] = [];
  for (const heading of headings) {
    for (let over = open.at(-1); over !== undefined && over.level >= heading.level; over = open.at(-1)) {
      ends.set(over, heading.from);
      open.pop();
    }
    parents.set(heading, open.at(-1) ?? null);
    open.push(heading);
  }
  return { parents, ends };
}

/** How many of the first entries of an ordered list fulfil a condition that the later ones do not. */
export function countBefore(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function topicOf(heading: string): Topic {
  const text = heading.slice(0, 240);
  if (rankOfHeading(text) !== null) return "findings";
  if (SILENT.test(text)) return "silent";
  if (PLANS.test(text)) return "plans";
  return SUMMARY.test(text) ? "summary" : "findings";
}

function stricter(over: Topic, own: Topic): Topic {
  return own === "findings" ? over : own;
}

/** `src/a.ts`, `File: src/a.ts`, `2. src/a.ts (3 issues)`. */
function fileOf(plain: string): NamedPlace | null {
  const text = plain
    .slice(0, 300)
    .replace(/[`*]/g, "")
    .replace(/^(?:[^\p{L}\p{N}./~@_]|\d+[.)]\s)+/u, "")
    .replace(/^([\p{L} ]{2,20})[:：]\s*/u, (whole, name: string) => (labelOf(name) === "location" ? "" : whole))
    .replace(/\s*(?:[(（][^()（）]{0,40}[)）]|[—–-]\s*\d+ \p{L}+)\s*$/u, "")
    .trim();
  const place = readPlace(text);
  return place === null || /^https?:/.test(place.path) || !/[/\\]|\.[a-z]{1,6}$/i.test(place.path) ? null : place;
}
