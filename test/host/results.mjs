// Reads what the suite in the extension host wrote: { ms, tests: [{ title, state, ms?, error? }] }, state being
// passed, failed or skipped. The exit code of the editor is no measure: it is 0 also when the host was killed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/**
 * Prints one line per test and the counts, and writes the counts as JSON to the file named by TEST_COUNTS.
 * @returns {0 | 1 | 2 | null} 0 all passed, 1 a test failed, 2 no test ran; null where the suite wrote nothing
 */
export function reportResults(file) {
  if (!existsSync(file)) return null;
  const { tests, ms } = JSON.parse(readFileSync(file, "utf8"));
  for (const test of tests) {
    const mark = { passed: "ok  ", failed: "FAIL", skipped: "skip" }[test.state];
    console.log(`  ${mark}  ${test.title}${test.ms === undefined ? "" : ` (${test.ms} ms)`}`);
    if (test.error) console.log(test.error.replaceAll(/^/gm, "        "));
  }
  const count = (state) => tests.filter((test) => test.state === state).length;
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  console.log(`  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${ms} ms`);
  if (process.env.TEST_COUNTS) writeFileSync(process.env.TEST_COUNTS, JSON.stringify(counts));
  if (counts.failed > 0) return 1;
  return counts.passed > 0 ? 0 : 2;
}
