import type { Atom } from "../check.ts";
import type { Finding } from "../finding.ts";
import { isGeneratedPath } from "../fileKind.ts";
import { normalPath } from "../pathIndex.ts";
import { namesIn } from "../tokens.ts";
import { groundOf, type Ground, type Premise, premiseAtom, searchWord } from "./absent.ts";
import { type CheckContext, result } from "./check.ts";
import { codeNames } from "./quoteAbsent.ts";

const NAME = "file-absent";
/** More names than this are not searched: the finding then rests on too much to be settled by a path. */
const MOST_NAMES = 6;
/** Claims that are about the file's absence itself: that it is absent bears them out. */
const SPEAKS_OF_ABSENCE =
  /\b(?:missing|lacks?|absent|remov\w+|delet\w+|renam\w+|mov(?:ed|es)|not\s+(?:exist|found|present|there|included|committed|added)|does(?:\s+not|n['’]t)\s+exist|should\s+(?:exist|be\s+(?:added|created|present))|no\s+such|needs?\s+to\s+(?:be\s+added|exist)|add(?:ed|ing)?\s+(?:a|the)\s+file|create[sd]?)\b/i;

/**
 * Class 10: the file that a finding is about is not part of the project. Refuted only where the reviewed tree knows neither its path
 * nor its base name, in no letter case, now or earlier, ignored and generated files included, and no name that the finding
 * speaks about stands anywhere.
 */
export async function checkFileAbsent(
  finding: Finding,
  atoms: readonly Atom[],
  context: CheckContext,
): Promise<Premise> {
  const cited = finding.citedPath === null ? "" : normalPath(finding.citedPath);
  if (finding.place.status !== "missing-file" || cited === "") return { kind: "open", result: null };
  const open = (why: string): Premise => ({
    kind: "open",
    result: result(NAME, null, "unknown", `There is no ${cited} in this workspace. ${why}`),
  });
  if (SPEAKS_OF_ABSENCE.test(finding.message)) return open("The finding speaks about an absence itself.");
  const ground = await groundOf(finding, context);
  if (typeof ground === "string") return open(ground);
  const path = await findPath(cited, ground, context);
  if (path !== null) return open(path);
  const names = [...new Set([...codeNames(finding.message), ...calledIn(finding.quote ?? "")])];
  if (names.length === 0) return open("It names nothing else that could be looked for.");
  const seen =
    names.length > MOST_NAMES ? "It names too much to be searched." : await findNames(names, ground, context);
  if (typeof seen === "string") return open(seen);
  const atom = premiseAtom(10, atoms.length, `${cited} is a file of this project`, cited);
  const said = `No ${cited} and no other file of that name is or was in this project, and ${names.join(", ")} stands nowhere in it, its history included.`;
  return { kind: "refuted", result: result(NAME, atom, "refuted", said, [], seen) };
}

/** Where the path may be after all, as a sentence; null where it is nowhere. */
async function findPath(cited: string, ground: Ground, context: CheckContext): Promise<string | null> {
  const base = cited.slice(cited.lastIndexOf("/") + 1).toLowerCase();
  const same = (file: string): boolean => file.slice(file.lastIndexOf("/") + 1).toLowerCase() === base;
  const files = await context.repository.files(context.signal);
  const alike = files.find(same) ?? ground.sides.map(({ file }) => file).find(same);
  if (alike !== undefined) return `${alike} has that name.`;
  if ((await context.repository.text(cited)) !== null) return "Version control ignores it, but it is there.";
  if (isGeneratedPath(cited)) return "Its path is one of generated files, which a build may make.";
  const ignored = await ground.history.ignores(cited, context.signal);
  if (ignored !== false) return ignored === null ? "The ignore rules could not be asked." : "Ignore rules cover it.";
  const past = await ground.history.everNamed(base, context.signal);
  if (past !== false)
    return past === null ? "The history could not be read." : "Earlier commits held a file of that name.";
  return null;
}

/** Names that a quote calls or declares; where it does neither, all of its names. */
function calledIn(quote: string): string[] {
  const called = quote.match(/[A-Za-z_$][\w$]*(?=\s*\()/g)?.filter((name) => namesIn(name).length > 0) ?? [];
  return called.length > 0 ? called : namesIn(quote).slice(0, 3);
}

/** Receipts of having found none of the names; or a sentence about what was found or could not be searched. */
async function findNames(names: readonly string[], ground: Ground, context: CheckContext): Promise<string[] | string> {
  const receipts: string[] = [];
  const gone = new Set(ground.sides.flatMap(({ removed }) => removed.flatMap(({ text }) => namesIn(text))));
  for (const name of names) {
    const found = await searchWord(name, context);
    if (found === null) return `The search for ${name} was not complete.`;
    const [file] = found.files;
    if (file !== undefined) return `${name} stands in ${file}.`;
    if (gone.has(name)) return `The change under review removes ${name}.`;
    const past = await ground.history.everHeld([name], context.signal);
    if (past !== false) return past === null ? "The history could not be searched." : `Earlier commits held ${name}.`;
    receipts.push(found.receipt);
  }
  return receipts;
}
