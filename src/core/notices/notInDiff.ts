import type { CheckResult } from "../check.ts";
import { type Sides, sidesOf, withoutMoved } from "../change.ts";
import { depths } from "../code/lexer.ts";
import { enclosingFunction, type FunctionSpan } from "../code/structure.ts";
import { type CheckContext, citeLines, result } from "../checks/check.ts";
import type { Finding } from "../finding.ts";
import { namesIn } from "../tokens.ts";
import { type Code, isProse, namedBy, openCode, worksUnnamed } from "./openedCode.ts";
import { speaksOfChange } from "./speaksOfChange.ts";

/** More changed files than this are not read to show that none of them reaches a place. */
const MOST_FILES = 200;

/**
 * Class 15: a finding of a change that is about code which the change neither touches nor reaches. It is set aside as existing, never
 * called false. Needs both sides of the whole change; lines that came from another file count as moved, not as changed. Null
 * wherever a changed line lies in the function, names it, or gives or takes something that it uses.
 */
export async function noticeNotInDiff(finding: Finding, context: CheckContext): Promise<CheckResult | null> {
  const { file, line, status } = finding.place;
  if (file === null || line === null || (status !== "exact" && status !== "relocated")) return null;
  if (!speaksOfChange(finding.message)) return null;
  const change = await context.repository.history?.change(context.signal);
  if (change === undefined || change === null || !change.complete || change.files.length === 0) return null;
  const all = change.files.map(sidesOf);
  if (all.some(({ cut }) => cut) || all.length > MOST_FILES) return null;
  // The review itself may lie in the working tree, as a new file.
  const sides = withoutMoved(all).filter((one) => !isProse(one.file) && one.file !== finding.source.path);
  if (sides.some((one) => worksUnnamed(one.file))) return null;
  const code = await openCode([file, ...sides.map((one) => one.file)], MOST_FILES, context);
  const home = code?.get(file);
  const within = home === undefined ? null : enclosingFunction(home, line);
  if (code === null || home === undefined || within === null) return null;
  const own = sides.find((one) => one.file === file);
  if (own !== undefined && touches(own, within, finding.place.endLine ?? line)) return null;
  if (reaches(sides, code, await namedBy(code, context), within, home)) return null;
  const files = change.files.length === 1 ? "1 file" : `${change.files.length} files`;
  const said = `${file}:${line} was there before the change under review (${files} against ${change.base.slice(0, 10)}): no changed line lies in ${within.name}(), names it, or gives it anything it uses.`;
  const citations = await citeLines([{ file, line }], context);
  return { ...result("not-in-diff", null, "confirmed", said, citations), notice: { claimClass: 15, does: "route" } };
}

function touches(sides: Sides, within: FunctionSpan, endLine: number): boolean {
  const to = Math.max(within.endLine, endLine);
  return (
    sides.added.some(({ line }) => line >= within.line && line <= to) ||
    sides.removed.some(({ at }) => at >= within.line && at <= to)
  );
}

/** True where names lead from a changed line to the function, or from the function to what a changed line declares. */
function reaches(
  sides: readonly Sides[],
  code: ReadonlyMap<string, Code>,
  bodies: ReadonlyMap<string, ReadonlySet<string>>,
  within: FunctionSpan,
  home: Code,
): boolean {
  const changed = sides.flatMap((one) => changedNames(one, code.get(one.file)));
  const forward = closure(new Set(changed.flatMap(({ mentions }) => mentions)), bodies);
  const own = home.code.slice(within.line - 1, within.endLine).flatMap(namesIn);
  const backward = closure(new Set(own), bodies);
  return forward.has(within.name) || changed.some(({ declares }) => declares.some((name) => backward.has(name)));
}

function closure(from: ReadonlySet<string>, bodies: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...(bodies.get(name) ?? []));
  }
  return reached;
}

interface Named {
  /** Names on the changed line itself. */
  readonly mentions: readonly string[];
  /** Names that the line declares, or the function that it lies in; at top level, every name on it. */
  readonly declares: readonly string[];
}

function changedNames({ added, removed }: Sides, code: Code | undefined): Named[] {
  const at = (line: number): string | null => {
    const around = code?.functions.filter((one) => one.line <= line && line <= one.endLine) ?? [];
    return around.at(-1)?.name ?? null;
  };
  const levels = depths(code?.code ?? []);
  const inHead = (line: number, text: string, one: Named): Named =>
    at(line) !== null || text.trim() === ""
      ? one
      : { ...one, declares: [...one.declares, ...headOf(line, code?.code ?? [], levels)] };
  return [
    ...added.map(({ line, text }) => inHead(line, text, named(code?.code[line - 1] ?? text, at(line)))),
    ...removed.map(({ at: line, text }) => inHead(line, text, named(text, at(line)))),
  ];
}

/** Names on the first line of the top-level statement that a line belongs to: a changed entry changes the whole table. */
function headOf(line: number, code: readonly string[], levels: readonly number[]): readonly string[] {
  let at = Math.min(line, code.length) - 1;
  while (at > 0 && ((levels[at] ?? 0) > 0 || /^\s|^$/.test(code[at] ?? ""))) at -= 1;
  return namesIn(code[at] ?? "");
}

function named(code: string, within: string | null): Named {
  const mentions = namesIn(code);
  const declared =
    /\b(?:const|let|var|class|function\*?|def|func|fn|type|interface|enum|struct)\s+([A-Za-z_$][\w$]*)/.exec(code)?.[1];
  const declares = within === null ? mentions : [within, ...(declared === undefined ? [] : [declared])];
  return { mentions, declares };
}
