import * as z from "zod";
import type { Project } from "./checker.ts";
import { jsonOf } from "./output.ts";

const Manifest = z.looseObject({ scripts: z.record(z.string(), z.string()).default({}) });

/** Options that change neither what is checked nor which rules are on. */
const HARMLESS =
  /^(?:--noEmit|--no-emit|-p|--project|-b|--build|-w|--watch|--pretty|--fix|--cache|--cache-location|--cache-strategy|--format|-f|--output-format|--reporter|--quiet|--max-warnings|--ext|--color|--no-color|--incremental|--outDir|--declaration|-d|--emitDeclarationOnly|--listFiles|--diagnostics|--write|--no-error-on-unmatched-pattern|--report-unused-disable-directives)(?:=.*)?$/;

/**
 * How the project's own scripts call a tool otherwise than a plain run would: then a plain run is not the project's. Null
 * where they do not. Only the root's package.json is looked at.
 */
export async function otherwiseCalled(tool: string, project: Pick<Project, "text">): Promise<string | null> {
  const text = await project.text("package.json");
  const parsed = text === null ? null : Manifest.safeParse(jsonOf(text));
  if (parsed?.success !== true) return null;
  const calls = new RegExp(`(?<![\\w./@-])${tool.replace(" ", "\\s+")}(?![\\w./-])([^&|;]*)`, "g");
  for (const [name, script] of Object.entries(parsed.data.scripts))
    for (const [, rest = ""] of script.matchAll(calls)) {
      const odd = rest.split(/\s+/).find(isOdd);
      if (odd !== undefined)
        return `The project's script “${name}” calls ${tool} with ${odd.slice(0, 40)}, which a plain run leaves out.`;
    }
  return null;
}

/** An option that changes the answer, a configuration under an unusual name, or single files, for which tsc reads no configuration. */
function isOdd(word: string): boolean {
  if (word.startsWith("-")) return !HARMLESS.test(word);
  return /\.[cm]?[jt]sx?$/i.test(word) || (/\.json$/i.test(word) && !/(?:^|\/)tsconfig[^/]*\.json$/i.test(word));
}
