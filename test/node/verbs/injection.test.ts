import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { fenceData } from "../../../src/core/fence.ts";
import type { VerbRun } from "../../../src/core/ports.ts";
import { sha256 } from "../../../src/node/hash.ts";
import { createMask } from "../../../src/node/mask/mask.ts";
import { createRepository } from "../../../src/node/repository/repository.ts";
import { createVerbs } from "../../../src/node/verbs/verbs.ts";
import { HARMLESS, INJECTIONS } from "../../support/injections.ts";
import { readFences } from "../../support/injected.ts";
import { folderWith, git } from "../repository/folder.ts";

const { signal } = new AbortController();

test("injection in commit messages: what git prints stays data in one fence, and no note of ours repeats it", async (t) => {
  const root = folderWith(t, { "a.ts": "export const one = 1;\n" });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", ".");
  git(root, "commit", "-qm", HARMLESS);
  const repository = createRepository({ root, liveText: () => undefined });
  const verbs = createVerbs({
    root,
    repository,
    ripgrep: null,
    mask: createMask(),
    now: () => new Date(0),
    hash: sha256,
  });
  const show = async (): Promise<VerbRun> =>
    await verbs.run({ verb: "show", file: ".", revision: "HEAD" }, "round-1", signal);
  const clean = await show();
  const mark = readFences(fenceData("EVIDENCE", clean.output, sha256)).marks[0] ?? "";
  for (const [name, template] of Object.entries(INJECTIONS))
    await t.test(`a commit message: ${name}`, async () => {
      const input = template.replaceAll("MARK", mark);
      const argv = ["commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", "-"];
      execFileSync("git", ["-C", root, "-c", "user.name=A", "-c", "user.email=a@example.org", ...argv], { input });
      const run = await show();
      assert.equal(run.error, null);
      const log = await verbs.run({ verb: "log", path: ".", count: 100, revision: "HEAD" }, "round-1", signal);
      for (const { output, notes } of [run, log]) {
        const { labels, outside } = readFences(fenceData("EVIDENCE", output, sha256));
        assert.deepEqual([labels, outside], [["EVIDENCE"], ""]);
        assert.deepEqual(notes, []);
      }
    });
});
