import { stat } from "node:fs/promises";
import { readLog } from "./readLog.ts";

/** The log and the 1-based line of a finding's last record (`key` null: of the last record); null where there is no log. */
export async function findRecord(path: string, key: string | null): Promise<{ path: string; line: number } | null> {
  if ((await stat(path).catch(() => null)) === null) return null;
  const { records } = await readLog(path);
  const last = records.findLast(({ record }) => key === null || ("key" in record && record.key === key));
  return { path, line: last?.line ?? 1 };
}
