import type { CodePlace } from "../code/modules.ts";
import { isObject } from "../intake/json.ts";
import type { Repository } from "../ports.ts";
import { compareVersions, type Runtime } from "./versionTable.ts";

/** The lowest version of a runtime that a project says it runs on, and the line that says so. */
export interface DeclaredVersion {
  readonly minimum: string;
  readonly at: CodePlace;
}

const FILES = {
  node: ["package.json"],
  python: ["pyproject.toml", "setup.cfg"],
  go: ["go.mod"],
} as const satisfies Record<Runtime, readonly string[]>;

/** The declaration nearest to a file, from its folder up; null where there is none, or it gives no lowest version. */
export async function declaredMinimum(
  runtime: Runtime,
  file: string,
  repository: Repository,
): Promise<DeclaredVersion | null> {
  const folders = file.split("/").slice(0, -1);
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    for (const name of FILES[runtime]) {
      const path = [...folders.slice(0, depth), name].join("/");
      const text = await repository.text(path);
      if (text === null) continue;
      const said = READERS[name](text.lines);
      if (said === "other") return null;
      if (said === null) continue;
      const minimum = name === "go.mod" ? said.range : lowest(said.range);
      return minimum === null ? null : { minimum, at: { file: path, line: said.line } };
    }
  }
  return null;
}

type Said = { readonly range: string; readonly line: number } | "other" | null;

const READERS: Readonly<Record<(typeof FILES)[Runtime][number], (lines: readonly string[]) => Said>> = {
  "package.json": engines,
  "pyproject.toml": (lines) =>
    orOther(lineLike(lines, /^\s*requires-python\s*=\s*["']([^"']+)["']/), lines, /^\[(?:project|tool\.poetry)\]/),
  "setup.cfg": (lines) => lineLike(lines, /^\s*python_requires\s*=\s*(\S[^#]*)/),
  "go.mod": (lines) => orOther(lineLike(lines, /^go\s+(\d+\.\d+(?:\.\d+)?)\s*$/), lines, /^module\s/),
};

function lineLike(lines: readonly string[], pattern: RegExp): Said {
  const found = lines.flatMap((line, index) => {
    const range = pattern.exec(line)?.[1]?.trim();
    return range === undefined ? [] : [{ range, line: index + 1 }];
  });
  return found.length > 1 ? "other" : (found[0] ?? null);
}

/** A project of its own that declares no version is not bound by the one around it. */
function orOther(said: Said, lines: readonly string[], project: RegExp): Said {
  return said ?? (lines.some((line) => project.test(line)) ? "other" : null);
}

/** `engines.node`; a package that also runs in a browser or an editor is not bound by it (class 14: declared is not deployed). */
function engines(lines: readonly string[]): Said {
  const manifest = parse(lines.join("\n"));
  const wanted = isObject(manifest) ? manifest["engines"] : null;
  if (!isObject(manifest)) return null;
  const none = typeof manifest["name"] === "string" ? "other" : null;
  if (!isObject(wanted)) return none;
  if (manifest["browser"] !== undefined || manifest["browserslist"] !== undefined || wanted["vscode"] !== undefined)
    return "other";
  const range = wanted["node"];
  const at = lines.findIndex((line) => typeof range === "string" && line.includes('"node"') && line.includes(range));
  return typeof range === "string" && at >= 0 ? { range, line: at + 1 } : none;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The lowest version in a range of npm or Python; null where one of its alternatives has no lower bound that is plain to read. */
function lowest(range: string): string | null {
  const bounds = range.split("||").map((part) => {
    const lower = part
      .split(/[\s,]+(?=[<>=~^!\d])/)
      .map((one) => /^(?:>=|\^|~=?|={1,3}|v)?\s*v?(\d+(?:\.\d+){0,2})(?:\.[x*])?$/.exec(one.trim())?.[1])
      .filter((version) => version !== undefined);
    const plain = lower.length === 1 && !/^[\s,]*<(?!.*>=)|!=|\s-\s/.test(part);
    return plain ? lower[0] : undefined;
  });
  const known = bounds.filter((version) => version !== undefined);
  if (known.length === 0 || known.length < bounds.length) return null;
  return known.toSorted(compareVersions)[0] ?? null;
}
