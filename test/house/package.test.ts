import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as z from "zod";
import { GRAMMARS } from "../../src/node/syntax/grammars/grammars.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const text = (file: string): string => readFileSync(path.join(root, file), "utf8");
const packaged = text("test/house/package-files.txt").trimEnd().split("\n");

const Manifest = z.looseObject({
  version: z.string(),
  main: z.string(),
  icon: z.string(),
  bin: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  contributes: z.looseObject({ viewsContainers: z.record(z.string(), z.array(z.looseObject({ icon: z.string() }))) }),
});
const manifest = Manifest.parse(JSON.parse(text("package.json")));

/** Files below a folder of the repository, as `folder/…`. */
function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  const files = names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
  return files.filter((file) => statSync(path.join(root, file)).isFile()).toSorted();
}

test("the committed list of the package is sorted and names nothing twice", () => {
  assert.deepEqual(packaged, [...new Set(packaged)].toSorted());
});

test("the package holds every file that the manifest names", () => {
  const icons = Object.values(manifest.contributes.viewsContainers).flatMap((views) => views.map(({ icon }) => icon));
  const named = [manifest.main, manifest.icon, ...Object.values(manifest.bin), ...icons];
  const missing = named.map((file) => path.posix.normalize(file)).filter((file) => !packaged.includes(file));
  assert.deepEqual(missing, []);
});

test("the package holds the worker and the page with its font, which only code names", () => {
  const needed = ["dist/worker.cjs", "dist/webview.js", "dist/codicon.css", "dist/codicon.ttf"];
  assert.deepEqual(
    needed.filter((file) => !packaged.includes(file)),
    [],
  );
});

test("the package holds the parser with the grammar of every language, and the client of model servers", () => {
  const grammars = GRAMMARS.map(({ wasm }) => `dist/grammars/${wasm}.wasm`);
  assert.deepEqual(
    packaged.filter((file) => file.startsWith("dist/grammars/")),
    [...grammars, "dist/grammars/web-tree-sitter.wasm"].toSorted(),
  );
  for (const bundle of ["dist/syntax.cjs", "dist/chat.cjs"]) assert.ok(packaged.includes(bundle));
});

test("the package holds every prompt and every picture of the repository", () => {
  const wanted = [...filesBelow("prompts"), ...filesBelow("media")];
  assert.deepEqual(
    packaged.filter((file) => /^(prompts|media)\//.test(file)),
    wanted.toSorted(),
  );
});

test("the package holds licence, notices and changelog, and nothing to build or test with", () => {
  const beside = packaged.filter((file) => !/^(dist|media|prompts)\//.test(file));
  assert.deepEqual(beside.toSorted(), [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "ThirdPartyNotices.txt",
    "package.json",
  ]);
  assert.deepEqual(
    packaged.filter((file) => /\.(map|ts|tsbuildinfo|vsix)$/.test(file)),
    [],
  );
});

test("the notices name the icon font and every dependency of the manifest: one that no bundle holds is not needed", () => {
  const notices = text("ThirdPartyNotices.txt");
  assert.match(notices, /^@vscode\/codicons \S+ \(CC-BY-4\.0\)$/m);
  const listed = ([name, version]: readonly [string, string]) => notices.includes(`\n${name} ${version} (`);
  assert.deepEqual(
    Object.entries(manifest.dependencies).filter((dependency) => !listed(dependency)),
    [],
  );
});

test("the changelog tells what the coming version holds (Keep a Changelog)", () => {
  const [, version = ""] = /^## \[(?:Unreleased)\]\n\nWhat will be (\S+)\.$/m.exec(text("CHANGELOG.md")) ?? [];
  assert.equal(version, manifest.version);
});

test("the top level holds only what the layout names (design 4)", () => {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const top = new Set(tracked.map((file) => file.split("/")[0] ?? "").filter((name) => name !== ""));
  const layout = ["README.md", "media", "package.json", "prompts", "src", "test", "tsconfig.json"];
  const allowed = new Set([...layout, "CHANGELOG.md", "LICENSE", "ThirdPartyNotices.txt", "package-lock.json"]);
  assert.deepEqual(
    [...top].filter((name) => !name.startsWith(".") && !allowed.has(name)),
    [],
  );
});
