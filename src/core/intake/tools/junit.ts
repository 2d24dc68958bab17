import type { Span } from "../../finding.ts";
import type { Reader } from "../reader.ts";
import { makeSpan, positive, present } from "./fields.ts";
import type { Draft } from "./tool.ts";
import type { OpenElement } from "./xml.ts";
import { createCollector, rootPattern, walkXml } from "./xml.ts";

/** JUnit XML of any test runner: each failed test is a hard fact; passed and skipped ones are no findings. */
export const junitReader: Reader = {
  format: "junit",
  title: "JUnit XML",
  read(source) {
    if (source.json !== null || !ROOT.test(source.text.slice(0, 4000))) return null;
    const collector = createCollector(source);
    let suite: OpenElement | null = null;
    let test: OpenElement | null = null;
    const problem = walkXml(source.text, {
      open(element) {
        if (element.name === "testsuite") suite = element;
        if (element.name === "testcase") test = element;
      },
      close(element, text) {
        if (element.name === "failure" || element.name === "error")
          collector.add(readFailure(element, text, test, suite), element.line);
        if (element.name === "testcase") test = null;
      },
    });
    return collector.reading("junit", problem);
  },
};

const ROOT = rootPattern("testsuites?");

const RUNNERS: readonly (readonly [named: RegExp, tool: string])[] = [
  [/pytest/i, "pytest"],
  [/jest/i, "Jest"],
  [/vitest/i, "Vitest"],
  [/mocha/i, "Mocha"],
  [/playwright/i, "Playwright"],
  [/rspec/i, "RSpec"],
  [/phpunit/i, "PHPUnit"],
];

function readFailure(failure: OpenElement, text: string, test: OpenElement | null, suite: OpenElement | null): Draft {
  const name = test?.attributes["name"] ?? suite?.attributes["name"] ?? "a test";
  const group = test?.attributes["classname"] ?? "";
  const said = (failure.attributes["message"] ?? "").trim() || (text.trim().split("\n", 1)[0] ?? "").trim();
  const type = failure.attributes["type"] ?? null;
  const file = test?.attributes["file"] ?? suite?.attributes["file"] ?? suite?.attributes["filepath"] ?? null;
  const place = placeOfFailure(text, file, group, test?.attributes["line"]);
  const title = group === "" || name.includes(group) ? name : `${group} ${name}`;
  const runner = RUNNERS.find(([named]) => named.test(`${suite?.attributes["name"] ?? ""} ${file ?? ""}`))?.[1];
  return {
    tool: runner ?? "JUnit",
    message: `${title}: ${said === "" ? `the test ended with ${failure.name}` : said}`.slice(0, 4000),
    severities: [{ scale: "junit", value: "error" }],
    ...place,
    rule: type,
    category: "failing test",
    extra: present({
      level: "error",
      symbol: /^[A-Za-z_$][\w$]*$/.test(name) ? name : null,
      test: title,
      suite: suite?.attributes["name"],
      seconds: test?.attributes["time"],
      output: text.trim().slice(0, 8000),
    }),
  };
}

// A stack names the place as `file:line` with or without a column: Python, Java, JavaScript, Go, Ruby.
const FRAME =
  /(?:^|[\s("'])((?:[A-Za-z]:[\\/]|\.{0,2}\/)?[\w@.$+-]+(?:[\\/][\w@.$+-]+)*\.(?:py|java|kt|scala|groovy|[cm]?[jt]sx?|go|rb|php|cs|swift|rs)):(\d{1,7})(?::(\d{1,5}))?/gm;
const FOREIGN = /node_modules|site-packages|\bnode:|internal\/|\bjunit\b|java\.base|dist-packages/;

/**
 * Where a test failed: the frame of its own file in the text of the failure, else the first one outside of libraries, else `line` of the
 * file as the report names it. `group` is a class or a module that holds the test.
 */
export function placeOfFailure(
  text: string,
  file: string | null,
  group: string,
  line: unknown,
): { readonly path: string | null; readonly span: Span } {
  const frames = Array.from(text.slice(0, 20_000).matchAll(FRAME), ([, path = "", at, column]) => ({
    path,
    at,
    column,
  }));
  const wanted = baseName(file ?? group.split(/[.\\/]/).at(-1) ?? "").replace(/\.\w+$/, "");
  const own = frames.filter(({ path }) => wanted !== "" && baseName(path).startsWith(wanted));
  const frame = own.at(0) ?? (file === null ? frames.find(({ path }) => !FOREIGN.test(path)) : undefined);
  if (frame !== undefined) return { path: file ?? frame.path, span: makeSpan(frame.at, null, frame.column) };
  return { path: file, span: makeSpan(positive(line)) };
}

function baseName(path: string): string {
  return path.replaceAll("\\", "/").split("/").at(-1) ?? path;
}
