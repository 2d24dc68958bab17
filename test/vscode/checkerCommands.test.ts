import assert from "node:assert/strict";
import test from "node:test";
import type { AcceptedLine, CheckerRow, ListCheckersResult, RevokeLineParams } from "../../src/protocol/checkers.ts";
import type { Choice } from "../../src/vscode/asker.ts";
import { listCheckers, showAcceptedLines } from "../../src/vscode/checkerCommands.ts";

const ROW: CheckerRow = {
  tool: "tsc",
  program: "/usr/bin/tsc",
  version: "5.9.3",
  tier: 1,
  why: null,
  configured: true,
};

/** A worker with these folders and lines, and a person who picks the row of that index. */
function rig(
  given: { readonly folders?: ListCheckersResult["folders"]; readonly lines?: readonly AcceptedLine[] },
  picks?: number,
) {
  const shown: Pick<Choice<unknown>, "label" | "description" | "detail">[] = [];
  const told: string[] = [];
  const revoked: RevokeLineParams[] = [];
  const opened: string[] = [];
  return {
    shown,
    told,
    revoked,
    opened,
    ports: {
      worker: {
        listCheckers: async () => ({ folders: given.folders ?? [] }),
        acceptedLines: async () => ({ lines: given.lines ?? [] }),
        revokeLine: async (params: RevokeLineParams) => {
          revoked.push(params);
          return { revoked: true };
        },
      },
      ask: {
        async pick<T>(choices: readonly Choice<T>[]): Promise<T | undefined> {
          shown.push(...choices);
          return picks === undefined ? undefined : choices[picks]?.value;
        },
        async tell(_kind: string, text: string): Promise<undefined> {
          told.push(text);
        },
        say: (text: string): void => void told.push(text),
      },
      openSetting: async (id: string) => void opened.push(id),
    },
  };
}

const LISTED: readonly (readonly [what: string, row: Partial<CheckerRow>, label: string, words: RegExp])[] = [
  ["one that runs by itself", {}, "tsc 5.9.3", /^runs by itself$/],
  [
    "one whose lines are asked about",
    { tool: "eslint", tier: 2, why: "It is a program." },
    "eslint 5.9.3",
    /^each line needs your word$/,
  ],
  [
    "one that is configured and missing",
    { tool: "mypy", program: null, version: null, why: "not found" },
    "mypy",
    /^not found, though this project configures it$/,
  ],
  ["one that is nowhere", { tool: "ruff", program: null, version: null, configured: false }, "ruff", /^not found$/],
  [
    "one that does not tell its version",
    { version: null, why: "tsc does not tell its version." },
    "tsc",
    /^cannot be used$/,
  ],
];

for (const [what, row, label, words] of LISTED)
  test(`the list of checkers names ${what}, its program and why`, async () => {
    const one = { ...ROW, ...row };
    const { ports, shown } = rig({ folders: [{ root: "/w/shop", held: null, checkers: [one] }] });
    await listCheckers(ports);
    assert.equal(shown[0]?.label, label);
    assert.match(shown[0]?.description ?? "", words);
    const detail =
      one.program === null ? undefined : [one.program, one.why].filter((part) => part !== null).join(" · ");
    assert.equal(shown[0]?.detail, detail);
  });

test("of several folders each row says its folder, and a chosen row opens the setting that names programs", async () => {
  const folders = ["/w/shop", "/w/api"].map((root) => ({ root, held: null, checkers: [ROW] }));
  const { ports, shown, opened } = rig({ folders }, 1);
  await listCheckers(ports);
  assert.deepEqual(
    shown.map(({ description }) => description),
    ["runs by itself · shop", "runs by itself · api"],
  );
  assert.deepEqual(opened, ["skepticalTriage.checkers"]);
});

test("where nothing may be started, one sentence says so and nothing is listed", async () => {
  const held = "Checkers are programs: none is started in a workspace that is not trusted.";
  const { ports, shown, told } = rig({ folders: [{ root: "/w/shop", held, checkers: [] }] });
  await listCheckers(ports);
  assert.deepEqual(shown, []);
  assert.equal(told.at(-1), held);
});

test("an accepted line is listed to the letter but never as an icon, and revoked in its own folder", async () => {
  const at = "2026-01-02T03:04:05.000Z";
  const lines = [
    { root: "/w/shop", line: "eslint .", at },
    { root: "/w/api", line: "node '$(trash) x'", at },
  ];
  const { ports, shown, revoked } = rig({ lines }, 1);
  await showAcceptedLines(ports);
  assert.equal(shown[0]?.label, "eslint .");
  assert.equal(shown[0]?.description, "shop");
  assert.ok(!shown[1]?.label.includes("$("));
  assert.deepEqual(revoked, [{ root: "/w/api", line: "node '$(trash) x'" }]);
});

test("stepping back revokes nothing, and without an accepted line there is nothing to choose", async () => {
  const back = rig({ lines: [{ root: "/w", line: "eslint .", at: "2026-01-02T03:04:05.000Z" }] });
  await showAcceptedLines(back.ports);
  assert.deepEqual(back.revoked, []);
  const none = rig({});
  await showAcceptedLines(none.ports);
  assert.match(none.told[0] ?? "", /No command line is accepted/);
  assert.deepEqual(none.shown, []);
});
