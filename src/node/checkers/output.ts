import { isAbsolute, resolve } from "node:path";
import type { CheckerReport } from "../../core/checkers.ts";
import { workspaceRelative } from "../paths.ts";
import type { Project } from "./checker.ts";

/** A path as a tool printed it, workspace-relative; null where it lies outside. */
export function fileOf(project: Project, printed: string): string | null {
  const absolute = isAbsolute(printed) ? printed : resolve(project.root, printed);
  const file = workspaceRelative(project.root, absolute);
  return file === "" ? null : file;
}

/** Adds a report under its file; false where the file is not in the workspace. */
export function addReport(
  reports: Map<string, CheckerReport[]>,
  project: Project,
  printed: string,
  report: CheckerReport,
): boolean {
  const file = fileOf(project, printed);
  if (file === null) return false;
  const there = reports.get(file);
  if (there === undefined) reports.set(file, [report]);
  else there.push(report);
  return true;
}

/** Text as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Never true: for tools without a mode of that name. */
export const neverStrict = (): boolean => false;

/** The first words of what a program complained about. */
export function complaint(stderr: string, stdout: string): string {
  const line = `${stderr}\n${stdout}`.split("\n").find((text) => text.trim() !== "");
  return line === undefined ? "it gave no reason" : line.trim().slice(0, 200);
}

/** A workspace-relative path as an argument: it can never begin with `-`. */
export function asArgument(file: string): string {
  return `./${file}`;
}
