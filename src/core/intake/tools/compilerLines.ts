import { makeSpan } from "./fields.ts";
import type { Draft } from "./tool.ts";
import { mypyPage } from "./python.ts";

/** One line of a compiler's or type checker's output that names a place and says something of it. */
export interface CompilerLine {
  readonly draft: Draft;
  /** A remark about the line before it, where both stand in one file. */
  readonly isNote: boolean;
}

const TYPESCRIPT =
  /^(?:(.{1,1000}?)(?:\((\d{1,9}),(\d{1,9})\): |:(\d{1,9}):(\d{1,9}) - ))?(error|warning|message|suggestion) (TS\d{1,5}): (.*)$/;
const MYPY =
  /^(.{1,1000}?\.pyi?|<[^<>]{1,80}>):(?:(\d{1,9}):(?:(\d{1,9}):(?:(\d{1,9}):(\d{1,9}):)?)?)? (error|warning|note): (.*?)(?: {2}\[([a-z][a-z0-9-]*)\])?$/;
const GNU =
  /^(.{1,1000}?):(\d{1,9}):(?:(\d{1,9}):)? (fatal error|error|warning|note|remark|info|style): (.*?)(?: \[(-W[\w=+#-]+|[a-z][\w.,-]*-[\w.,-]+)\])?$/;
const FLAKE8 = /^(.{1,1000}?):(\d{1,9}):(\d{1,9}): ([A-Z]{1,4}\d{2,5}):? (?:\[\*\] )?(.+)$/;
const C_FAMILY = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inl|m|mm)$/i;

// What a place and its words need; the rest of a longer line is only more words.
const HEAD = 8000;

/** Reads one line, colours and log prefixes already removed; null where it is not of a known form. */
export function readCompilerLine(line: string): CompilerLine | null {
  const head = line.slice(0, HEAD);
  const read = readTypeScript(head) ?? readMypy(head) ?? readGnu(head) ?? readFlake8(head);
  if (read === null || line.length <= HEAD) return read;
  return { ...read, draft: { ...read.draft, message: `${read.draft.message} ${line.slice(HEAD).trim()}` } };
}

function readTypeScript(line: string): CompilerLine | null {
  const found = TYPESCRIPT.exec(line);
  if (found === null) return null;
  const [, path, plainLine, plainColumn, prettyLine, prettyColumn, severity = "error", rule = "", message = ""] = found;
  return {
    isNote: false,
    draft: {
      tool: "TypeScript",
      message: message.trim() || rule,
      severities: [{ scale: "typescript", value: severity }],
      path: path?.trim() ?? null,
      span: makeSpan(plainLine ?? prettyLine, null, plainColumn ?? prettyColumn),
      rule,
      extra: { level: severity },
    },
  };
}

function readMypy(line: string): CompilerLine | null {
  const found = MYPY.exec(line);
  if (found === null) return null;
  const [, path = "", from, column, to, endColumn, severity = "error", message = "", code] = found;
  return {
    isNote: severity === "note",
    draft: {
      tool: "mypy",
      message: message.trim() || "mypy gives no message.",
      severities: [{ scale: "mypy", value: severity }],
      path,
      // Texts name the last column itself, so the exclusive end is one behind it.
      span: makeSpan(from, to, column, endColumn === undefined ? null : Number(endColumn) + 1),
      rule: code ?? null,
      helpUri: mypyPage(code ?? null),
      extra: { level: severity },
    },
  };
}

function readGnu(line: string): CompilerLine | null {
  const found = GNU.exec(line);
  if (found === null) return null;
  const [, path = "", from, column, severity = "error", message = "", rule] = found;
  const family = C_FAMILY.test(path);
  const isTidy = rule !== undefined && !rule.startsWith("-W");
  return {
    isNote: severity === "note",
    draft: {
      // Only a name of a compiler makes a compile error a hard fact; any linter may write lines of this form.
      tool: family ? (isTidy ? "clang-tidy" : "C compiler") : "compiler output",
      message: message.trim() || "The tool gives no message.",
      severities: [{ scale: "compiler", value: severity }],
      path,
      span: makeSpan(from, null, column),
      rule: rule ?? null,
      extra: { level: severity === "fatal error" ? "error" : severity, columnKind: "utf8" },
    },
  };
}

function readFlake8(line: string): CompilerLine | null {
  const found = FLAKE8.exec(line);
  if (found === null) return null;
  const [, path = "", from, column, rule = "", message = ""] = found;
  return {
    isNote: false,
    draft: {
      tool: "Flake8 or Ruff",
      message: message.trim(),
      severities: [{ scale: "ruff", value: "error" }],
      path,
      span: makeSpan(from, null, column),
      rule,
      extra: { columnKind: "unicodeCodePoints" },
    },
  };
}
