import assert from "node:assert/strict";
import test from "node:test";
import type { CheckResult } from "../../../src/core/check.ts";
import type { Claimed } from "../../../src/core/finding.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

const hideKey = (text: string): string => text.replaceAll("hunter2", "[REDACTED:key#1]");

const TEXT = [
  "export function one() {",
  "  return 1;",
  "}",
  "",
  "export function two() {",
  "  return oneMore(2);",
  "}",
].join("\n");

async function check(
  file: string | null,
  line: number | null,
  more: Partial<Claimed> = {},
): Promise<CheckResult | undefined> {
  const workspace = createMemoryWorkspace({ "src/a.ts": TEXT });
  const finding = await findingIn(workspace.repository, "Something is wrong.", file, line, more);
  return (await runChecks(finding, workspace.context, () => undefined))[0];
}

test("place: a line that holds the quoted text is confirmed and cited", async () => {
  const place = await check("src/a.ts", 6, { quote: "return  oneMore( 2 );" });
  assert.equal(place?.verdict, "confirmed");
  assert.match(place.text, /src\/a\.ts:6 exists/);
  assert.deepEqual(
    place.citations.map(({ line, shown }) => `${line} ${shown.trim()}`),
    ["6 return oneMore(2);"],
  );
  assert.equal(place.receipts.length, 1);
});

test("place: a wrong line is relocated by its quote and never refuted (C8, classes 7 and 9)", async () => {
  for (const line of [1, 3, 400]) {
    const place = await check("src/a.ts", line, { quote: "return oneMore(2);" });
    assert.equal(place?.verdict, "confirmed");
    assert.match(place.text, /src\/a\.ts:6 exists and holds the quoted text\. .*line 6/);
  }
});

test("place: what cannot be found is unknown, whatever is missing (ruling 8)", async () => {
  assert.equal((await check("src/gone.ts", 1))?.verdict, "unknown");
  assert.equal((await check(null, null))?.verdict, "unknown");
  assert.equal((await check("src/a.ts", 400))?.verdict, "unknown");
});

test("place: a quote that is nowhere is said, and refutes nothing", async () => {
  const place = await check("src/a.ts", 2, { quote: "return eval(userInput)" });
  assert.notEqual(place?.verdict, "refuted");
  assert.doesNotMatch(place?.text ?? "", /holds the quoted text/);
});

test("place: a finding about the whole file is confirmed where the file is", async () => {
  assert.equal((await check("src/a.ts", null))?.verdict, "confirmed");
});

test("checks: one that breaks is unknown with its reason, and the others still run", async () => {
  const workspace = createMemoryWorkspace({ "src/a.ts": TEXT });
  const finding = await findingIn(workspace.repository, "`one` is not defined.", "src/a.ts", 2);
  const verbs = { run: () => Promise.reject(new Error("the disk is gone")) };
  const checks = await runChecks(finding, { ...workspace.context, verbs }, () => undefined);
  assert.deepEqual(
    checks.map(({ verdict, text }) => `${verdict}: ${text}`),
    Array.from({ length: 2 }, () => "unknown: The check could not be run: the disk is gone"),
  );
});

test("checks: a cancelled run rejects with the signal's reason instead of being unknown", async () => {
  const workspace = createMemoryWorkspace({ "src/a.ts": TEXT });
  const finding = await findingIn(workspace.repository, "`one` is not defined.", "src/a.ts", 2);
  const reason = new Error("cancelled by the person");
  const context = { ...workspace.context, signal: AbortSignal.abort(reason) };
  await assert.rejects(
    runChecks(finding, context, () => undefined),
    reason,
  );
});

test("checks: a secret in the finding's text is masked before it stands in any result (R1.33)", async () => {
  const workspace = createMemoryWorkspace({ "src/a.ts": TEXT });
  const finding = await findingIn(workspace.repository, "The key hunter2 leaks. `one` is not imported.", "src/a.ts", 2);
  const checks = await runChecks(finding, { ...workspace.context, mask: hideKey }, () => undefined);
  assert.doesNotMatch(JSON.stringify(checks), /hunter2/);
});
