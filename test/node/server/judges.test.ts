import assert from "node:assert/strict";
import test from "node:test";
import type { Lens } from "../../../src/core/lens.ts";
import { USUAL_METHOD } from "../../../src/core/method.ts";
import { advance, objectedTo, STARTED } from "../../../src/node/engine/entry.ts";
import { opinionView, refutationView } from "../../../src/node/server/judges.ts";
import { receiptsShown } from "../../../src/node/server/receipts.ts";
import { abstained, counted, entryOf, gave, line, opinedBy, refutedBy, triagedBy } from "../../support/judged.ts";
import { receipts } from "../../support/panelStates.ts";

const LENSES: readonly Lens[] = [
  { kind: "own", id: "forgery" },
  { kind: "own", id: "limits" },
  { kind: "given", id: "given-1", text: "Nightly export" },
];
const method = { ...USUAL_METHOD, strategy: "refute" } as const;
const running = advance(
  { ...STARTED, method },
  { kind: "stage", stage: { kind: "refuters", pass: 1, of: 3, lenses: LENSES } },
);

test("while refuters are at work, each lens that has not answered is named once", () => {
  const before = refutationView(entryOf(null, { progress: running }));
  assert.deepEqual(before?.awaited, ["Forged input", "Nightly export", "Values at the limits"]);
  const after = refutationView(
    entryOf(null, { progress: advance(running, { kind: "refuter", refuter: abstained() }) }),
  );
  assert.deepEqual(after?.awaited, ["Forged input", "Nightly export"]);
  assert.deepEqual([after?.refuters.length, after?.recount, after?.polarity], [1, null, null]);
});

test("refuters that share a lens are awaited each for itself (R4.5)", () => {
  const same = Array.from({ length: 3 }, (): Lens => ({ kind: "own", id: "preconditions" }));
  const stage = { kind: "refuters", pass: 1, of: 3, lenses: same } as const;
  const one = advance(advance({ ...STARTED, method }, { kind: "stage", stage }), {
    kind: "refuter",
    refuter: counted({ lens: { kind: "own", id: "preconditions" } }),
  });
  assert.equal(refutationView(entryOf(null, { progress: one }))?.awaited.length, 2);
});

test("a triage by rounds shows no refuters, running or done", () => {
  assert.equal(refutationView(entryOf(null, { progress: { ...STARTED, method: USUAL_METHOD } })), null);
  assert.equal(refutationView(entryOf(triagedBy({}))), null);
  assert.equal(refutationView(entryOf(null)), null);
});

test("refuters stand by pass and title, whichever answered first, so that none moves when another arrives", () => {
  const one = counted({ lens: { kind: "own", id: "limits" }, pass: 2 });
  const all = [one, counted({ lens: { kind: "own", id: "limits" } }), counted()];
  const titles = (refuters: typeof all) =>
    refutationView(entryOf(refutedBy(refuters)))?.refuters.map(({ title, pass }) => `${pass} ${title}`);
  assert.deepEqual(titles(all), ["1 Forged input", "1 Values at the limits", "2 Values at the limits"]);
  assert.deepEqual(titles(all.toReversed()), titles(all));
});

test("cited lines that are left out for lack of room are counted", () => {
  const many = counted({ citations: Array.from({ length: 9 }, (_, index) => line("src/a.ts", index + 1)) });
  const [shown] = refutationView(entryOf(refutedBy([many])))?.refuters ?? [];
  assert.deepEqual([shown?.kind === "counted" ? shown.citations.length : 0, shown?.uncited], [6, 3]);
});

test("the largest loop with the longest texts leaves room for the rest of a snapshot of 350 KB", () => {
  const long = counted({
    attack: "a".repeat(600),
    scenario: "s".repeat(600),
    note: "n".repeat(600),
    reReadSources: Array.from({ length: 40 }, () => "p".repeat(100)),
    citations: Array.from({ length: 40 }, (_, index) => line("src/a.ts", index + 1, "c".repeat(6000))),
  });
  const refuters = Array.from({ length: 63 }, (_, index) => ({ ...long, pass: Math.floor(index / 7) + 1 }));
  const triaged = { ...refutedBy(refuters), opinion: gave({ reasoning: "r".repeat(8000) }) };
  const size = JSON.stringify([refutationView(entryOf(triaged)), opinionView(entryOf(triaged))]).length;
  assert.ok(size < 230_000, `${size}`);
});

test("so many runs as many refuters make still fit: fewer lines of each, and what is left out is counted", () => {
  const one = required(receipts[0]);
  const few = receiptsShown([{ ...one, lines: Array.from({ length: 70 }, () => "x".repeat(200)) }], "few");
  assert.deepEqual([few.left, few.receipts[0]?.lines.length, few.receipts[0]?.truncated], [0, 60, true]);
  const all = Array.from({ length: 504 }, () => ({ ...one, lines: Array.from({ length: 70 }, () => "x".repeat(200)) }));
  const many = receiptsShown(all, "many");
  assert.deepEqual([many.receipts.length, many.left], [100, 404]);
  assert.ok(many.receipts.every(({ lines, truncated }) => lines.length > 0 && truncated));
  assert.ok(JSON.stringify(many).length < 100_000);
  assert.ok(JSON.stringify(receiptsShown(all, "few")).length < 220_000);
});

function required<T>(value: T | undefined): T {
  return value ?? assert.fail();
}

test("a second opinion names who gave it, and whether its model is of another family than whoever judged besides (C1)", () => {
  const besides = (by: ReturnType<typeof gave>["by"]) =>
    opinionView(entryOf({ ...refutedBy([counted()]), opinion: gave({ by }) }))?.family;
  assert.equal(besides({ provider: "x", model: "y", family: "blind" }), "another");
  assert.equal(besides({ provider: "x", model: "y", family: "large" }), "same");
  assert.equal(besides({ provider: "x", model: "large" }), "same");
  assert.equal(besides({ provider: "x", model: "y" }), null, "what is not known is neither");
  assert.equal(besides({ provider: "built-in", model: "built-in" }), null);
  const fallback = counted({ by: { provider: "x", model: "z", family: "blind" } });
  const mixed = {
    ...refutedBy([counted(), fallback]),
    opinion: gave({ by: { provider: "x", model: "y", family: "blind" } }),
  };
  assert.equal(opinionView(entryOf(mixed))?.family, "same", "one of several of its family is enough");
  const silent = { ...triagedBy({}), opinion: gave({ by: { provider: "x", model: "y", family: "blind" } }) };
  assert.equal(opinionView(entryOf(silent))?.family, null, "nobody judged besides");
  const alone = opinionView(entryOf(opinedBy(gave())));
  assert.deepEqual([alone?.who, alone?.family], ["blind at https://second.example", null]);
  assert.equal(opinionView(entryOf(triagedBy({}))), null);
});

test("while an objection is being answered, all that was said before stays in view (R1.25)", () => {
  const triaged = { ...refutedBy([counted(), counted()]), opinion: gave() };
  const progress = objectedTo({ triaged });
  const entry = entryOf(triaged, { progress });
  assert.equal(refutationView(entry)?.refuters.length, 2);
  assert.equal(refutationView(entry)?.recount?.result, "refuted");
  assert.equal(opinionView(entry)?.kind, "gave");
  assert.deepEqual(objectedTo({ triaged: null }), STARTED);
});
