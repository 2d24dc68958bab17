// Entry of the in-editor suite: the editor calls `run` inside the extension host. The same bundle serves a desktop editor.
import { renameSync, writeFileSync } from "node:fs";
import Mocha from "mocha";

interface Row {
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly ms?: number | undefined;
  readonly error?: string;
}

/** Runs all test files; rejects where one fails. Results go to the file named by `HOST_TEST_RESULTS`, which alone proves success. */
export async function run(): Promise<void> {
  const grep = process.env["HOST_TEST_GREP"];
  const mocha = new Mocha({ ui: "tdd", color: false, timeout: 60_000, ...(grep === undefined ? {} : { grep }) });
  // Gives the test files their `suite` and `test`: they are bundled, so Mocha does not load them itself.
  mocha.suite.emit("pre-require", globalThis, null, mocha);
  await import("./activation.test.ts");
  await import("./findings.test.ts");
  await import("./editor.test.ts");
  await import("./panel.test.ts");
  await import("./decisions.test.ts");
  await import("./consent.test.ts");
  await import("./models.test.ts");
  await import("./lines.test.ts");
  await import("./worker.test.ts");
  await import("./language.test.ts");
  await import("./scale.test.ts");

  const rows: Row[] = [];
  const started = Date.now();
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on("pass", (test) => rows.push({ title: test.fullTitle(), state: "passed", ms: test.duration }));
    runner.on("pending", (test) => rows.push({ title: test.fullTitle(), state: "skipped" }));
    // Also fires for a failing hook, which is no test of its own.
    runner.on("fail", (test, error: Error) =>
      rows.push({ title: test.fullTitle(), state: "failed", error: error.stack ?? error.message }),
    );
  });
  const out = process.env["HOST_TEST_RESULTS"];
  if (out !== undefined) {
    writeFileSync(`${out}.tmp`, JSON.stringify({ failures, ms: Date.now() - started, tests: rows }));
    renameSync(`${out}.tmp`, out);
  }
  if (failures > 0) throw new Error(`${failures} test(s) failed`);
}
