import { readFile } from "node:fs/promises";
import path from "node:path";
import { LABEL_FOLDER } from "./config.ts";

/** The printed label of a parcel, as it lies on disk. */
export async function readLabel(name: string): Promise<Buffer> {
  const file = path.join(LABEL_FOLDER, name);
  return await readFile(file);
}
