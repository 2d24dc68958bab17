import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { readCheckerClaim } from "../../src/core/checkerClaim.ts";
import { atomsOf } from "../../src/core/claim.ts";

/** A message's atoms in short: class and what a checker claim says, or its kind; `!` where it carries weight. */
function shape(message: string): string[] {
  return atomsOf(message).map(({ kind, claimClass, checker, weight }) => {
    const what =
      checker === undefined
        ? kind
        : `${claimClass} ${checker.tool ?? checker.role} ${checker.says} ${checker.code ?? "-"}${checker.strict ? " strict" : ""}`;
    return `${what}${weight ? " !" : ""}`;
  });
}

const CLAIMS: readonly (readonly [string, string])[] = [
  ["`tsc --strict` reports TS2322 here: any is not assignable to Cart.", "3 tsc reports TS2322 strict !"],
  ["tsc reports error TS2322 on line 12.", "3 tsc reports TS2322 !"],
  ["The TypeScript compiler raises TS7006 here", "3 tsc reports TS7006 !"],
  ["mypy in strict mode fails with `no-untyped-def` here.", "3 mypy reports no-untyped-def strict !"],
  ["TS2345 is reported here by tsc.", "3 tsc reports TS2345 !"],
  ["pyright reports `reportReturnType` here", "3 pyright reports reportReturnType !"],
  ["Ruff flags F401 in this file.", "3 ruff reports F401 !"],
  ["ESLint reports a `no-eval` violation here.", "3 eslint reports no-eval !"],
  ["`go vet` complains about printf-args here", "3 go vet reports printf-args !"],
  ["ShellCheck reports SC2086 here.", "3 shellcheck reports SC2086 !"],
  ["Biome reports lint/suspicious/noDoubleEquals here.", "3 biome reports lint/suspicious/noDoubleEquals !"],
  ["gosec flags G304 here.", "3 gosec reports G304 !"],
  ["bandit reports B602 on this line.", "3 bandit reports B602 !"],
  [
    "semgrep reports python.lang.security.audit.eval-detected here",
    "3 semgrep reports python.lang.security.audit.eval-detected !",
  ],
  ["npm audit reports CVE-2020-8203.", "3 npm audit reports CVE-2020-8203 !"],
  ["mypy reports an error here.", "3 mypy reports - !"],
  ["tsc fails here", "3 tsc reports - !"],
  ["The project type check fails here: parameter `values` implicitly has type any under strict.", "5 types fails - !"],
  ["This line fails the project's type check.", "5 types fails - !"],
  ["The project's lint step fails on this line.", "5 lint fails - !"],
  ["The project's mypy check fails here.", "5 mypy fails - !"],
  ["The project lint configuration enforces `eqeqeq`.", "2 lint enforces eqeqeq !"],
  ["`eqeqeq` is enabled in the project's ESLint configuration.", "2 eslint enforces eqeqeq !"],
  ["The project's ruff config enables E501.", "2 ruff enforces E501 !"],
  [
    "ESLint rule `no-floating-await` forbids calling `total` without awaiting it.",
    "1 eslint forbids no-floating-await !",
  ],
  ["The ruff rule XYZ123 disallows mutable default arguments.", "1 ruff forbids XYZ123 !"],
  ["This line violates the oxlint rule `no-foo`.", "1 oxlint forbids no-foo !"],
  ["This file does not compile.", "6 compile compile - !"],
  ["There is a syntax error on this line.", "6 compile syntax - !"],
  ["The file fails to parse.", "6 compile syntax - !"],
];

for (const [message, expected] of CLAIMS) {
  test(`checker claim: “${message}” is wholly a claim about a checker (claims.md 1-6)`, () => {
    assert.deepEqual(shape(message), [expected]);
  });
}

// A word more, a hedge, or what happens at run time: each may be true whatever a checker says.
const BEHAVIOUR: readonly string[] = [
  "tsc reports nothing here, but it crashes.",
  "tsc would report TS2322 here if strict were on.",
  "tsc may report TS2322 here.",
  "It seems that tsc reports TS2322 here.",
  "tsc reports TS2322 here when the list is empty.",
  "tsc reports TS2322 here and the cart is lost.",
  "tsc does not report TS2322 here.",
  "mypy cannot see that this value is None.",
  "ESLint reports problems.",
  "The linter enforces good style.",
  "The project enforces strict null handling.",
  "The build fails on Windows.",
  "This does not compile to what the author wants.",
  "The query does not parse user input.",
  "ESLint rule `no-eval` forbids this because it runs attacker code.",
  "ESLint rule `no-eval` forbids this, which leaks the token.",
  "Type check fails for null.",
  "The type check of the token fails here.",
  "This check fails here.",
  "Unit tests fail here.",
  "The project's tests fail here.",
  "bandit users report fraud here.",
];

for (const message of BEHAVIOUR) {
  test(`checker claim: “${message}” is not wholly one, so it keeps its weight`, () => {
    const atoms = atomsOf(message);
    assert.ok(
      atoms.every((atom) => atom.kind !== "checker") || atoms.some((atom) => atom.weight && atom.kind !== "checker"),
      shape(message).join(),
    );
    assert.ok(atoms.some((atom) => atom.weight));
  });
}

const BESIDE: readonly string[] = [
  "`tsc` reports TS2532 here: object is possibly undefined",
  "`tsc` reports TS2322 here: the cart is empty when the request fails",
  "tsc reports TS2322 here. The handler crashes on an empty body.",
  "The project lint configuration enforces `eqeqeq`, so an empty string counts as 0.",
  "The project lint configuration enforces `eqeqeq`, so `==` fails the lint step and lets 0 through.",
  "tsc reports TS2322 here, so it throws a TypeError at run time.",
  "This file does not compile; the token is also logged.",
];

for (const message of BESIDE) {
  test(`checker claim: what “${message}” says beside its checker stays a claim of its own with weight`, () => {
    const atoms = atomsOf(message);
    assert.ok(
      atoms.some((atom) => atom.kind === "checker"),
      shape(message).join(),
    );
    assert.ok(
      atoms.some((atom) => atom.kind !== "checker" && atom.weight),
      shape(message).join(),
    );
  });
}

const CONSEQUENCES: readonly string[] = [
  "so `==` fails the lint step",
  "so the build fails",
  "so the type check will fail",
  "which fails the pipeline",
];

for (const consequence of CONSEQUENCES) {
  test(`checker claim: “${consequence}” follows from the claim before it`, () => {
    assert.deepEqual(
      atomsOf(`The project lint configuration enforces \`eqeqeq\`, ${consequence}.`).map((atom) => atom.weight),
      [true, false],
    );
    assert.ok(
      atomsOf(`The list is empty, ${consequence}.`).every((atom) => atom.weight),
      "but not from any other",
    );
  });
}

test("checker claim: any words behind a claim either are a checker's message or keep a claim of their own", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3, maxLength: 60 }), (tail) => {
      const read = readCheckerClaim(`tsc reports TS2322 here: x${tail.replaceAll("\n", " ")}`);
      if (read === null || read.rest !== null) return;
      assert.match(tail, /assignable|implicitly|never|incompatible|annotation/i);
    }),
  );
});

test("checker claim: a pathological text is read in time that grows with its length", () => {
  for (const unit of ["tsc reports ", "`", "a-", "the project ", "is not assignable to ", "rule no-x forbids a "]) {
    const begun = performance.now();
    readCheckerClaim(unit.repeat(4000));
    assert.ok(performance.now() - begun < 1000, unit);
  }
});
