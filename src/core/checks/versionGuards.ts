import { syntaxOf } from "../code/lexer.ts";
import type { Feature } from "./versionTable.ts";

/** Python asks for a version, or goes on without the feature. */
const PYTHON_GUARD =
  /\bversion_info\b|\bhasattr\(|\bgetattr\(|\bexcept\s*:|\bexcept\b.*\b(?:ImportError|ModuleNotFoundError|AttributeError|NameError|SyntaxError|Exception)\b/;
/** Packages that bring a feature to older versions. */
const POLYFILL = /core-js|polyfill|ponyfill|es-shim|@ungap\/|\bbackports\b|typing_extensions/i;
/** Tools that translate syntax before it runs. */
const TRANSLATES =
  /"(?:@babel\/[^"]*|babel[^"]*|@swc\/[^"]*|esbuild|webpack|rollup|vite|vitest|parcel|typescript|tsup|next|react-scripts|@vercel\/ncc)"/;

/**
 * Why a use of a feature may do no harm in a version that lacks it, as a sentence: the code asks first, brings its own, or is translated.
 * In: the file's lines and code, and the lines of the file that declares the version. Null where nothing of that is seen.
 */
export function guardOf(
  feature: Feature,
  file: string,
  text: { readonly lines: readonly string[]; readonly code: readonly string[] },
  manifest: readonly string[],
): string | null {
  const declared = manifest.join("\n");
  if (text.lines.some((line) => POLYFILL.test(line)) || POLYFILL.test(declared))
    return "something may bring it to older versions";
  if (feature.syntax === true && (/\.(?:[cm]?tsx?|jsx)$/.test(file) || TRANSLATES.test(declared)))
    return "a compiler may translate it";
  if (text.lines.some((line) => /^\s*\/\/\s*(?:go:build|\+build)\b/.test(line)))
    return `${file} has a build constraint`;
  const python = syntaxOf(file).name === "python";
  if (python && text.code.some((line) => PYTHON_GUARD.test(line))) return `${file} may go on without it`;
  return ownOrAsked(feature, python, text.code) ? `${file} may ask for it first or bring its own` : null;
}

/** True where the file declares or imports the feature's name itself, or asks whether it is there. */
function ownOrAsked(feature: Feature, python: boolean, code: readonly string[]): boolean {
  const homes = feature.names.map((name) => name.split(".").slice(0, -1).join(".")).filter((home) => home !== "");
  return feature.names.some((full) => {
    const name = /^\w+(?=\s+builtin$)/.exec(full)?.[0] ?? full.split(/[./]/).at(-1) ?? full;
    if (!/^\w+$/.test(name)) return false;
    const word = `\\b${name}\\b`;
    const own = new RegExp(
      `\\b(?:def|class|func|function\\s*\\*?|const|let|var)\\s+(?:\\([^)]*\\)\\s*)?${word}|\\bas\\s+${word}|${word}\\s*(?:\\?\\?|\\|\\||&&)?=(?![=>])|^\\s*(?:static\\s+|async\\s+)*${word}\\s*\\([^)]*\\)\\s*\\{`,
      "i",
    );
    const asks = new RegExp(
      `\\btypeof\\b.*${word}|\\b(?:if|elif)\\b.*${word}|${word}\\s*(?:\\?|&&|\\|\\|)|\\bin\\s+\\w+\\s*\\)`,
      "i",
    );
    return code.some((line) => own.test(line) || (!python && asks.test(line)) || importsFrom(line, word, homes, full));
  });
}

/** True for an import of the name from another place than its own module. */
function importsFrom(line: string, word: string, homes: readonly string[], full: string): boolean {
  const from = new RegExp(`^\\s*from\\s+([\\w.]+)\\s+import\\b.*${word}`, "i").exec(line)?.[1]?.toLowerCase();
  if (from !== undefined) return from !== full && !homes.includes(from);
  return new RegExp(`^\\s*import\\b.*${word}.*\\bfrom\\b`, "i").test(line);
}
