import assert from "node:assert/strict";
import test from "node:test";
import { otherwiseCalled } from "../../../src/node/checkers/projectScripts.ts";
import { projectVersion, sameLine } from "../../../src/node/checkers/projectVersion.ts";

const project = (files: Readonly<Record<string, string>>) => ({ text: async (file: string) => files[file] ?? null });
const npm = { package: { registry: "npm", name: "typescript" } } as const;
const scoped = { package: { registry: "npm", name: "@biomejs/biome" } } as const;
const pypi = { package: { registry: "pypi", name: "mypy" } } as const;

const PINNED: readonly (readonly [
  string,
  Parameters<typeof projectVersion>[0],
  Record<string, string>,
  string | null,
])[] = [
  [
    "npm's lock file",
    npm,
    { "package-lock.json": '{"packages":{"node_modules/typescript":{"version":"5.9.2"}}}' },
    "5.9.2",
  ],
  ["npm's old lock file", npm, { "package-lock.json": '{"dependencies":{"typescript":{"version":"4.9.5"}}}' }, "4.9.5"],
  ["pnpm's lock file", npm, { "pnpm-lock.yaml": "packages:\n\n  typescript@5.8.3:\n    resolution: {}\n" }, "5.8.3"],
  [
    "pnpm's old lock file",
    npm,
    { "pnpm-lock.yaml": "packages:\n\n  /typescript/5.1.6:\n    resolution: {}\n" },
    "5.1.6",
  ],
  [
    "pnpm's lock file with a scope",
    scoped,
    { "pnpm-lock.yaml": "packages:\n\n  '@biomejs/biome@2.0.6':\n    resolution: {}\n" },
    "2.0.6",
  ],
  ["yarn's lock file", npm, { "yarn.lock": 'typescript@^5.0.0:\n  version "5.4.5"\n' }, "5.4.5"],
  ["yarn's newer lock file", npm, { "yarn.lock": '"typescript@npm:^5.0.0":\n  version: 5.6.2\n' }, "5.6.2"],
  ["the installed package", npm, { "node_modules/typescript/package.json": '{"version":"5.7.3"}' }, "5.7.3"],
  ["the manifest's range", npm, { "package.json": '{"devDependencies":{"typescript":"^5.5.4"}}' }, "5.5.4"],
  ["a manifest that names no version", npm, { "package.json": '{"devDependencies":{"typescript":"latest"}}' }, null],
  ["uv's lock file", pypi, { "uv.lock": '[[package]]\nname = "mypy"\nversion = "1.11.2"\n' }, "1.11.2"],
  ["poetry's lock file", pypi, { "poetry.lock": '[[package]]\nname = "mypy"\nversion = "1.8.0"\n' }, "1.8.0"],
  ["pinned requirements", pypi, { "requirements-dev.txt": "pytest==8.0\nmypy==1.0.1\n" }, "1.0.1"],
  [
    "another package of a longer name",
    pypi,
    { "uv.lock": '[[package]]\nname = "mypy-extensions"\nversion = "1.0.0"\n' },
    null,
  ],
  ["a broken lock file", npm, { "package-lock.json": "{" }, null],
  ["nothing", npm, {}, null],
];

for (const [what, checker, files, expected] of PINNED) {
  test(`the project's version of a checker is read from ${what}`, async () => {
    assert.equal(await projectVersion(checker, project(files)), expected);
  });
}

test("two versions are of one line where major and minor agree", () => {
  assert.ok(sameLine("5.9.2", "5.9.3") && sameLine("1.0", "1.0.1"));
  assert.ok(!sameLine("5.9.2", "5.8.3") && !sameLine("5.9.2", "7.0.2") && !sameLine("1.1", "1.10"));
});

const CALLS: readonly (readonly [string, string, boolean])[] = [
  ["tsc", "tsc --noEmit -p tsconfig.json", false],
  ["tsc", "tsc -b && vite build --mode x", false],
  ["tsc", "tsc", false],
  ["tsc", "vue-tsc --lib dom", false],
  ["tsc", "node ./tsc.js --lib dom", false],
  ["tsc", "tsc -p config/checks.json", true],
  ["tsc", "tsc src/a.ts --noEmit", true],
  ["tsc", "tsc --strict", true],
  ["tsc", "rimraf dist; tsc --skipLibCheck false", true],
  ["eslint", "eslint src --max-warnings=0 --fix", false],
  ["eslint", "eslint -c ci.config.js src", true],
  ["eslint", "eslint --rule 'eqeqeq: 2' src", true],
  ["oxlint", "oxlint -D all", true],
  ["go vet", "go  vet -tags=integration ./...", true],
];

for (const [tool, script, odd] of CALLS) {
  test(`the script “${script}” calls ${tool} ${odd ? "otherwise than" : "as"} a plain run does`, async () => {
    const said = await otherwiseCalled(
      tool,
      project({ "package.json": JSON.stringify({ scripts: { check: script } }) }),
    );
    assert.equal(said !== null, odd, said ?? "");
  });
}
