import assert from "node:assert/strict";
import test from "node:test";
import { openCheckers } from "../../support/checkerFolder.ts";

const CONFIG = JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] }, include: ["src"] });

test("tsc: a report stands at its line, the file beside it is silent with its silence counting", async (t) => {
  const { ask } = openCheckers(t, {
    "tsconfig.json": CONFIG,
    "src/a.ts": "export const a: number = 1;\nexport const b: number = 'x';\n",
    "src/c.ts": "export const c = 1;\n",
  });
  const bad = await ask("tsc", "src/a.ts");
  assert.equal(bad.kind, "covered");
  assert.deepEqual(bad.kind === "covered" && bad.reports.map(({ line, code, severity }) => [line, code, severity]), [
    [2, "TS2322", "error"],
  ]);
  const clean = await ask("tsc", "src/c.ts", { strict: true });
  assert.ok(clean.kind === "covered" && clean.silence === null && clean.reportsInAll === 1);
  assert.match(clean.version, /^\d+\.\d+/);
  assert.deepEqual(
    clean.receipts.map(({ argv }) => argv[0]),
    ["tsc", "tsc"],
  );
  assert.ok(clean.receipts.every(({ by, cwd }) => by === "check" && cwd === "."));
});

test("tsc: what the compiler lists as outside is excluded, and a file that only a second configuration lists is covered", async (t) => {
  const { ask } = openCheckers(t, {
    "tsconfig.json": CONFIG,
    "tsconfig.tools.json": JSON.stringify({ compilerOptions: { types: [], noEmit: true }, include: ["tools"] }),
    "src/a.ts": "export const a = 1;\n",
    "tools/t.ts": "export const t = 1;\n",
    "old/o.ts": "export const o: number = 'x';\n",
  });
  assert.equal((await ask("tsc", "old/o.ts")).kind, "excluded");
  assert.equal((await ask("tsc", "tools/t.ts")).kind, "covered");
  assert.equal((await ask("tsc", "tools/t.ts", { strict: true })).kind, "unknown");
});

const BLIND: readonly (readonly [string, Record<string, string>, string])[] = [
  ["an import is unresolved", { "src/b.ts": 'import x from "nowhere";\nexport default x;\n' }, "src/a.ts"],
  ["another file has a syntax error", { "src/b.ts": "export const = 1;\n" }, "src/a.ts"],
  [
    "JavaScript is read without being checked",
    {
      "tsconfig.json": CONFIG.replace('"strict":true', '"strict":true,"allowJs":true'),
      "src/b.js": "export const b = 1;\n",
    },
    "src/b.js",
  ],
  [
    "the check is switched off",
    { "tsconfig.json": CONFIG.replace('"strict":true', '"strict":true,"noCheck":true') },
    "src/a.ts",
  ],
  ["it is a file of declarations", { "src/b.d.ts": "export declare const b: number;\n" }, "src/b.d.ts"],
];

for (const [what, files, file] of BLIND) {
  test(`tsc: where ${what}, silence proves nothing`, async (t) => {
    const { ask } = openCheckers(t, { "tsconfig.json": CONFIG, "src/a.ts": "export const a = 1;\n", ...files });
    const answer = await ask("tsc", file);
    assert.ok(answer.kind === "covered" && answer.silence !== null, JSON.stringify(answer));
  });
}

const UNKNOWN: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  ["the configuration is broken", { "tsconfig.json": "{ nonsense" }, /tsc cannot/],
  ["the configuration extends one that is not there", { "tsconfig.json": '{"extends":"./gone.json"}' }, /tsc cannot/],
  [
    "the lock file pins another release line",
    { "package-lock.json": JSON.stringify({ packages: { "node_modules/typescript": { version: "4.1.2" } } }) },
    /uses tsc 4\.1\.2/,
  ],
  [
    "the project's script runs it with other options",
    { "package.json": JSON.stringify({ scripts: { check: "tsc --noEmit --lib dom" } }) },
    /--lib/,
  ],
  [
    "the configuration writes a trace",
    { "tsconfig.json": CONFIG.replace('"strict":true', '"strict":true,"generateTrace":"../x"') },
    /trace|TS\d+|cannot/,
  ],
];

for (const [what, files, why] of UNKNOWN) {
  test(`tsc: where ${what}, the answer is unknown`, async (t) => {
    const { ask } = openCheckers(t, { "tsconfig.json": CONFIG, "src/a.ts": "export const a = 1;\n", ...files });
    const answer = await ask("tsc", "src/a.ts");
    assert.ok(answer.kind === "unknown", JSON.stringify(answer));
    assert.match(answer.why, why);
  });
}
