// Makes skeptical-triage-VERSION.vsix, one for all systems, and checks what is in it.
//   npm run package               fails when contents, notices or sizes are not the committed ones
//   npm run package -- --write    takes contents and notices of this build as the new ones, to be committed
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { noticesAreCurrent, thirdPartyNotices } from "./notices.mjs";
import { runScript, root, SetupError } from "./setup.mjs";
import { listFiles, makeVsix, must } from "./vsix.mjs";

const { values: flags } = parseArgs({ options: { write: { type: "boolean", default: false } } });

/** Bytes. Above them a start is felt, or a bundle has swallowed something it should not. */
const BUDGETS = {
  "dist/extension.cjs": 600_000,
  "dist/worker.cjs": 1_500_000,
  "dist/cli.cjs": 1_500_000,
  "dist/syntax.cjs": 250_000,
  "dist/chat.cjs": 550_000,
  "dist/webview.js": 200_000,
};
const VSIX_BUDGET = 5_000_000;
const contents = path.join(root, "test", "house", "package-files.txt");

async function main() {
  await must("the build", path.join(root, ".scripts", "build.mjs"), ["--minify"]);
  const problems = [...checkNotices(), ...(await checkFiles())];
  const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const vsix = `${name}-${version}.vsix`;
  await makeVsix(vsix);

  const sizes = [...Object.entries(BUDGETS), [vsix, VSIX_BUDGET]];
  for (const [file, budget] of sizes) {
    const { size } = statSync(path.join(root, file));
    console.log(`  ${file.padEnd(30)} ${kilobytes(size).padStart(8)} of ${kilobytes(budget)}`);
    if (size > budget) problems.push(`${file} is ${kilobytes(size)}, over its budget of ${kilobytes(budget)}`);
  }
  if (problems.length > 0) throw new SetupError(problems.join("\n"));
}

function checkNotices() {
  const text = thirdPartyNotices();
  if (noticesAreCurrent(text)) return [];
  // Always what is inside this package, even when that is not what is committed.
  writeFileSync(path.join(root, "ThirdPartyNotices.txt"), text);
  return flags.write ? [] : ["ThirdPartyNotices.txt was not that of these bundles: it is now, commit it"];
}

async function checkFiles() {
  const files = `${(await listFiles()).join("\n")}\n`;
  if (flags.write) writeFileSync(contents, files);
  const committed = existsSync(contents) ? readFileSync(contents, "utf8") : "";
  if (files === committed) return [];
  const is = new Set(files.trim().split("\n"));
  const was = new Set(committed.trim().split("\n"));
  const added = [...is].filter((file) => !was.has(file)).map((file) => `  not expected: ${file}`);
  const gone = [...was].filter((file) => !is.has(file)).map((file) => `  missing: ${file}`);
  const advice = "npm run package -- --write takes it as the new list";
  return [`the package does not hold what test/house/package-files.txt lists (${advice})`, ...added, ...gone];
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`;
}

await runScript(import.meta.url, main);
