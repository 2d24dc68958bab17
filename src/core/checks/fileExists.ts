import { normalisePath } from "../citation.ts";
import { type Check, result } from "./check.ts";

const NAME = "file-exists";

/**
 * Class 10, "the file X does not exist": refuted where it does. Confirmed only where the path, its letter case and its
 * base name are all absent from a complete list of files.
 */
export const checkFileExists: Check = async (_finding, atom, context) => {
  if (atom.subject === null) return result(NAME, atom, "unknown", "It names no file.");
  const wanted = normalisePath(atom.subject);
  const files = await context.repository.files(context.signal);
  if (files.includes(wanted)) return result(NAME, atom, "refuted", `${wanted} exists.`);
  if (!wanted.includes("/")) return result(NAME, atom, "unknown", `${wanted} names no folder.`);
  const base = wanted.slice(wanted.lastIndexOf("/") + 1).toLowerCase();
  const alike = files.find(
    (file) => file.toLowerCase() === wanted.toLowerCase() || file.toLowerCase().endsWith(`/${base}`),
  );
  if (alike !== undefined) return result(NAME, atom, "unknown", `${wanted} does not exist, but ${alike} does.`);
  const ignored = await context.repository.text(wanted);
  if (ignored !== null) return result(NAME, atom, "refuted", `${wanted} exists (it is ignored by version control).`);
  return result(NAME, atom, "confirmed", `No file of that name is in the workspace: ${wanted}.`);
};
