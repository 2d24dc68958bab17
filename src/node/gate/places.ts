import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { checkPlaces } from "../../core/gatePlaces.ts";
import { createRepository } from "../repository/repository.ts";
import { readExactly } from "./bytes.ts";

/**
 * The section of the report that says which cited places the workspace does not have (R3.30): its lines, without line ends. Never
 * rejects: a workspace that cannot be looked into is said in one line.
 */
export async function unresolvedPlaces(file: string, workspace: string): Promise<readonly string[]> {
  const root = path.resolve(workspace);
  try {
    if (!(await stat(root)).isDirectory()) return [`Places: ${workspace} is no folder.`];
    const repository = createRepository({ root, liveText: () => undefined, liveFiles: () => [] });
    const { cited, missing } = await checkPlaces(readExactly(await readFile(file)).text, repository);
    return [
      `Places: ${cited} cited | ${missing.length} not found in ${workspace}`,
      ...missing.map(({ path: name, line, why, at }) => `  NOT FOUND: ${name}:${line} (${why}) [line ${at}]`),
    ];
  } catch (error) {
    return [`Places: ${workspace} could not be looked into: ${error instanceof Error ? error.message : String(error)}`];
  }
}
