// The package itself: what .vscodeignore lets in, from what stands in dist/.
import path from "node:path";
import { root, run, SetupError } from "./setup.mjs";

const vsce = path.join(root, "node_modules", "@vscode", "vsce", "vsce");

/** Writes the package; `file` is absolute or relative to the root. */
export async function makeVsix(file) {
  // Without a repository address there is nothing that relative links could be rewritten to.
  const links = ["--no-rewrite-relative-links", "--allow-missing-repository"];
  await must("vsce package", vsce, ["package", "--no-dependencies", ...links, "--out", file]);
}

/** Packs the test extension in `folder`, which has no licence file and no repository of its own. */
export async function makeTestVsix(folder, file) {
  const lax = ["--skip-license", "--allow-missing-repository", "--no-rewrite-relative-links"];
  await must("vsce package", vsce, ["package", "--no-dependencies", ...lax, "--out", file], folder);
}

/** @returns {Promise<string[]>} the files of the package, relative to the root, sorted */
export async function listFiles() {
  const listed = await must("vsce ls", vsce, ["ls", "--no-dependencies"]);
  return listed.trim().split(/\r?\n/).sort();
}

/**
 * Runs a script on this Node.
 * @returns {Promise<string>} what it printed
 * @throws {SetupError} with what it printed, when it fails
 */
export async function must(what, script, args, cwd = root) {
  const { code, output } = await run(process.execPath, [script, ...args], { env: process.env, quiet: true, cwd });
  if (code !== 0) throw new SetupError(`${what} failed:\n${output.trim()}`);
  return output;
}
