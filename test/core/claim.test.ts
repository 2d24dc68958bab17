import assert from "node:assert/strict";
import test from "node:test";
import { atomsOf, fileNamedIn } from "../../src/core/claim.ts";

/** The parts of a message in short: class or `-`, subject, `!` where it carries weight. */
function shape(message: string): string[] {
  return atomsOf(message).map(
    ({ claimClass, subject, weight }) => `${claimClass ?? "-"} ${subject ?? "-"}${weight ? " !" : ""}`,
  );
}

const words = (text: string): string[] => text.match(/[A-Za-z0-9]+/g) ?? [];
const named = (text: string): string | null => fileNamedIn({ text });

const STRUCTURAL: readonly (readonly [string, string])[] = [
  ["`X` is not imported.", "11 X !"],
  ["`X` is never imported", "11 X !"],
  ["`readFile` isn't imported here", "11 readFile !"],
  ["formatMoney is not imported in src/routes.ts", "11 formatMoney !"],
  ["`formatMoney` is not defined or imported in this module", "11 formatMoney !"],
  ["`X` is neither imported nor declared in this file.", "11 X !"],
  ["The function `parse()` is not defined anywhere.", "11 parse !"],
  ["`X` is used here but never imported", "11 X !"],
  ["`X` is called in `run()` but is not defined", "11 X !"],
  ["describe() calls `formatMoney`, which is never imported", "11 formatMoney !"],
  ["Missing import for `X`", "11 X !"],
  ["There is no import of `X` at the top of this file.", "11 X !"],
  ["Undefined name `X`", "11 X !"],
  ["Cannot find name 'X'.", "11 X !"],
  ["'X' is not defined.", "11 X !"],
  ["`X` is an undeclared variable", "11 X !"],
  ["`X` is not exported from src/util.ts", "11 X !"],
  ["util.ts does not export `roundHalfEven`", "11 roundHalfEven !"],
  ["Module './util' has no exported member 'X'.", "11 X !"],
  ["`X` is unused", "12 X !"],
  ["The helper `X` is never called anywhere.", "12 X !"],
  ["upperPlugin is never referenced anywhere and should be removed.", "12 upperPlugin !"],
  ["'X' is declared but its value is never read.", "12 X !"],
  ["Unused function `X`", "12 X !"],
  ["The file `src/x.ts` does not exist in this repository.", "10 src/x.ts !"],
];

for (const [message, expected] of STRUCTURAL) {
  test(`claim: “${message}” is one claim that a look into the code can settle (claims.md 2)`, () => {
    assert.deepEqual(shape(message), [expected]);
  });
}

// One word more, and it is another claim: every one of these may be true although the name is imported, defined or used.
const BEHAVIOUR: readonly string[] = [
  "`X` is not imported lazily.",
  "`X` is not imported as a value.",
  "`X` is not imported on Windows.",
  "`X` is not imported from `./safe`.",
  "`X` is not imported until the first request.",
  "`X` is not imported correctly",
  "`X` is not always imported",
  "`X` may not be imported",
  "Possibly `X` is not imported",
  "`X` is undefined when the list is empty",
  "`X` is undefined.",
  "`X` is undefined because of the circular import",
  "`X` is not defined behaviour",
  "`X` is not defined before line 12",
  "`X` is not defined for negative numbers",
  "`X` is not exported on Windows",
  "`X` is not exported as default",
  "`X` is not exported in the production build",
  "`X` is never called with null",
  "`X` is never called when the user is signed out",
  "`X` is never called twice",
  "`X` is not used safely",
  "`X` is unused in the browser build",
  "`X` is never used after it is closed",
  "`X` is dead code",
  "`X` is imported but never used",
  "`X` is never awaited",
  "It is not imported.",
  "Everything is unused.",
  "The result is never used.",
  "The return value of `X` is never used",
  "The parameter `X` is unused",
  "If `X` is not imported, the build fails",
  "`X` is not imported?",
  "No, `X` is not imported",
  "The file `src/x.ts` does not exist at run time",
  "The file `config.json` does not exist when the container starts",
  "The file does not exist",
];

for (const message of BEHAVIOUR) {
  test(`claim: “${message}” is left to rounds and people: unsure means behaviour`, () => {
    const atoms = atomsOf(message);
    assert.ok(atoms.length > 0);
    assert.ok(atoms.every((atom) => atom.claimClass === null && atom.subject === null));
    assert.ok(atoms.some((atom) => atom.weight));
  });
}

const FOLLOWS: readonly string[] = [
  "so describe() throws a ReferenceError.",
  "so the call throws a ReferenceError at run time.",
  "so the import in cart.ts fails.",
  "causing a ReferenceError at runtime.",
  "which throws a NameError when it is called.",
  "and will crash at runtime.",
];

for (const consequence of FOLLOWS) {
  test(`claim: “… ${consequence}” only follows from the claim before it and has no weight of its own`, () => {
    assert.deepEqual(
      atomsOf(`\`X\` is not imported, ${consequence}`).map((atom) => atom.weight),
      [true, false],
    );
  });
}

for (const advice of ["Import it from `./money`.", "Add the missing import.", "Please import `X`.", "Export it."]) {
  test(`claim: the advice “${advice}” carries nothing`, () => {
    assert.deepEqual(
      atomsOf(`\`X\` is not imported. ${advice}`).map((atom) => atom.weight),
      [true, false],
    );
  });
}

// A second defect in the same message: dropping the first part must not take it along.
const SECOND: readonly string[] = [
  "It will also leak the token.",
  "This means every request goes through unauthenticated.",
  "The handler fails to check the token.",
  "The code crashes for an empty list.",
  "Use parameterized queries.",
  "Remove the hard-coded password.",
  "Add a lock around the balance.",
  "Import `Y` as well.",
  "Import `Y`.",
  "So the user loses data and the build fails.",
  "This throws away the first result.",
  "(Only on Windows.)",
  "Also the retry loop never ends.",
];

for (const second of SECOND) {
  test(`claim: “${second}” behind a structural claim keeps its weight`, () => {
    const atoms = atomsOf(`\`X\` is not imported. ${second}`);
    assert.equal(atoms[0]?.claimClass, 11);
    assert.ok(atoms.slice(1).some((atom) => atom.weight && atom.claimClass === null));
  });
}

test("claim: a consequence without a structural claim before it carries weight", () => {
  assert.deepEqual(shape("So describe() throws a ReferenceError."), ["- - !"]);
});

test("claim: an empty message has no atoms, so nothing can be settled about it", () => {
  assert.deepEqual(atomsOf(" \n - "), []);
});

test("claim: every word of a message is in some atom, so that nothing is left unexplained", () => {
  const message =
    "`X` is not imported, so the call fails.\n\nThe retry loop (line 3) never ends -> bound it; see docs.";
  assert.deepEqual(
    words(
      atomsOf(message)
        .map((atom) => atom.text)
        .join(" "),
    ),
    words(message),
  );
});

test("claim: the file or specifier that a clause names is found, the subject is not taken for it", () => {
  assert.equal(named("`X` is not imported in src/routes.ts"), "src/routes.ts");
  assert.equal(named("util.ts does not export `roundHalfEven`"), "util.ts");
  assert.equal(named("Module './util' has no exported member 'X'."), "./util");
  assert.equal(named("`X` is not imported in this file."), null);
});

test("claim: what a checker is said to report is a checker claim, what a change is said to add an attribution", () => {
  assert.equal(atomsOf("`tsc --strict` reports TS2322 here.")[0]?.kind, "checker");
  assert.equal(atomsOf("This change adds blocking file access.")[0]?.kind, "attribution");
  assert.equal(atomsOf("The name should be shorter.")[0]?.kind, "judgement");
});
