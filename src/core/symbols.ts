import type { Claimed } from "./finding.ts";

const NAME = /^[A-Za-z_$][\w$]*$/;
const CODE_SPAN = /`([^`\n]{1,300})`/g;
const DEFINES =
  /\b(?:function|class|def|fn|func|interface|type|const|let|var|struct|enum|trait|impl|module|public|private|protected|static|void|async)\b/;

/** Names a claim speaks about: the source's own symbol, names in backticks, names in single quotes; without doubles, at most 8. */
export function symbolsOf(claimed: Claimed): string[] {
  const own = claimed.extra["symbol"];
  const names = [
    ...(typeof own === "string" ? [own] : []),
    ...Array.from(claimed.message.matchAll(CODE_SPAN), (found) => found[1] ?? ""),
    ...Array.from(claimed.message.matchAll(/'([A-Za-z_$][\w$.]{2,80})'/g), (found) => found[1] ?? ""),
  ].map(lastName);
  return [...new Set(names.filter((name) => name.length >= 3 && NAME.test(name)))].slice(0, 8);
}

/** `handler::run(String[])` and `a.b.run()` name `run`. */
function lastName(name: string): string {
  const bare = name.replace(/\(.*$/s, "");
  return (
    bare
      .split(/::|[.#/>]/)
      .at(-1)
      ?.trim() ?? ""
  );
}

/** Code that prose puts in backticks and that is more than a name: a quote of the place, if it stands there. */
export function softQuotes(claimed: Claimed): string[] {
  if (!claimed.prose) return [];
  const spans = Array.from(claimed.message.matchAll(CODE_SPAN), (found) => found[1] ?? "");
  return spans.filter((span) => /[\s(=;{<>[]/.test(span) && !/^[\w./-]+:\d/.test(span)).slice(0, 6);
}

/** The line (1-based) of the first of these symbols that the text holds: where it is defined, else where it first stands. */
export function findSymbol(
  lines: readonly string[],
  symbols: readonly string[],
): { symbol: string; line: number } | null {
  for (const symbol of symbols) {
    const word = new RegExp(`(?<![\\w$])${symbol.replaceAll("$", "\\$")}(?![\\w$])`);
    let first: number | null = null;
    for (const [index, line] of lines.entries()) {
      if (!line.includes(symbol) || !word.test(line)) continue;
      if (DEFINES.test(line)) return { symbol, line: index + 1 };
      first ??= index + 1;
    }
    if (first !== null) return { symbol, line: first };
  }
  return null;
}
