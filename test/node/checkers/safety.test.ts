import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import * as z from "zod";
import { CHECKER_TOOLS } from "../../../src/core/checkerClaim.ts";
import { createCheckers } from "../../../src/node/checkers/checkers.ts";
import { createConsent } from "../../../src/node/checkers/consent.ts";
import { sha256 } from "../../../src/node/hash.ts";
import { createRepository } from "../../../src/node/repository/repository.ts";
import { fakeProgram, NEVER, openCheckers, scratch, writeFiles } from "../../support/checkerFolder.ts";
import { unmasked } from "../../support/memoryWorkspace.ts";

/** A program under every checker's name that writes down each start. */
function watched(
  t: Parameters<typeof scratch>[0],
  folder = scratch(t),
): { readonly searchPath: string; readonly starts: () => string[][] } {
  const log = path.join(scratch(t), "starts.jsonl");
  const body = `require("node:fs").appendFileSync(${JSON.stringify(log)}, JSON.stringify([process.cwd(), ...argv]) + "\\n");
if (argv.join() === "--version") console.log("ShellCheck - shell script analysis tool\\nversion: 0.9.0\\n");
else { console.log('{"comments":[]}'); }`;
  for (const name of [
    "tsc",
    "mypy",
    "pyright",
    "ruff",
    "biome",
    "oxlint",
    "eslint",
    "go",
    "shellcheck",
    "gosec",
    "bandit",
    "semgrep",
    "npm",
    "node",
  ])
    fakeProgram(folder, name, body);
  const starts = (): string[][] =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((line) => z.array(z.string()).parse(JSON.parse(line)))
      : [];
  return { searchPath: folder, starts };
}

const HOSTILE: readonly string[] = [
  "../outside.sh",
  "/etc/passwd",
  "\\\\server\\share\\x.sh",
  "C:\\x.sh",
  "con",
  "nul.sh",
  "a/../../outside.sh",
  "link/outside.sh",
  "linked.sh",
  ".git/hooks/x.sh",
  "gone.sh",
  "",
  "a.sh\0",
  "./a.sh",
  "A.SH",
];

test("a file name out of the tree, through a link, or that is no plain file of it is never handed to a program", async (t) => {
  const { searchPath, starts } = watched(t);
  const outside = scratch(t);
  writeFileSync(path.join(outside, "outside.sh"), "echo $1\n");
  const { checkers, root } = openCheckers(t, { "a.sh": "echo\n" }, { searchPath });
  symlinkSync(outside, path.join(root, "link"));
  symlinkSync(path.join(outside, "outside.sh"), path.join(root, "linked.sh"));
  const names = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 30 }));
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom(...CHECKER_TOOLS), async (file, tool) => {
      if (file === "a.sh") return;
      const question = { tool, file, code: "x", strict: false };
      assert.equal((await checkers.report(question, NEVER)).kind, "unknown");
      assert.equal((await checkers.rule(question, NEVER)).kind, "unknown");
    }),
  );
  // Asking for a version may start a program; handing it a path may not.
  for (const [, ...argv] of starts()) assert.deepEqual(argv.length, 1, argv.join(" "));
});

test("files whose names look like options reach a program as paths only", async (t) => {
  const { searchPath, starts } = watched(t);
  const name = fc.stringMatching(/^-{1,2}[a-zA-Z=-]{1,12}\.sh$/);
  const names = fc.sample(name, 30);
  const { ask, root } = openCheckers(t, Object.fromEntries(names.map((file) => [file, "echo\n"])), { searchPath });
  mkdirSync(path.join(root, "--sub"));
  writeFiles(root, { "--sub/-x.sh": "echo\n" });
  const outside = scratch(t);
  writeFileSync(path.join(outside, "secret.sh"), "echo $1\n");
  symlinkSync(path.join(outside, "secret.sh"), path.join(root, "linked.sh"));
  const answer = await ask("shellcheck", names[0] ?? "");
  assert.equal(answer.kind, "covered", JSON.stringify(answer));
  const [, ...argv] = starts().at(-1) ?? [];
  const cut = argv.indexOf("--");
  assert.deepEqual(argv.slice(0, cut + 1), ["--format=json1", "--"]);
  for (const argument of argv.slice(cut + 1)) assert.match(argument, /^\.\//);
  assert.ok(argv.includes("./--sub/-x.sh") && !argv.includes("./linked.sh"));
});

test("in a workspace that is not trusted no program is started, by any question, whatever was accepted", async (t) => {
  const { searchPath, starts } = watched(t);
  const files = {
    "a.sh": "",
    "a.ts": "",
    "tsconfig.json": "{}",
    "a.py": "",
    "go.mod": "",
    "a.go": "",
    "package.json": "{}",
    "package-lock.json": "{}",
  };
  const { checkers } = openCheckers(t, files, { searchPath, trusted: () => false });
  await checkers.consent.accept(`${searchPath}/eslint .`, false);
  for (const tool of CHECKER_TOOLS)
    for (const file of Object.keys(files)) {
      const question = { tool, file, code: "x", strict: false };
      const answer = await checkers.report(question, NEVER);
      assert.ok(answer.kind === "unknown" && /not trusted/.test(answer.why));
      await checkers.rule(question, NEVER);
    }
  for (const role of ["types", "lint", "compile"] as const) await checkers.projectTools(role, "a.ts", NEVER);
  assert.ok((await checkers.states(NEVER)).every(({ version }) => version === null));
  assert.deepEqual(starts(), []);
});

test("programs of the reviewed tree are not started: not from its search path entries, not from its packages", async (t) => {
  const { ask, root, checkers } = openCheckers(
    t,
    { "a.sh": "echo\n", "tsconfig.json": "{}", "a.ts": "" },
    { searchPath: "/nowhere" },
  );
  const inside = path.join(root, "bin");
  const { starts } = watched(t, inside);
  const modules = path.join(root, "node_modules/.bin");
  writeFiles(root, { "node_modules/typescript/package.json": '{"version":"7.0.2"}' });
  const own = watched(t, modules);
  const opened = createCheckers({
    root,
    repository: createRepository({ root, liveText: () => undefined, liveFiles: () => [] }),
    searchPath: `${inside}:.:bin`,
    home: scratch(t),
    consent: createConsent(path.join(scratch(t), "accepted.json"), () => new Date(0)),
    mask: unmasked,
    hash: sha256,
    now: () => new Date(0),
    trusted: () => true,
    wanted: () => true,
    programs: () => ({}),
  });
  for (const tool of CHECKER_TOOLS)
    for (const file of ["a.sh", "a.ts"]) await opened.report({ tool, file, code: null, strict: false }, NEVER);
  await opened.states(NEVER);
  await ask("tsc", "a.ts");
  assert.deepEqual([starts(), own.starts()], [[], []]);
  const [proposal] = checkers.consent.proposals();
  assert.equal(proposal?.line, `${modules}/tsc --showConfig -p ./tsconfig.json`);
  assert.match(proposal.why, /file of this repository/);
});

test("a program the person named is used, and nothing else by that name; a relative name is none", async (t) => {
  const { searchPath, starts } = watched(t);
  const chosen = watched(t);
  const programs = { shellcheck: path.join(chosen.searchPath, "shellcheck") };
  const named = openCheckers(t, { "a.sh": "echo\n" }, { searchPath, programs: () => programs });
  assert.equal((await named.ask("shellcheck", "a.sh")).kind, "covered");
  assert.ok(chosen.starts().length > 0 && starts().length === 0);
  const relative = openCheckers(
    t,
    { "a.sh": "echo\n" },
    { searchPath, programs: () => ({ shellcheck: "shellcheck" }) },
  );
  assert.equal((await relative.ask("shellcheck", "a.sh")).kind, "unknown");
});

test("a run is done once for a file set, again after a change, and never on text that is not saved", async (t) => {
  const { searchPath, starts } = watched(t);
  const runs = (): number => starts().filter(([, first]) => first === "--format=json1").length;
  const { ask, root, repository } = openCheckers(t, { "a.sh": "echo\n", "b.sh": "echo\n" }, { searchPath });
  await Promise.all([ask("shellcheck", "a.sh"), ask("shellcheck", "b.sh"), ask("shellcheck", "a.sh")]);
  await ask("shellcheck", "b.sh");
  assert.equal(runs(), 1);
  writeFileSync(path.join(root, "b.sh"), "echo two\n");
  repository.forget();
  await ask("shellcheck", "a.sh");
  assert.equal(runs(), 2);
});

test("a file with unsaved changes makes the answer unknown: the checker would read another text", async (t) => {
  const root = scratch(t);
  writeFiles(root, { "a.sh": "echo\n" });
  const { searchPath, starts } = watched(t);
  const file = path.join(root, "a.sh");
  const repository = createRepository({
    root,
    liveText: (absolute) => (absolute === file ? "echo $1\n" : undefined),
    liveFiles: () => [file],
  });
  const { ask } = openCheckers(t, {}, { root, repository, searchPath });
  const answer = await ask("shellcheck", "a.sh");
  assert.ok(answer.kind === "unknown" && /not saved/.test(answer.why), JSON.stringify(answer));
  assert.ok(starts().every(([, first]) => first === "--version"));
});

test("files that change while they are checked give no answer", async (t) => {
  const folder = fakeProgram(
    scratch(t),
    "shellcheck",
    `if (argv[0] === "--version") console.log("ShellCheck - shell script analysis tool\\nversion: 0.9.0\\n");
else { require("node:fs").appendFileSync("a.sh", "# more\\n"); console.log('{"comments":[]}'); }`,
  );
  const { ask } = openCheckers(t, { "a.sh": "echo\n" }, { searchPath: folder });
  const answer = await ask("shellcheck", "a.sh");
  assert.ok(answer.kind === "unknown" && /changed while/.test(answer.why), JSON.stringify(answer));
});

test("cancelling one who waits leaves the run to the others; when nobody waits the program and what it started are killed", async (t) => {
  const marks = scratch(t);
  const folder = scratch(t);
  fakeProgram(
    folder,
    "shellcheck",
    `if (argv[0] === "--version") console.log("ShellCheck - shell script analysis tool\\nversion: 0.9.0\\n");
else { require("node:fs").writeFileSync(${JSON.stringify(path.join(marks, "started"))}, String(process.pid)); setInterval(() => {}, 1000); }`,
  );
  const { checkers } = openCheckers(t, { "a.sh": "echo\n" }, { searchPath: folder, longestMs: 20_000 });
  const question = { tool: "shellcheck", file: "a.sh", code: null, strict: false } as const;
  const [one, two] = [new AbortController(), new AbortController()];
  const answers = [checkers.report(question, one.signal), checkers.report(question, two.signal)];
  while (!readdirSync(marks).includes("started")) await new Promise((done) => setTimeout(done, 20));
  one.abort(new Error("enough"));
  await assert.rejects(answers[0] ?? Promise.resolve(), /enough/);
  const pid = Number(readFileSync(path.join(marks, "started"), "utf8"));
  assert.doesNotThrow(() => process.kill(pid, 0));
  two.abort(new Error("enough too"));
  await assert.rejects(answers[1] ?? Promise.resolve(), /enough too/);
  for (let tries = 0; tries < 200 && isAlive(pid); tries += 1) await new Promise((done) => setTimeout(done, 20));
  assert.equal(isAlive(pid), false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
