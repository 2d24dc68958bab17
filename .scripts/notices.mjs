// The licences of what is really inside the bundles, cut from the lists that esbuild wrote while building.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root, SetupError } from "./setup.mjs";

/** Copied beside the bundles, so no bundle lists it. */
const COPIED = ["node_modules/@vscode/codicons", "node_modules/@vscode/tree-sitter-wasm", "node_modules/tree-sitter-c"];

/** Licences of what a package holds of others and names nowhere in itself, as the authors publish them. */
const INSIDE = { "node_modules/@vscode/tree-sitter-wasm": ".scripts/grammars-notice.txt" };

const HEAD = `Skeptical Triage contains the packages below, each under its own licence.
Written by "npm run package -- --write" from the contents of the bundles; do not edit.
`;

/**
 * @returns {string} the text of ThirdPartyNotices.txt: a list, then each package with its licence text, by name
 * @throws {SetupError} when a bundled package names no licence
 */
export function thirdPartyNotices() {
  const packages = [...new Set([...bundledPackages(), ...COPIED])].map(readPackage).sort(byName);
  const list = packages.map(({ name, version, license }) => `${name} ${version} (${license})`);
  const sections = packages.map((entry) => [heading(entry), ...entry.texts.map((text) => text.trim())].join("\n\n"));
  return [HEAD, `${list.join("\n")}\n`, ...sections.map((section) => `${section}\n`)].join("\n");
}

/**
 * Folders of packages that contributed at least one byte to a shipped bundle. Our own dependencies are named also where
 * they only pass on what other packages hold.
 */
function bundledPackages() {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const isOurs = (folder) => folder?.replace(/^.*node_modules\//, "") in dependencies;
  const folders = new Set();
  for (const name of ["node", "lazy", "page"]) {
    const { inputs, outputs } = JSON.parse(readFileSync(path.join(root, "out", "meta", `${name}.json`), "utf8"));
    for (const output of Object.values(outputs)) {
      for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
        if (bytesInOutput > 0) folders.add(packageOf(file));
      }
    }
    for (const folder of Object.keys(inputs).map(packageOf)) if (isOurs(folder)) folders.add(folder);
  }
  return [...folders].filter((folder) => folder !== null);
}

/** The folder of the package that holds this file, which may be nested in another's; null for our own files. */
function packageOf(file) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? null;
}

function readPackage(folder) {
  const full = path.join(root, folder);
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(path.join(full, "package.json"), "utf8"),
  );
  if (typeof license !== "string") throw new SetupError(`${folder} names no licence in its package.json`);
  const files = readdirSync(full).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(path.join(full, file), "utf8").replaceAll("\r\n", "\n"));
  if (folder in INSIDE) texts.push(readFileSync(path.join(root, INSIDE[folder]), "utf8"));
  const address = homepage ?? (typeof repository === "string" ? repository : repository?.url);
  return { name, version, license, address, texts };
}

function heading({ name, version, license, address, texts }) {
  const lines = ["-".repeat(80), `${name} ${version}`, `Licence: ${license}`];
  if (address !== undefined) lines.push(address);
  if (texts.length === 0) lines.push("The package holds no licence text of its own.");
  return lines.join("\n");
}

function byName(left, right) {
  if (left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.version < right.version ? -1 : 1;
}

/** True where the committed notices are those of these bundles. */
export function noticesAreCurrent(text) {
  const file = path.join(root, "ThirdPartyNotices.txt");
  return existsSync(file) && readFileSync(file, "utf8") === text;
}
