import type { Reader } from "../reader.ts";
import { pathOfUri } from "../uri.ts";
import { makeSpan, positive, present } from "./fields.ts";
import type { OpenElement } from "./xml.ts";
import { createCollector, rootPattern, walkXml } from "./xml.ts";
import type { Draft } from "./tool.ts";

/** Checkstyle's XML, which many linters write too: `<checkstyle><file name><error line severity message source/>`. */
export const checkstyleReader: Reader = {
  format: "checkstyle",
  title: "Checkstyle XML",
  read(source) {
    if (source.json !== null || !ROOT.test(source.text.slice(0, 4000))) return null;
    const collector = createCollector(source);
    let file: string | null = null;
    const problem = walkXml(source.text, {
      open(element) {
        if (element.name === "file") file = element.attributes["name"] ?? null;
        if (element.name !== "error") return;
        const draft = readError(element, file);
        if (typeof draft === "string") collector.miss(words(element), element.line, draft);
        else collector.add(draft, element.line);
      },
      close(element, text) {
        if (element.name === "file") file = null;
        if (element.name !== "exception") return;
        collector.miss(text, element.line, `The linter failed on ${file ?? "a file"}, so it says nothing about it.`);
      },
    });
    return collector.reading("checkstyle", problem);
  },
};

const ROOT = rootPattern("checkstyle");

// The linters that write this format put their own name before the rule.
const SOURCES: readonly (readonly [prefix: RegExp, tool: string])[] = [
  [/^com\.puppycrawl\.tools\.checkstyle\.(?:checks\.)?/, "Checkstyle"],
  [/^eslint\.(?:rules\.)?/, "ESLint"],
  [/^stylelint\.rules\./, "stylelint"],
  [/^failure\.tslint\./, "TSLint"],
  [/^detekt\./, "detekt"],
  [/^ShellCheck\./, "ShellCheck"],
  [/^swiftlint\.rules\./, "SwiftLint"],
  [/^org\.scalastyle\.(?:\w+\.)*/, "Scalastyle"],
];

function readError(element: OpenElement, file: string | null): Draft | string {
  const { line, column, severity, message, source, ...rest } = element.attributes;
  const found = SOURCES.find(([prefix]) => prefix.test(source ?? ""));
  const rule = found === undefined ? (source ?? "") : (source ?? "").replace(found[0], "");
  const text = (message ?? "").trim() || rule;
  if (text === "") return "This error has neither a message nor a source.";
  const own = found?.[1] === "Checkstyle";
  const parts = own ? rule.replace(/Check$/, "").split(".") : [rule];
  return {
    tool: found?.[1] ?? "Checkstyle",
    message: text,
    severities: severity === undefined ? [] : [{ scale: "checkstyle", value: severity }],
    path: file === null || file === "" ? null : pathOfUri(file),
    span: makeSpan(positive(line), null, positive(column)),
    rule: parts.at(-1) || null,
    category: parts.length > 1 ? (parts.at(-2) ?? null) : null,
    extra: present({ ...rest, level: severity, source }),
  };
}

function words(element: OpenElement): string {
  return Object.entries(element.attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(" ");
}
