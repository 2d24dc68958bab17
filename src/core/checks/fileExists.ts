import { normalisePath } from "../citation.ts";
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
  if (/^(?:\.\.?\/|\/)/.test(wanted)) return unknown(`${wanted} does not say from where.`);
  const files = await context.repository.files(context.signal);
  if (files.includes(wanted)) {
    const citations = await citeFirstLine(wanted, context);
    return result(NAME, atom, "refuted", `${wanted} exists.`, citations);
  }
  if (!wanted.includes("/")) return unknown(`${wanted} names no folder.`);
  const base = wanted.slice(wanted.lastIndexOf("/") + 1).toLowerCase();
  const alike = files.find(
    (file) =>
      file.toLowerCase() === wanted.toLowerCase() ||
      file.toLowerCase().endsWith(`/${base}`) ||
      file.toLowerCase() === base,
  );
  if (alike !== undefined) return unknown(`${wanted} does not exist, but ${alike} does.`);
  if ((await context.repository.text(wanted)) !== null)
    return unknown(`${wanted} exists here, but version control ignores it.`);
  return result(NAME, atom, "confirmed", `No file of that name is in the workspace: ${wanted}.`);
};
