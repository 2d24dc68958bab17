// Reporter for Node's test runner: one line a file, failures in full at the end, and the counts as JSON in the
// file named by TEST_COUNTS, so that the script that started the tests need not read them from text.
import { writeFileSync } from "node:fs";
import path from "node:path";

/** One cause often fails many tests; beyond this many only their names are shown. */
const MOST_IN_FULL = 25;

export default async function* report(events) {
  /** Per test file: what it printed and which tests failed in it. */
  const files = new Map();
  const of = (file) => {
    // Some events name the file as it was given, others in full.
    const key = path.resolve(file ?? "(no file)");
    if (!files.has(key)) files.set(key, { output: "", failures: [] });
    return files.get(key);
  };
  const skipped = [];
  const failures = [];
  let counts = null;
  for await (const { type, data } of events) {
    if (type === "test:stdout" || type === "test:stderr") of(data.file).output += data.message;
    if (type === "test:pass" && (data.skip !== undefined || data.todo !== undefined) && data.details.type !== "suite") {
      skipped.push({ name: data.name, reason: data.skip || data.todo });
    }
    if (type === "test:fail" && isOwnFailure(data)) {
      const failure = { file: data.file, line: data.line, name: data.name, error: data.details.error };
      of(data.file).failures.push(failure);
      failures.push(failure);
    }
    if (type === "test:summary") {
      if (data.file === undefined) counts = data.counts;
      else yield fileLine(data, of(data.file));
    }
  }
  for (const { name, reason } of skipped) yield `  skip  ${name}${typeof reason === "string" ? ` (${reason})` : ""}\n`;
  for (const failure of failures.slice(0, MOST_IN_FULL)) yield inFull(failure);
  for (const { name, file, line } of failures.slice(MOST_IN_FULL)) {
    yield `\n  FAIL  ${name}\n        ${short(file ?? "")}:${line ?? 1}\n`;
  }
  for (const [file, { output, failures: own }] of files) {
    if (own.length > 0 && output.trim() !== "") yield `\n  printed by ${short(file)}:\n${indent(output.trim())}\n`;
  }
  const target = process.env.TEST_COUNTS;
  if (target !== undefined && counts !== null) {
    const { passed, failed, cancelled, skipped: left, todo } = counts;
    writeFileSync(target, JSON.stringify({ passed, failed: failed + cancelled, skipped: left + todo }));
  }
}

/** A test that failed by itself, not only because a test inside it did. */
function isOwnFailure(data) {
  return (
    data.details.type !== "suite" && data.details.error?.failureType !== "subtestsFailed" && data.todo === undefined
  );
}

function fileLine({ file, counts, duration_ms: ms }, { failures }) {
  const bad = failures.length > 0;
  return `  ${bad ? "FAIL" : "ok  "}  ${short(file)}  ${counts.tests} tests, ${(ms / 1000).toFixed(1)} s\n`;
}

function inFull({ file, line, name, error }) {
  // The runner wraps what the test threw.
  const cause = error?.cause ?? error;
  const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  // The runner's own frames say nothing about the test.
  const text = stack.replaceAll(/\n\s+at [^\n]*\(node:internal[^\n]*/g, "");
  return `\n  FAIL  ${name}\n        ${short(file ?? "")}:${line ?? 1}\n${indent(text)}\n`;
}

function indent(text) {
  return text.replaceAll(/^/gm, "        ");
}

function short(file) {
  return path.relative(process.cwd(), file);
}
