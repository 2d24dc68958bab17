import type { CheckResult } from "../check.ts";
import { isSound } from "../code/structure.ts";
import type { Finding } from "../finding.ts";
import type { Callers } from "./callers.ts";
import type { Duty, Stretch } from "./pack.ts";
import { namesInClaim, type Site } from "./site.ts";

/** What was gathered for a finding that has a place. */
export interface Looked {
  readonly site: Site;
  readonly callers: Callers;
  readonly values: readonly Stretch[];
  /** What the budget left out. */
  readonly left: readonly Stretch[];
}

/**
 * What has to have been looked at before this claim may be called wrong, by the kinds and classes of its atoms, and whether
 * it was. An unmet duty does not say that the claim is right: it says that nobody may call it wrong yet.
 */
export function dutiesOf(finding: Finding, checks: readonly CheckResult[], looked: Looked | null): Duty[] {
  if (looked === null) return [{ id: "place", met: false, text: "The code it speaks about is not in this workspace." }];
  const { site, callers, left } = looked;
  const open = checks.filter(({ atom, verdict }) => atom?.weight === true && verdict !== "refuted");
  const behaves = open.length === 0 || open.some(({ atom }) => atom?.kind !== "checker");
  return [
    placeDuty(finding, site),
    ...(behaves
      ? [functionDuty(site), ...callersDuty(site, callers), ...calleesDuty(left), ...valuesDuty(finding, looked)]
      : []),
    ...wholeFileDuty(left),
    ...open.flatMap((check) => (check.atom?.kind === "checker" ? [checkerDuty(check)] : [])),
  ];
}

/** A guard may stand in any function that the flagged lines use. */
function calleesDuty(left: readonly Stretch[]): Duty[] {
  const unread = left.filter(({ kind }) => kind === "callee" || kind === "definition");
  if (unread.length === 0) return [];
  const text = `There was no room for what ${unread.length === 1 ? "a function" : `${unread.length} functions`} it uses does.`;
  return [{ id: "callees", met: false, text }];
}

/** A claim about a limit is nobody's to judge before its number is known: a name is no bound. */
function valuesDuty({ message }: Finding, { site, values }: Looked): Duty[] {
  return namesInClaim(message)
    .filter((name) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name) && site.code.some((line) => line.includes(name)))
    .map((name) => {
      const value = values.find(({ kind, why }) => kind === "value" && why.startsWith(`${name} = `));
      return value === undefined
        ? { id: "values", met: false, text: `What ${name} comes to could not be resolved.` }
        : { id: "values", met: true, text: `${value.why}.` };
    });
}

/** That something is nowhere in a file shows only in the whole of it. */
function wholeFileDuty(left: readonly Stretch[]): Duty[] {
  return left.some(({ kind }) => kind === "file")
    ? [
        {
          id: "whole-file",
          met: false,
          text: "There was no room for the whole file, in which the quoted code was not found.",
        },
      ]
    : [];
}

function placeDuty({ place }: Finding, { file, text }: Site): Duty {
  const met =
    !text.truncated && (place.status === "exact" || place.status === "relocated" || place.status === "file-level");
  const read = text.truncated ? `Only the first part of ${file} was read.` : `${file} was read whole.`;
  return { id: "place", met, text: met ? read : (place.note ?? read) };
}

/** Files that hold no functions to be understood. */
const DATA =
  /\.(?:json[c5]?|ya?ml|toml|xml|ini|cfg|conf|properties|lock|csv|md|txt|html?|css|svg|env)$|(?:^|\/)\.[\w-]+$/i;

function functionDuty({ file, structure, within, line, endLine }: Site): Duty {
  if (within === null && DATA.test(file)) return { id: "function", met: true, text: `${file} holds no functions.` };
  const lines = within ?? { line, endLine };
  const met = isSound(structure, lines);
  const what = within === null ? "What is flagged" : `The function ${within.name}`;
  const why =
    structure.reader === "text"
      ? `by patterns only (${structure.why ?? "no grammar"})`
      : "with parts that do not parse";
  return { id: "function", met, text: met ? `${what} was parsed.` : `${what} was read ${why}.` };
}

function callersDuty({ within }: Site, { reach }: Callers): Duty[] {
  if (within === null) return [];
  const count = reach?.uses.length ?? 0;
  if (reach === null || !reach.searched)
    return [{ id: "callers", met: false, text: `Who calls ${within.name} could not be searched.` }];
  const none = `A search found no use of ${within.name}; reflection, templates and other repositories are not seen by it.`;
  const all =
    count === 1
      ? `The one use of ${within.name} that a search finds was looked at.`
      : `All ${count} uses of ${within.name} that a search finds were looked at.`;
  const part = `Of the uses of ${within.name} only the first ${count} were looked at.`;
  return [{ id: "callers", met: reach.complete, text: reach.complete ? (count === 0 ? none : all) : part }];
}

function checkerDuty({ atom, verdict, text }: CheckResult): Duty {
  const met = verdict === "confirmed";
  return { id: "checker", met, text: met ? text : `No checker has settled “${atom?.text ?? ""}”: ${text}` };
}
