import { normalisePath } from "../citation.ts";
import { isGeneratedPath } from "../fileKind.ts";
import { submodulePaths } from "./absent.ts";
import { type Check, citeFirstLine, result } from "./check.ts";

const NAME = "file-exists";

/**
 * Class 10, "the file X does not exist": refuted where version control holds it. Confirmed only where the path, its letter
 * case and its base name are all absent from a complete list of files. Either needs the reviewed tree: a finding whose own
 * place is not in this workspace proves nothing about other files (ruling 8). An ignored file may be a product of somebody's
 * build, so it settles nothing either.
 */
export const checkFileExists: Check = async (finding, atom, context) => {
  const unknown = (text: string): ReturnType<typeof result> => result(NAME, atom, "unknown", text);
  if (atom.subject === null) return unknown("It names no file.");
  if (finding.place.file === null || !["exact", "relocated", "file-level"].includes(finding.place.status))
    return unknown("The finding's own place is not in this workspace, so this may not be the tree that was reviewed.");
  const wanted = normalisePath(atom.subject);
  if (/^(?:\.\.?\/|\/|[@~#]\/)/.test(wanted)) return unknown(`${wanted} does not say from where.`);
  const files = await context.repository.files(context.signal);
  if (files.includes(wanted)) {
    const home = projectFolder(finding.place.file, files);
    if (!wanted.includes("/") && finding.place.file.includes("/"))
      return unknown(`${wanted} exists, but the claim does not say in which folder.`);
    if (home !== null && !wanted.startsWith(home))
      return unknown(`${wanted} exists, but ${home}${wanted} may be meant.`);
    const citations = await citeFirstLine(wanted, context);
    return result(NAME, atom, "refuted", `${wanted} exists.`, citations);
  }
  if (!wanted.includes("/")) return unknown(`${wanted} names no folder.`);
  const base = wanted.slice(wanted.lastIndexOf("/") + 1).toLowerCase();
  const alike = files.find((file) => {
    const there = file.toLowerCase();
    return there.endsWith(`/${base}`) || there === base || stemOf(there) === stemOf(wanted.toLowerCase());
  });
  if (alike !== undefined) return unknown(`${wanted} does not exist, but ${alike} does.`);
  if ((await context.repository.text(wanted)) !== null)
    return unknown(`${wanted} exists here, but version control ignores it.`);
  if (isGeneratedPath(wanted)) return unknown(`${wanted} has a path of generated files, which a build may make.`);
  if ((await submodulePaths(context)).some((path) => wanted.startsWith(`${path}/`)))
    return unknown(`${wanted} lies in a submodule.`);
  if (!files.some((file) => file.startsWith(wanted.slice(0, wanted.indexOf("/") + 1))))
    return unknown(`${wanted} begins with no folder of the workspace: it may belong to a package.`);
  return result(NAME, atom, "confirmed", `No file of that name is in the workspace: ${wanted}.`);
};

const MANIFEST =
  /^(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** The folder, with its slash, of the innermost project inside the workspace that a file belongs to; null at the root. */
function projectFolder(file: string, files: readonly string[]): string | null {
  const folders = file.split("/").slice(0, -1);
  for (let depth = folders.length; depth > 0; depth -= 1) {
    const folder = `${folders.slice(0, depth).join("/")}/`;
    if (files.some((one) => one.startsWith(folder) && MANIFEST.test(one.slice(folder.length)))) return folder;
  }
  return null;
}

/** `a/b.js`, `a/b.ts` and `a/b/index.ts` are one module to those who import it. */
function stemOf(file: string): string {
  return file.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, ".js").replace(/\/index\.js$/, ".js");
}
