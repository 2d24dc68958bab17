import assert from "node:assert/strict";
import test from "node:test";
import type { LoggedOpinion } from "../../src/core/audit.ts";
import { dismissLine, readTokenLine, seekLine } from "../../src/core/auditLines.ts";
import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import { readReview } from "../../src/core/intake/readReview.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import { ARTEFACT_KINDS, type Artefact } from "../../src/core/opinion.ts";
import { rebut, triage, type Triaged } from "../../src/core/triage.ts";
import { HARMLESS, INJECTIONS } from "../support/injections.ts";
import { readFences } from "../support/injected.ts";
import { collectFindings } from "../support/collect.ts";
import { sha256 } from "../support/memoryRepository.ts";
import { createMemoryWorkspace, findingIn } from "../support/memoryWorkspace.ts";
import { FILE, FILES, FLAGGED, here, MESSAGE, think } from "../support/minds.ts";
import { createScriptedModel, scriptedPrompts } from "../support/scriptedModel.ts";

/** An opinion that asks for a fix, an objection made of the text, and a model that gives in to whatever it is told. */
async function objectedWith(
  text: string,
): Promise<{ triaged: Triaged; labels: string[]; outside: string; marks: string[] }> {
  const workspace = createMemoryWorkspace(FILES);
  const finding = await findingIn(workspace.repository, MESSAGE, FILE, FLAGGED, { severity: "P2" });
  const fixes = think({ verdict: () => "VALID", lines: () => [here(FLAGGED)] });
  const givesIn = think({ verdict: () => "INVALID", lines: () => [here(10)], words: text });
  const model = createScriptedModel((asked) => (asked.role === "rebuttal" ? givesIn(asked) : fixes(asked)));
  const reviewer = createModelReviewer(sameModel(model), scriptedPrompts, sha256);
  const method = { ...USUAL_METHOD, strategy: "verdict" } as const;
  const ports = { ...workspace, reviewer, method, budget: { calls: 3, bytes: 20_000 } };
  const { signal } = new AbortController();
  const first = await triage(finding, true, ports, () => undefined, signal);
  assert.equal(first.outcome.mapped, "FIX_REQUIRED");
  const artefacts = ARTEFACT_KINDS.map((kind): Artefact => ({ kind, source: text.slice(0, 200), text }));
  const triaged = await rebut(finding, first, artefacts, ports, () => undefined, signal);
  const objection = model.asked.find(({ role }) => role === "rebuttal");
  const fences = readFences(objection?.request.messages.findLast(({ role }) => role === "user")?.content ?? "");
  return { triaged, labels: [...fences.labels], outside: fences.outside, marks: [...fences.marks] };
}

const control = await objectedWith(HARMLESS);

test("injection in an artefact: the harmless one comes to no dismissal, and stands in fences of its own", () => {
  assert.deepEqual(
    control.labels,
    ARTEFACT_KINDS.map(() => "ARTEFACT"),
  );
  assert.equal(control.triaged.outcome.action, "needs-human");
});

/** A log with the text as help, name, tag and description of its rule. */
function sarifWith(text: string): string {
  const rule = {
    id: "plain-rule",
    shortDescription: { text },
    fullDescription: { text },
    help: { text, markdown: text },
    helpUri: text,
    properties: { tags: [text], precision: text },
  };
  const region = { startLine: FLAGGED };
  const location = { physicalLocation: { artifactLocation: { uri: FILE }, region } };
  const result = { ruleId: rule.id, ruleIndex: 0, level: "warning", message: { text: MESSAGE }, locations: [location] };
  return JSON.stringify({
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "scan", rules: [rule] } }, results: [result] }],
  });
}

for (const [name, template] of Object.entries(INJECTIONS)) {
  const text = template.replaceAll("MARK", control.marks[0] ?? "");

  test(`injection in an artefact of an objection: ${name}`, async () => {
    const { triaged, labels, outside } = await objectedWith(text);
    assert.deepEqual(labels, control.labels);
    assert.equal(outside, control.outside);
    const { action, authorization, severity, proposesDismissal } = triaged.outcome;
    const before = control.triaged.outcome;
    assert.deepEqual(
      { action, authorization, severity, proposesDismissal },
      {
        action: before.action,
        authorization: before.authorization,
        severity: before.severity,
        proposesDismissal: before.proposesDismissal,
      },
    );
  });

  test(`injection in the output channel: a line stays one line with the members it has: ${name}`, () => {
    const entry = { severity: "P2" as const, evidence: [`${text}:7`], authorization: "none" as const };
    const opinion: LoggedOpinion = {
      status: "gave",
      intent: "confirm",
      thread: "t1",
      verdict: "UNCERTAIN",
      impact: "NOT_ASSESSED",
      verdictConfidence: 0.5,
      refs: 0,
      mapped: "NEED_HUMAN",
      rebutted: false,
      by: { provider: "scripted", model: "script" },
    };
    for (const key of [
      { file: text, issue: "issue" },
      { file: FILE, issue: text },
    ])
      for (const line of [dismissLine(entry, opinion, key, new Date(0)), seekLine(entry, opinion, key, new Date(0))]) {
        assert.doesNotMatch(line, /[\p{C}\p{Zl}\p{Zp}]/u);
        const read = readTokenLine(line);
        assert.match(read?.token ?? "", /^(?:DISMISS_VERDICT|SEEK_VERDICT)$/);
        assert.equal(read?.members.get("verdict"), "NEED_HUMAN");
        assert.equal(line.split(" | ").length, read.members.size);
        assert.equal(read.members.get("severity"), "P2");
      }
  });

  test(`injection in a rule's help, description and tags: ${name}`, async () => {
    const { repository } = createMemoryWorkspace(FILES);
    const read = async (help: string) => {
      const reading = readReview(sarifWith(help), "scan.sarif");
      const { findings } = await collectFindings([{ path: "scan.sarif", reading }], repository, sha256);
      const [finding] = findings;
      assert.ok(finding !== undefined && findings.length === 1);
      const { key, message, severity, hard, status, place, rule } = finding;
      return { key, message, severity, hard, status, place, rule };
    };
    assert.deepEqual(await read(text), await read(HARMLESS));
  });
}
