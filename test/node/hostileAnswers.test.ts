import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import { STRATEGIES, USUAL_METHOD } from "../../src/core/method.ts";
import { USUAL_TERMS } from "../../src/core/policy.ts";
import { triage } from "../../src/core/triage.ts";
import { sha256 } from "../../src/node/hash.ts";
import { createRepository } from "../../src/node/repository/repository.ts";
import { createStructures } from "../../src/node/syntax/structures.ts";
import { createVerbs } from "../../src/node/verbs/verbs.ts";
import { answers, assertGrounds, createHostileModel, OUTSIDE, UNKNOWN } from "../support/hostileAnswers.ts";
import { findingIn, unmasked } from "../support/memoryWorkspace.ts";
import { FILE, FILES, FLAGGED, MESSAGE } from "../support/minds.ts";
import { scriptedPrompts } from "../support/scriptedModel.ts";
import { folderWith } from "./repository/folder.ts";

test("whatever models answer or ask for, nothing outside of the workspace is read, shown or counted", async (t) => {
  const top = folderWith(t, { "outside.txt": `${OUTSIDE}: ${UNKNOWN}\n`, [`work/${FILE}`]: FILES[FILE] ?? "" });
  const root = path.join(top, "work");
  symlinkSync(path.join(top, "outside.txt"), path.join(root, "link.txt"));
  symlinkSync(top, path.join(root, "folder"));
  const repository = createRepository({ root, liveText: () => undefined });
  const structures = createStructures({ repository });
  const verbs = createVerbs({ root, repository, ripgrep: null, mask: unmasked, now: () => new Date(0), hash: sha256 });
  const finding = await findingIn(repository, MESSAGE, FILE, FLAGGED, { severity: "P2" });
  const terms = (): typeof USUAL_TERMS => USUAL_TERMS;
  const common = {
    repository,
    structures,
    verbs,
    mask: unmasked,
    hash: sha256,
    terms,
    budget: { calls: 2, bytes: 20_000 },
  };
  let read = 0;
  await fc.assert(
    fc.asyncProperty(answers, fc.constantFrom(...STRATEGIES), async (said, strategy) => {
      const model = createHostileModel(said);
      const reviewer = createModelReviewer(sameModel(model), scriptedPrompts, sha256);
      const ports = { ...common, reviewer, method: { ...USUAL_METHOD, strategy } };
      const triaged = await triage(finding, true, ports, () => undefined, new AbortController().signal);
      assertGrounds(triaged, "P2");
      const prompts = model.asked.map(({ prompt }) => prompt);
      assert.ok(!JSON.stringify([prompts, triaged]).includes(UNKNOWN));
      const named = [...triaged.rounds, ...(triaged.refutation?.refuters ?? [])].flatMap((one) =>
        one.kind === "counted" ? one.citations : [],
      );
      for (const { ok, file } of named) if (ok) assert.equal(file, FILE);
      read += triaged.receipts.filter(({ by, exitCode }) => by !== "pack" && by !== "check" && exitCode === 0).length;
    }),
    { numRuns: 120 },
  );
  assert.ok(read > 0, "some of what models asked for is read at all");
});
