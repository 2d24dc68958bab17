import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { USUAL_METHOD } from "../../../src/core/method.ts";
import { readArguments } from "../../../src/node/cli/arguments.ts";
import { HELP } from "../../../src/node/cli/help.ts";
import { METHOD_OPTIONS } from "../../../src/node/cli/methodArguments.ts";
import { TRIAGE_OPTIONS, type TriageCommand } from "../../../src/node/cli/triageArguments.ts";

const NOTHING = { rules: [], cwes: [], paths: [], tags: [] };

function triage(...options: readonly string[]): TriageCommand {
  const command = readArguments(["triage", "review.md", ...options]);
  assert.equal(command.kind, "triage", command.kind === "wrong" ? command.why : "");
  return command.kind === "triage" ? command : assert.fail();
}

test("without options a finding is judged as the editor does by its defaults", () => {
  const { method, untouchable } = triage();
  assert.deepEqual([method, untouchable], [USUAL_METHOD, NOTHING]);
});

/** What the options of the method come to. */
const METHODS: readonly (readonly [options: string, method: Partial<TriageCommand["method"]>])[] = [
  ["--strategy rounds --visibility blind --early-stop", { visibility: "blind", earlyStop: true }],
  ["--second-opinion", { secondOpinion: "always" }],
  ["--strategy refute", { strategy: "refute", refuters: 3 }],
  ["--strategy refute --refuters 1", { strategy: "refute", refuters: 1 }],
  ["--strategy refute --refuters 7 --loop 5", { strategy: "refute", refuters: 7, quietRounds: 5 }],
  ["--strategy verdict", { strategy: "verdict", intent: "dismiss" }],
  ["--strategy verdict --intent clarify", { strategy: "verdict", intent: "clarify" }],
];
for (const [options, method] of METHODS) {
  test(`triage ${options} is read`, () => {
    assert.deepEqual(triage(...options.split(" ")).method, { ...USUAL_METHOD, ...method });
  });
}

test("a lens is taken word for word, and there are as many refuters as lenses (R4.5)", () => {
  const { method } = triage("--strategy", "refute", "--lens", " What if the queue is full? ", "--lens=--admin");
  assert.deepEqual([method.lenses, method.refuters], [[" What if the queue is full? ", "--admin"], 2]);
  assert.equal(triage("--strategy", "refute", "--lens", "a", "--refuters", "4").method.refuters, 4);
});

test("what is untouchable is read by its kind", () => {
  const given = ["rule=js/sql", "cwe=89", "cwe=CWE-22", "path=src/**/auth*.ts", "tag=a=b"];
  const { untouchable } = triage(...given.flatMap((one) => ["--untouchable", one]));
  assert.deepEqual(untouchable, { rules: ["js/sql"], cwes: [89, 22], paths: ["src/**/auth*.ts"], tags: ["a=b"] });
});

test("a person's own prompts are taken by id, and their files made absolute", () => {
  const { prompts } = triage("--prompt", "refute=own/refute.md", "--prompt", "lens-limits=/a=b.md");
  assert.deepEqual(prompts, { refute: path.resolve("own/refute.md"), "lens-limits": "/a=b.md" });
  assert.deepEqual(triage().prompts, {});
});

/** Wrong uses, and a word that has to stand in the answer. */
const REFUSED: readonly (readonly [options: string, why: RegExp])[] = [
  ["--prompt refute", /--prompt takes ID=FILE, not 'refute'/],
  ["--prompt refute=", /--prompt takes ID=FILE/],
  ["--prompt judge=a.md", /The ids are rules, round-1-premise/],
  ["--strategy vote", /--strategy is one of rounds, refute, verdict/],
  ["--strategy verdict --intent please", /--intent is one of dismiss, confirm, clarify/],
  ["--intent confirm", /--intent goes with --strategy verdict only/],
  ["--strategy refute --visibility blind", /--visibility goes with --strategy rounds only/],
  ["--strategy verdict --early-stop", /--early-stop goes with --strategy rounds only/],
  ["--refuters 3", /--refuters goes with --strategy refute only/],
  ["--lens x", /--lens goes with --strategy refute only/],
  ["--loop 2", /--loop goes with --strategy refute only/],
  ["--strategy refute --refuters 0", /--refuters takes a whole number from 1 to 7/],
  ["--strategy refute --refuters 8", /from 1 to 7/],
  ["--strategy refute --refuters 2.5", /from 1 to 7/],
  ["--strategy refute --loop 6", /--loop takes a whole number from 0 to 5/],
  ["--strategy refute --refuters 1 --lens a --lens b", /leaves out some of the 2 lenses/],
  [`--strategy refute --lens ${"x".repeat(401)}`, /at most 400 characters/],
  [`--strategy refute ${"--lens x ".repeat(8).trim()}`, /7 times at most/],
  ["--visibility hidden", /--visibility is one of sequential, blind/],
  ["--untouchable rule", /--untouchable takes rule=ID/],
  ["--untouchable cwe=sql", /--untouchable takes/],
  ["--untouchable rule=", /--untouchable takes/],
  ["--untouchable owner=me", /not 'owner=me'/],
];
for (const [options, why] of REFUSED) {
  test(`triage ${options.slice(0, 60)} is refused with its reason`, () => {
    const command = readArguments(["triage", "review.md", ...options.split(" ")]);
    assert.equal(command.kind, "wrong");
    assert.match(command.kind === "wrong" ? command.why : "", why);
  });
}

test("other commands know none of these options", () => {
  for (const name of METHOD_OPTIONS) {
    const value = name === "second-opinion" || name === "early-stop" ? [] : ["x"];
    const command = readArguments(["findings", "review.md", `--${name}`, ...value]);
    assert.match(command.kind === "wrong" ? command.why : "", new RegExp(`no option --${name}`));
  }
});

test("the help names every option of triage", () => {
  assert.deepEqual(
    TRIAGE_OPTIONS.filter((name) => !HELP.includes(`--${name}`)),
    [],
  );
});
