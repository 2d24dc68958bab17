import { codeSpans } from "./codeSpans.ts";
import { linesAfterPath, spanOf } from "./lineNumbers.ts";
import { isPath, isSourceFile } from "./paths.ts";
import type { NamedPlace } from "./places.ts";
import { readPlace, readPlaces } from "./places.ts";

const TOKEN = /[^\s`"'<>|,;，；、（）【】]{1,400}/gu;
const WITH_LINE =
  /^[([{]*((?:[A-Za-z]:)?[^\s:()[\]{}]{1,300}\.[A-Za-z]\w{0,11})(?::|#L)(\d{1,9})(?:[-–]L?(\d{1,9})|:(\d{1,9}))?(?![\w/])/;
// A name with a port is no file.
const HOST = /\.(?:com|org|net|io|dev|local|internal|example|localhost|test|app|cloud|co|eu|de|uk)$/i;

/**
 * Places that running text mentions: inline code that is a file of a project, and bare `path.ext:line`. In their order, without what
 * stands inside links' addresses. One or several lines of text; linear.
 */
export function mentionsIn(text: string): NamedPlace[] {
  const found: { readonly at: number; readonly place: NamedPlace }[] = [];
  const bare = text.slice(0, 20_000).replace(/\]\([^()\s]{0,1000}\)/g, "]");
  let from = 0;
  for (const span of codeSpans(bare)) {
    found.push(...bareMentions(bare.slice(from, span.from), from));
    from = span.to;
    const place = readPlace(bare.slice(span.from, span.to).replace(/`/g, "").trim());
    if (place === null || (place.span.line === null && !isSourceFile(place.path)) || HOST.test(place.path)) continue;
    const lines = place.span.line === null ? linesAfterPath(bare.slice(span.to, span.to + 200)) : null;
    const spans = lines?.spans ?? [];
    for (const each of spans.length > 0 ? spans : [place.span])
      found.push({ at: span.from, place: { ...place, span: each } });
  }
  found.push(...bareMentions(bare.slice(from), from));
  return found.sort((a, b) => a.at - b.at).map(({ place }) => place);
}

function bareMentions(text: string, offset: number): { at: number; place: NamedPlace }[] {
  const found: { at: number; place: NamedPlace }[] = [];
  for (const token of text.matchAll(TOKEN)) {
    if (token[0].includes("://")) {
      const file = readPlace(token[0].replace(/^[([{]+|[)\]}.*_]+$/g, ""));
      if (file !== null && !file.path.includes("://")) found.push({ at: offset + token.index, place: file });
      continue;
    }
    if (!/\.\w+(?::|#L)\d/.test(token[0])) continue;
    const place = WITH_LINE.exec(token[0].replace(/^[*_]+|[*_]+$/g, ""));
    const path = place?.[1];
    if (place === null || !isPath(path) || HOST.test(path)) continue;
    found.push({ at: offset + token.index, place: { path, span: spanOf(place[2], place[3], place[4]) } });
  }
  return found;
}

/** A place that one line of a review cites. `at` is the 1-based line of the review. */
export interface Citing extends NamedPlace {
  readonly at: number;
}

/** Every place that a review cites with a line, wherever it stands; code blocks are left out. For checking whether they exist (R3.30). */
export function citedPlaces(lines: readonly string[]): Citing[] {
  const cited: Citing[] = [];
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    const mark = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    if (fence !== null) continue;
    const isLabel = /^[\s>|*_-]*(?:file|files|location|where|path)s?\b/i.test(line);
    const labelled = isLabel ? readPlaces(line.replace(/^[^:：|]{0,40}[:：|]\s*\**/, "")) : [];
    const known = new Set<string>();
    for (const place of [...mentionsIn(line), ...labelled]) {
      const name = `${place.path}:${place.span.line}`;
      if (place.span.line !== null && !known.has(name)) cited.push({ ...place, at: index + 1 });
      known.add(name);
    }
  }
  return cited;
}
