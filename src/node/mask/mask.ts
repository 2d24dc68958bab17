import type { Mask } from "../../core/ports.ts";
import { findSecrets, withoutOverlaps } from "./rules.ts";
import type { Secret } from "./secret.ts";

/**
 * The port `Mask`: replaces each secret by `[REDACTED:type#n]`, `n` counting the different secrets of that type in the
 * text. Line ends inside a secret are kept after its mark, so line numbers stay right. Masking twice changes nothing.
 */
export function createMask(): Mask {
  return (text) => replaceSecrets(text, findSecrets(text));
}

/** The rule that obeys comments in the text; the text is not ours. */
const DIRECTIVES = "@secretlint/secretlint-rule-filter-comments";

/**
 * Like `createMask`, and the rules of secretlint on top, which run asynchronously only: for text that is about to leave
 * the machine. Directives in the text that switch secretlint off are not obeyed.
 */
export async function maskThoroughly(text: string): Promise<string> {
  const masked = replaceSecrets(text, findSecrets(text));
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It notes the time of each rule for each text and never lets go of that.
  secretLintProfiler.setEnabled(false);
  const result = await lintSource({
    source: { filePath: "text.txt", content: masked, ext: ".txt", contentType: "text" },
    options: {
      noPhysicFilePath: true,
      config: {
        rules: rules.filter((rule) => rule.meta.id !== DIRECTIVES).map((rule) => ({ id: rule.meta.id, rule })),
      },
    },
  });
  const found = result.messages.map((message) => ({
    type: message.ruleId.replace(/^.*secretlint-rule-/, ""),
    start: message.range[0],
    end: message.range[1],
  }));
  return replaceSecrets(masked, withoutOverlaps(found));
}

const MARK = /\[REDACTED:([a-z0-9-]+)#(\d+)\]/g;

/** Leaves out what only found our own marks. */
function outsideMarks(text: string, secrets: readonly Secret[]): readonly Secret[] {
  const marks = [...text.matchAll(MARK)].map((mark) => ({ start: mark.index, end: mark.index + mark[0].length }));
  return secrets.filter((secret) => !marks.some((mark) => secret.start < mark.end && mark.start < secret.end));
}

/** `secrets` in order and without overlaps. Numbers go on after those of marks that stand in the text already. */
function replaceSecrets(text: string, found: readonly Secret[]): string {
  const secrets = outsideMarks(text, found);
  if (secrets.length === 0) return text;
  const counts = new Map<string, number>();
  for (const [, type = "", n] of text.matchAll(MARK)) counts.set(type, Math.max(counts.get(type) ?? 0, Number(n)));
  const numbers = new Map<string, number>();
  let masked = "";
  let at = 0;
  for (const { type, start, end } of secrets) {
    const value = text.slice(start, end);
    const known = numbers.get(`${type}\0${value}`);
    const n = known ?? (counts.get(type) ?? 0) + 1;
    if (known === undefined) {
      counts.set(type, n);
      numbers.set(`${type}\0${value}`, n);
    }
    const lineEnds = value.match(/\r\n|\n|\r/g)?.join("") ?? "";
    masked += `${text.slice(at, start)}[REDACTED:${type}#${n}]${lineEnds}`;
    at = end;
  }
  return masked + text.slice(at);
}
