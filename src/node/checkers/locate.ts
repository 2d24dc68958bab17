import { isAbsolute, join } from "node:path";
import { insideWorkspace } from "../paths.ts";
import { executable, findProgram } from "../program.ts";
import type { Checker } from "./checker.ts";

/** Where a checker's program is. `inTree`: it is a file of the reviewed repository, so only an accepted line starts it. */
export interface Located {
  /** Absolute, as it is started. */
  readonly start: string;
  /** Absolute, links resolved. */
  readonly real: string;
  readonly inTree: boolean;
}

export interface LocateOptions {
  /** Absolute folder, links resolved. */
  readonly root: string;
  readonly searchPath: string | undefined;
  /** Absolute paths that the person named in a setting, by tool. */
  readonly programs: Readonly<Record<string, string>>;
}

/** Finds a checker: where the person said, on the search path outside of the tree, or last in the tree's own packages. */
export async function locate(
  { tool, program }: Pick<Checker, "tool" | "program">,
  { root, searchPath, programs }: LocateOptions,
): Promise<Located | null> {
  const named = programs[tool];
  if (named !== undefined) {
    const real = isAbsolute(named) ? await executable(named) : null;
    return real === null ? null : { start: named, real, inTree: false };
  }
  const outside = await findProgram(program, searchPath, root);
  const real = outside === null ? null : await executable(outside);
  if (outside !== null && real !== null) return { start: outside, real, inTree: false };
  // What npm installs there is a script of the repository's choosing; on Windows only a shell could start it.
  if (process.platform === "win32") return null;
  const own = join(root, "node_modules", ".bin", program);
  const found = await executable(own);
  return found === null || !insideWorkspace(root, found) ? null : { start: own, real: found, inTree: true };
}
