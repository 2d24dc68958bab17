import type { CheckResult } from "../check.ts";
import { importsOf } from "../code/imports.ts";
import { lexCode, syntaxOf } from "../code/lexer.ts";
import { mentionsOf } from "../code/mentions.ts";
import { type CodePlace, declaredIn, findExport, resolveModule } from "../code/modules.ts";
import type { Finding } from "../finding.ts";
import type { Repository } from "../ports.ts";
import { numberOf, type ValueClaim, valueClaimOf } from "../valueClaim.ts";
import { sum, unitOf } from "./arithmetic.ts";
import { type Check, type CheckContext, citeLines, result } from "./check.ts";
import { codeNames } from "./quoteAbsent.ts";

const NAME = "constant";
/** How many declarations a value is followed through. */
const DEEPEST = 8;

/** A value with every line that it rests on. */
interface Resolved {
  readonly value: number;
  readonly places: readonly CodePlace[];
}

/**
 * Class 13, "MAX_ITEMS is 0", "the limit is larger than the array": settled where the whole chain leads to literals through
 * constants that are bound once. Says nothing about what follows from the value.
 */
export const checkConstant: Check = async (finding, atom, context) => {
  const unknown = (text: string): CheckResult => result(NAME, atom, "unknown", text);
  const claim = valueClaimOf(atom.text);
  const { file } = finding.place;
  if (claim === null || file === null) return unknown("There is no constant and file to look at.");
  if (claim.right !== null && "name" in claim.right && unitOf(claim.left) !== unitOf(claim.right.name))
    return unknown("The two names do not say that they count in the same unit.");
  const left = await valueOf(claim.left, file, context.repository);
  if (left === null) return unknown(`${claim.left} does not lead to one literal by reading.`);
  const right = await rightOf(claim, file, finding, context);
  if (right === null) return unknown("What it is compared with does not lead to one literal by reading.");
  const holds =
    claim.relation === "equal"
      ? left.value === right.value
      : claim.relation === "more"
        ? left.value > right.value
        : left.value < right.value;
  if (await setFromOutside(claim, file, context)) return unknown(`Other code may set ${claim.left}.`);
  const places = [...left.places, ...right.places];
  const citations = await citeLines(places, context);
  if (citations.length < places.length) return unknown("A line of the chain could not be re-read.");
  const compared = claim.relation === "equal" ? "" : `, ${right.name} is ${right.value}`;
  const at = left.places.at(-1);
  const text = `${claim.left} is ${left.value}${at === undefined ? "" : ` (${at.file}:${at.line})`}${compared}.`;
  return result(NAME, atom, holds ? "confirmed" : "refuted", text, citations);
};

/** True where Python code may set a name of the claim on its module (`settings.LIMIT = 5`), or where the search was not complete. */
async function setFromOutside({ left, right }: ValueClaim, file: string, context: CheckContext): Promise<boolean> {
  if (syntaxOf(file).name !== "python") return false;
  for (const name of [left, ...(right !== null && "name" in right ? [right.name] : [])]) {
    const call = { verb: "grep", pattern: `.${name}`, path: ".", literal: true } as const;
    const run = await context.verbs.run(call, "check", context.signal);
    context.receipt(run.receipt);
    const sets = new RegExp(`\\.${name}\\s*(?:[-+*/%&|^@]|//|\\*\\*|<<|>>)?=(?!=)`);
    if (run.error !== null || run.receipt.truncated || run.hits.some(({ text }) => sets.test(text))) return true;
  }
  return false;
}

async function rightOf(
  { left, right }: ValueClaim,
  file: string,
  finding: Finding,
  context: CheckContext,
): Promise<(Resolved & { readonly name: string }) | null> {
  if (right === null) return await namedArray(finding, left, file, context);
  if ("number" in right) return { value: right.number, places: [], name: String(right.number) };
  const resolved =
    (await valueOf(right.name, file, context.repository)) ?? (await lengthOf(right.name, file, context.repository));
  return resolved === null ? null : { ...resolved, name: right.name };
}

/** "The array" is the one array of known length among the names of the finding, where no other name may be one. */
async function namedArray(
  finding: Finding,
  left: string,
  file: string,
  context: CheckContext,
): Promise<(Resolved & { readonly name: string }) | null> {
  const found: (Resolved & { readonly name: string })[] = [];
  for (const name of codeNames(finding.message)) {
    const length = name === left ? null : await lengthOf(name, file, context.repository);
    if (length !== null) found.push({ ...length, name: `the length of ${name}` });
    else if (
      name !== left &&
      !finding.message.includes(`${name}(`) &&
      (await valueOf(name, file, context.repository)) === null
    )
      return null;
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

async function valueOf(name: string, file: string, repository: Repository, depth = 0): Promise<Resolved | null> {
  const declared = depth > DEEPEST ? null : await declarationOf(name, file, repository);
  if (declared === null) return null;
  const value = await evaluate(declared.expression, declared.at.file, repository, depth);
  return value === null ? null : { value: value.value, places: [declared.at, ...value.places] };
}

/**
 * The length of an array that is made in one expression, `new Array(N)` or `[0] * N`, and that no code of the two files may make longer or
 * shorter. Of typed arrays only those of single bytes: "size" may mean bytes.
 */
async function lengthOf(name: string, file: string, repository: Repository): Promise<Resolved | null> {
  const declared = await declarationOf(name, file, repository);
  if (declared === null || (await mayResize(name, [file, declared.at.file], repository))) return null;
  const made =
    /^new\s+(?:Array(?:<[\w\s|[\]]+>)?|(?:Uint|Int)8(?:Clamped)?Array)\(([^(),]+)\)(?:\.fill\([^()]*\))?$/.exec(
      declared.expression,
    ) ?? /^\[[^[\],]*\]\s*\*\s*([\w.]+)$/.exec(declared.expression);
  if (made?.[1] === undefined) return null;
  const value = await evaluate(made[1], declared.at.file, repository, 0);
  return value === null ? null : { value: value.value, places: [declared.at, ...value.places] };
}

/** Uses of an array that leave its length as it is. */
const KEEPS_LENGTH =
  /^(?:\[|\.(?:length\b(?!\s*(?:[-+*/]?=(?!=)|\+\+|--))|(?:fill|map|forEach|join|slice|indexOf|includes|at|entries|keys|values|some|every|find|findIndex|reduce|filter|set|subarray|index|count)\())/;

async function mayResize(name: string, files: readonly string[], repository: Repository): Promise<boolean> {
  for (const file of new Set(files)) {
    const text = await repository.text(file);
    if (text === null) return true;
    const { code } = lexCode(text.lines, syntaxOf(file));
    for (const { kind, line, column } of mentionsOf(file, code, name)) {
      const here = code[line - 1] ?? "";
      const [before, after] = [here.slice(0, column), here.slice(column + name.length)];
      const read = KEEPS_LENGTH.test(after) || /\b(?:of|in)\s+$|\blen\($/.test(before);
      if (
        (kind === "call" || kind === "use" || kind === "other") &&
        (!read || /\bdel\s+$/.test(before)) &&
        !/\bimport\b/.test(here)
      )
        return true;
    }
  }
  return false;
}

interface Declaration {
  readonly at: CodePlace;
  /** Its initialiser, on one line, comments blanked. */
  readonly expression: string;
}

/** Where a name is bound, once, to one expression: in the file, or through an import that resolves. */
async function declarationOf(name: string, file: string, repository: Repository): Promise<Declaration | null> {
  const text = await repository.text(file);
  const language = syntaxOf(file);
  if (text === null || text.truncated || !["javascript", "python"].includes(language.name)) return null;
  const { code, sound } = lexCode(text.lines, language);
  if (!sound) return null;
  const imported = importsOf(file, text.lines).find(({ local }) => local === name);
  const bound = mentionsOf(file, code, name).filter(
    ({ kind, line }) =>
      (kind === "declaration" || kind === "binding") &&
      (imported === undefined || line < imported.line || line > imported.endLine),
  );
  if (imported !== undefined) {
    if (bound.length > 0 || imported.typeOnly || imported.imported === "*") return null;
    const module = await resolveModule(file, imported.specifier, repository);
    const target = module === null ? null : await findExport(module, imported.imported, repository);
    return target === null ? null : await readDeclaration(imported.imported, target, repository);
  }
  const own = declaredIn(file, code, name);
  return own === null || bound.length > 1 ? null : await readDeclaration(name, own, repository);
}

async function readDeclaration(name: string, at: CodePlace, repository: Repository): Promise<Declaration | null> {
  const text = await repository.text(at.file);
  if (text === null) return null;
  const { code } = lexCode(text.lines, syntaxOf(at.file));
  const word = name.replaceAll("$", "\\$");
  const python = syntaxOf(at.file).name === "python";
  const form = python
    ? new RegExp(`^${word}\\s*(?::[^=]+)?=(?!=)\\s*(.+?)\\s*$`)
    : new RegExp(`^(?:export\\s+)?const\\s+${word}\\s*(?::[^=]+)?=(?![=>])\\s*(.+?)\\s*;?\\s*$`);
  const expression = form.exec(code[at.line - 1] ?? "")?.[1];
  const reassigned = code.some(
    (line, index) =>
      index + 1 !== at.line &&
      new RegExp(`(?<![\\w$.])${word}\\s*(?:[-+*/%&|^]|<<|>>|\\*\\*|//)?=(?![=>])|\\bglobal\\s+.*\\b${word}\\b`).test(
        line,
      ),
  );
  if (mentionsOf(at.file, code, name).filter(({ kind }) => kind === "declaration" || kind === "binding").length > 1)
    return null;
  if (python && boundByImport(code.join("\n"), word)) return null;
  // An expression may go on in the next line without a mark at the end of its own.
  const goesOn = /^\s*[-+*/%?.&|<>=^(]/.test(code[at.line] ?? "");
  return expression === undefined || reassigned || goesOn ? null : { at, expression };
}

/** Python: an import (`from local import *` under the defaults), or code that writes names as text, may bind the name again. */
function boundByImport(code: string, word: string): boolean {
  return new RegExp(
    `\\bimport\\s+\\*|\\bimport\\b[^\\n(]*\\b${word}\\b|\\bimport\\s*\\([^)]*\\b${word}\\b|\\b(?:globals|vars|setattr|exec)\\(`,
  ).test(code);
}

/** Plain arithmetic over literals and constants; null for anything else. */
async function evaluate(
  expression: string,
  file: string,
  repository: Repository,
  depth: number,
): Promise<Resolved | null> {
  const tokens = expression
    .replace(/\s+(?:as\s+const|as\s+number|satisfies\s+number)$/, "")
    .match(/0[xX][0-9A-Fa-f_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d+)?|[A-Za-z_$][\w$]*|\*\*|<<|[-+*/()]|\S/g);
  if (tokens === null || tokens.length > 40) return null;
  const places: CodePlace[] = [];
  const values: (number | string)[] = [];
  for (const token of tokens) {
    if (/^(?:\*\*|<<|[-+*/()])$/.test(token)) values.push(token);
    // A leading zero is octal in some code and decimal in other.
    else if (/^\d/.test(token)) values.push((/^0\d/.test(token) ? null : numberOf(token)) ?? Number.NaN);
    else {
      const inner = /^[A-Za-z_$]/.test(token) ? await valueOf(token, file, repository, depth + 1) : null;
      if (inner === null) return null;
      values.push(inner.value);
      places.push(...inner.places);
    }
  }
  const rest = [...values];
  const value = sum(rest);
  return value === null || rest.length > 0 || !Number.isSafeInteger(value * 1000) ? null : { value, places };
}
