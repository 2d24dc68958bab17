import assert from "node:assert/strict";
import test from "node:test";
import type { RootSuggestion } from "../../src/core/sourceRoots.ts";
import { folderProblem, mapSourceRoot } from "../../src/vscode/sourceRoots.ts";

type Mapping = Pick<RootSuggestion, "from" | "to">;

interface Person {
  /** The label that is picked; undefined: the person steps back. */
  readonly pick?: string;
  readonly entered?: readonly string[];
  readonly insists?: boolean;
}

/** Runs the command over a worker in which three findings lack their file, and `/ci/ → api` fixes two. */
async function map(person: Person, missing = 3) {
  const seen = { picks: new Array<string>(), told: new Array<string>(), remembered: new Array<Mapping>(), modals: 0 };
  const entered = [...(person.entered ?? [])];
  let left = missing;
  const fixesOf = ({ from, to }: Mapping): number => (from === "/ci/" && to === "api" ? 2 : 0);
  await mapSourceRoot({
    suggest: async (tried) => {
      const mapping = tried ?? { from: "/ci/", to: "api" };
      return { missing: left, example: "/ci/src/a.ts", suggestions: [{ ...mapping, fixes: fixesOf(mapping) }] };
    },
    remember: async (mapping) => {
      seen.remembered.push(mapping);
      left -= fixesOf(mapping);
    },
    ask: {
      input: async () => entered.shift(),
      modal: async () => {
        seen.modals += 1;
        return person.insists ?? false;
      },
      pick: async (choices) => {
        seen.picks.push(...choices.map(({ label, description }) => `${label} | ${description ?? ""}`));
        return choices.find(({ label }) => label === person.pick)?.value;
      },
      tell: async (kind, message) => {
        seen.told.push(`${kind}: ${message}`);
        return undefined;
      },
    },
  });
  return seen;
}

test("a mapping is offered with what it fixes, remembered, and its effect is counted", async () => {
  const { picks, remembered, told } = await map({ pick: "/ci/ → api" });
  assert.deepEqual(picks, ["/ci/ → api | fixes 2 of 3", "Enter a folder… | for example for /ci/src/a.ts"]);
  assert.deepEqual(remembered, [{ from: "/ci/", to: "api" }]);
  assert.deepEqual(told, ["info: 2 of 3 findings found a file. The mapping stands in the workspace's settings."]);
});

test("a person who steps back changes nothing", async () => {
  for (const person of [{}, { pick: "Enter a folder…" }, { pick: "Enter a folder…", entered: ["/ci/"] }])
    assert.deepEqual((await map(person)).remembered, []);
});

test("a mapping of one's own is remembered at once where it helps, and only after a question where it fixes nothing", async () => {
  const own = (entered: readonly string[], insists: boolean) => map({ pick: "Enter a folder…", entered, insists });
  const helps = await own(["/ci/", "api"], false);
  assert.deepEqual([helps.remembered.length, helps.modals], [1, 0]);
  const useless = await own(["/ci/", "web"], false);
  assert.deepEqual([useless.remembered.length, useless.modals], [0, 1]);
  assert.deepEqual((await own(["/ci/", "web"], true)).remembered, [{ from: "/ci/", to: "web" }]);
});

test("where every finding has its file, nothing is asked", async () => {
  const { picks, told } = await map({}, 0);
  assert.deepEqual([picks, told.length], [[], 1]);
});

test("a folder is relative and stays in the workspace", () => {
  assert.deepEqual(["", "api", "services\\api", " a/b.c/ "].map(folderProblem), [null, null, null, null]);
  for (const text of ["/etc", "\\\\host", "C:/x", "..", "a/../../b"]) assert.notEqual(folderProblem(text), null, text);
});
