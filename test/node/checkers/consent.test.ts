import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { lineOf, parseReproduction } from "../../../src/node/checkers/commandLine.ts";
import { createConsent } from "../../../src/node/checkers/consent.ts";
import { fakeProgram, NEVER, openCheckers, scratch } from "../../support/checkerFolder.ts";

const now = (): Date => new Date("2026-01-02T03:04:05.000Z");
const proposal = (line: string) => ({ line, argv: line.split(" "), cwd: ".", why: "it runs code" });

test("consent: a line is allowed to the letter, and only after it was accepted", async (t) => {
  const consent = createConsent(path.join(scratch(t), "accepted.json"), now);
  consent.propose(proposal("eslint ."));
  assert.equal(await consent.allows("eslint ."), false);
  await consent.accept("eslint .", false);
  assert.equal(await consent.allows("eslint ."), true);
  for (const other of ["eslint . ", "eslint  .", "eslint ./", "eslint", "ESLINT ."])
    assert.equal(await consent.allows(other), false, other);
  assert.deepEqual(consent.proposals(), []);
  assert.deepEqual(consent.proposed("eslint ."), proposal("eslint ."));
});

test("consent: once is for this process, always survives it until it is revoked, and the file is the person's alone", async (t) => {
  const file = path.join(scratch(t), "own", "accepted.json");
  const first = createConsent(file, now);
  await first.accept("once", false);
  assert.equal(existsSync(file), false);
  await Promise.all([first.accept("a", true), first.accept("b", true)]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const second = createConsent(file, now);
  assert.deepEqual(await Promise.all(["once", "a", "b"].map(async (line) => await second.allows(line))), [
    false,
    true,
    true,
  ]);
  assert.deepEqual(await second.remembered(), [
    { line: "a", at: "2026-01-02T03:04:05.000Z" },
    { line: "b", at: "2026-01-02T03:04:05.000Z" },
  ]);
  assert.equal(await second.revoke("a"), true);
  assert.equal(await second.revoke("a"), false);
  assert.equal(await createConsent(file, now).allows("a"), false);
  assert.equal(await createConsent(file, now).allows("b"), true);
});

for (const damage of [
  "",
  "{",
  "[]",
  '{"version":2,"lines":[{"line":"a","at":"x"}]}',
  '{"version":1,"lines":["a"]}',
  "null",
]) {
  test(`consent: a file that holds ${JSON.stringify(damage)} holds no consent`, async (t) => {
    const file = path.join(scratch(t), "accepted.json");
    writeFileSync(file, damage);
    assert.equal(await createConsent(file, now).allows("a"), false);
    assert.deepEqual(await createConsent(file, now).remembered(), []);
  });
}

test("a line has one reading: what a shell makes of it are exactly the arguments", () => {
  const argument = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 5 }), (argv) => {
      const line = lineOf(argv);
      assert.ok(line !== null);
      const words = [...line.matchAll(/((?:'[^']*'|\\'|[^\s'\\])+)(?:\s|$)/g)].map(([, word = ""]) =>
        word.replaceAll(
          /'([^']*)'|\\(')/g,
          (_, inner: string | undefined, escaped: string | undefined) => inner ?? escaped ?? "",
        ),
      );
      assert.deepEqual(words, argv);
    }),
  );
});

test("arguments that cannot be shown truthfully make no line", () => {
  for (const argument of ["a\nb", "a\rb", "\u001b[2J", "a\u202eb", "a\u200bb", "\0"])
    assert.equal(lineOf(["x", argument]), null);
});

const READ: readonly (readonly [string, readonly string[]])[] = [
  ["npm test", ["npm", "test"]],
  ["$ node --test test/cart.test.ts", ["node", "--test", "test/cart.test.ts"]],
  ["pytest -k 'empty cart' tests/test_cart.py", ["pytest", "-k", "empty cart", "tests/test_cart.py"]],
  ['go test -run "TestCart" .', ["go", "test", "-run", "TestCart", "."]],
  ["./scripts/repro.sh 3", ["./scripts/repro.sh", "3"]],
];

for (const [text, argv] of READ) {
  test(`reproduction: “${text}” is read without a shell`, () => {
    assert.deepEqual(parseReproduction(text), { argv });
  });
}

const REFUSED: readonly string[] = [
  "",
  "npm test && rm x",
  "npm test; reboot",
  "npm test | tee out",
  "echo $(id)",
  "echo `id`",
  "echo $HOME",
  'node "$HOME/x"',
  "cat < in > out",
  "node test &",
  "NODE_ENV=x node a.js",
  "node a.js\nrm -rf .",
  "rm -rf .",
  "sh -c true",
  "bash x.sh",
  "sudo npm test",
  "env node a.js",
  "curl https://example.com",
  "/usr/bin/node a.js",
  "../evil",
  "a/../../evil",
  "-rf",
  "node 'unclosed",
  "node a'b'c",
  "ls *.ts",
  "node ~/x",
  "echo {a,b}",
  "node a.js \u202e",
  `node ${"x".repeat(1200)}`,
];

for (const text of REFUSED) {
  test(`reproduction: ${JSON.stringify(text.slice(0, 60))} is refused`, () => {
    assert.ok("why" in parseReproduction(text));
  });
}

test("reproduction: any text gives arguments that stand in it, or a refusal; nothing is expanded", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (text) => {
      const parsed = parseReproduction(text);
      if ("why" in parsed) return;
      for (const word of parsed.argv) assert.ok(text.includes(word));
      assert.doesNotMatch(parsed.argv[0] ?? "", /^[-/]|[|&;<>$`]/);
    }),
  );
});

test("reproduction: it runs only when trusted, proposed and accepted to the letter, once, and leaves a receipt", async (t) => {
  const folder = fakeProgram(scratch(t), "repro", "console.log('ran with', argv.join(' ')); process.exitCode = 3;");
  let trusted = false;
  const { checkers, root } = openCheckers(t, { "a.txt": "x" }, { searchPath: folder, trusted: () => trusted });
  const made = await checkers.reproduction("repro 'two words'");
  assert.ok("line" in made);
  assert.equal(made.line, `${folder}/repro 'two words'`);
  const run = async (line: string) => await checkers.run(line, NEVER);
  assert.match(JSON.stringify(await run(made.line)), /not trusted/);
  trusted = true;
  assert.match(JSON.stringify(await run("rm -rf .")), /not proposed/);
  assert.match(JSON.stringify(await run(made.line)), /not accepted/);
  await checkers.consent.accept(made.line, false);
  const ran = await run(made.line);
  assert.ok(ran.kind === "ran" && ran.exitCode === 3);
  assert.deepEqual(
    [ran.receipt.argv, ran.receipt.lines[0], ran.receipt.by],
    [["repro", "two words"], "ran with two words", "person"],
  );
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});

test("reproduction: a program is looked for outside of the tree by name, inside of it only by a path that stays there", async (t) => {
  const { checkers, root } = openCheckers(
    t,
    { "tool/run": "#!/bin/sh\n", "npm-evil": "#!/bin/sh\n" },
    { searchPath: scratch(t) },
  );
  const inside = await checkers.reproduction("tool/run x");
  assert.ok("line" in inside && inside.argv[0] === path.join(root, "tool/run"));
  for (const text of ["npm-evil x", "nothing/there", ".git/hooks/x", "no-such-program"])
    assert.ok("kind" in (await checkers.reproduction(text)), text);
  assert.match(readFileSync(path.join(root, "tool/run"), "utf8"), /sh/);
});
