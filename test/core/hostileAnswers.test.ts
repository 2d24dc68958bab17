import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import { SEVERITIES } from "../../src/core/finding.ts";
import { STRATEGIES, USUAL_METHOD } from "../../src/core/method.ts";
import { triage } from "../../src/core/triage.ts";
import { answers, assertGrounds, createHostileModel } from "../support/hostileAnswers.ts";
import { sha256 } from "../support/memoryRepository.ts";
import { createMemoryWorkspace, findingIn } from "../support/memoryWorkspace.ts";
import { FILE, FILES, FLAGGED, MESSAGE } from "../support/minds.ts";
import { scriptedPrompts } from "../support/scriptedModel.ts";

test("whatever models answer, nothing throws and nothing is dismissed without what the policy asks for (ruling 4, R1.14, C16)", async () => {
  const workspace = createMemoryWorkspace(FILES);
  const finding = await findingIn(workspace.repository, MESSAGE, FILE, FLAGGED);
  const closed = { rounds: 0, refute: 0, verdict: 0 };
  await fc.assert(
    fc.asyncProperty(
      answers,
      fc.constantFrom(...STRATEGIES),
      fc.constantFrom(...SEVERITIES),
      async (said, strategy, severity) => {
        const reviewer = createModelReviewer(sameModel(createHostileModel(said)), scriptedPrompts, sha256);
        const method = { ...USUAL_METHOD, strategy };
        const ports = { ...workspace, reviewer, method, budget: { calls: 2, bytes: 20_000 } };
        const rated = { ...finding, severity };
        const triaged = await triage(rated, true, ports, () => undefined, new AbortController().signal);
        assertGrounds(triaged, severity);
        if (triaged.outcome.authorization === "automated") closed[strategy] += 1;
      },
    ),
    { numRuns: 400 },
  );
  for (const [strategy, count] of Object.entries(closed)) assert.ok(count > 0, `${strategy} reaches dismissals at all`);
});
