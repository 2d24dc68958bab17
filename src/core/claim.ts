import type { Atom, ClaimKind } from "./check.ts";
import { versionClaimOf } from "./checks/versions.ts";
import { valueClaimOf, withReasonApart } from "./valueClaim.ts";
import { CLASS_OF_SAYING, isCheckConsequence, readCheckerClaim } from "./checkerClaim.ts";

/** A name as reports write it: quoted, or a bare word that only code has (an inner capital, `_`, `$`, a digit, `()` behind). */
const QUOTED = "[`'\"“‘]([A-Za-z_$][\\w$.]*)(?:\\(\\))?[`'\"”’]";
const BARE =
  "([A-Za-z_$][\\w$]*(?=\\(\\))|[a-z$_][a-z0-9]*[A-Z$_][\\w$]*|[A-Z]+[a-z0-9]+[A-Z]\\w*|[A-Z0-9]+_\\w+|[a-z]+_\\w+)(?:\\(\\))?";
const NAME = `(?:the\\s+)?(?:(?:function|method|helper|variable|constant|class|symbol|name|identifier|component|module|hook|type|export|import)\\s+)?(?:${QUOTED}|${BARE})`;
/** A file or a relative specifier. */
const FILE = "[`'\"“]*(?:\\.{1,2}/[\\w@./-]*\\w|[\\w@./-]*\\w\\.[A-Za-z]{1,5})[`'\"”]*";

const NOT = "(?:(?:is|was|are|were)\\s+(?:not|never|neither)|(?:is|was)n['’]t)(?:\\s+ever)?";
const BOUND = "(?:imported|defined|declared)";
const BOUND_LIST = `${BOUND}(?:(?:\\s*,\\s*|\\s+(?:or|nor)\\s+(?:even\\s+)?)${BOUND})*`;
const USED = "(?:used|called|referenced|invoked)";
/** A piece of code named in passing. */
const CODE = "(?:[`'\"][\\w$.]+(?:\\(\\))?[`'\"]|[\\w$.]+\\(\\))";
const WHERE_USED = `(?:\\s+(?:here|in\\s+(?:this\\s+(?:file|module)|${FILE}|${CODE})|by\\s+${CODE}|on\\s+line\\s+\\d+))?`;
/** What may follow without changing the claim. Anything else (“on Windows”, “lazily”, “with null”) makes it another one. */
const HERE = `(?:\\s+(?:here|at\\s+all|anywhere|in\\s+(?:this|the)\\s+(?:file|module)|at\\s+the\\s+top(?:\\s+of\\s+(?:the|this)\\s+(?:file|module))?|in\\s+${FILE}))*`;
const SOMEWHERE =
  "(?:\\s+(?:at\\s+all|anywhere(?:\\s+else)?|in\\s+(?:this|the)\\s+(?:file|module|code\\s?base|project|repository|workspace)))*(?:\\s+and\\s+(?:should|can|could)\\s+(?:safely\\s+)?be\\s+(?:removed|deleted))?";

interface Shape {
  readonly pattern: RegExp;
  readonly claimClass: 10 | 11 | 12;
}

const whole = (claimClass: Shape["claimClass"], ...forms: readonly string[]): Shape[] =>
  forms.map((form) => ({ claimClass, pattern: new RegExp(`^\\W{0,3}?${form}\\s*[.!]?$`, "i") }));

/**
 * Sentences that one look into the code can settle, by class of `claims.md`. Each form is the whole clause from its first to
 * its last word: a word more, and the claim is no longer one that this program understands.
 */
const SHAPES: readonly Shape[] = [
  ...whole(
    11,
    `${NAME}\\s+${NOT}\\s+${BOUND_LIST}${HERE}`,
    `${NAME}\\s+is\\s+${USED}${WHERE_USED},?\\s+(?:but|and)\\s+(?:is\\s+)?(?:not|never)\\s+${BOUND_LIST}${HERE}`,
    `(?:${CODE}|it|the\\s+code|this\\s+(?:file|module))\\s+(?:uses|calls|references)\\s+${NAME},?\\s+which\\s+${NOT}\\s+${BOUND_LIST}${HERE}`,
    `${NAME}\\s+is\\s+${USED}(?:\\s+here)?\\s+without\\s+(?:an\\s+import|being\\s+${BOUND_LIST})${HERE}`,
    `(?:there\\s+is\\s+)?(?:a\\s+)?(?:missing|no)\\s+import\\s+(?:of|for|statement\\s+for)\\s+${NAME}${HERE}`,
    `(?:the\\s+)?import\\s+(?:of|for)\\s+${NAME}\\s+is\\s+missing${HERE}`,
    `${NAME}\\s+(?:is|was)\\s+(?:an\\s+)?(?:undeclared|unresolved|undefined\\s+(?:name|symbol|identifier|variable|reference)|undeclared\\s+(?:name|symbol|identifier|variable)|unresolved\\s+(?:name|symbol|identifier|reference))${HERE}`,
    `${NAME}\\s+is\\s+undefined\\s+in\\s+(?:this|the)\\s+(?:file|module)`,
    `undefined\\s+(?:name|symbol|identifier|variable|reference)\\s*:?\\s+(?:to\\s+)?${NAME}${HERE}`,
    `cannot\\s+find\\s+name\\s+${NAME}`,
    `${NAME}\\s+${NOT}\\s+exported(?:\\s+(?:from|by|in)\\s+(?:this\\s+(?:file|module)|${FILE}))?`,
    `${FILE}\\s+(?:does\\s+not|doesn['’]t)\\s+export\\s+(?:a\\s+|an\\s+)?${NAME}`,
    `(?:module\\s+)?${FILE}\\s+has\\s+no\\s+export(?:ed\\s+member)?\\s+(?:named\\s+|called\\s+)?${NAME}`,
  ),
  ...whole(
    12,
    `${NAME}\\s+(?:(?:is|was)\\s+unused|${NOT}\\s+${USED})${SOMEWHERE}`,
    `${NAME}\\s+is\\s+(?:defined|declared)\\s+but\\s+(?:is\\s+)?(?:never|not)\\s+${USED}${SOMEWHERE}`,
    `${NAME}\\s+is\\s+declared\\s+but\\s+its\\s+value\\s+is\\s+never\\s+read`,
    `unused\\s+(?:function|variable|constant|class|helper)\\s*:?\\s+${NAME}`,
  ),
  ...whole(
    10,
    "(?:the\\s+)?(?:file|module)\\s+[`'\"“]([^`'\"”\\s]+\\.[A-Za-z0-9]+)[`'\"”]\\s+(?:does\\s+not|doesn['’]t)\\s+exist(?:\\s+in\\s+(?:this|the)\\s+(?:repository|repo|workspace|project|code\\s?base))?",
  ),
];

const ERROR_NAME =
  "[`'\"]?(?:ReferenceError|NameError|ImportError|ModuleNotFoundError|TypeError|SyntaxError|(?:run-?\\s?time|compile(?:r)?|compilation|build|import|type|reference|name)\\s+(?:error|failure)s?|exceptions?|errors?|crash(?:es)?)[`'\"]?";
const THING =
  "(?:(?:the|this|every|any|each|a|calling)\\s+)?(?:first\\s+)?(?:[`'\"]?[\\w$.]+(?:\\(\\))[`'\"]?|`[\\w$.]+`|it|calls?|import|build|compilation|code|module|file|script|page|request|handler|program|app|application|function|service|line|type\\s?check)(?:\\s+(?:to|of|in|from)\\s+(?:it|here|[`'\"]?[\\w$./-]+(?:\\(\\))?[`'\"]?))?";
const EFFECT = `(?:(?:will|would|must)\\s+)?(?:throws?|raises?|crash(?:es)?|fails?|breaks?|errors?)(?:\\s+(?:out|with))?(?:\\s+(?:an?\\s+)?${ERROR_NAME})?`;
const WHEN =
  "(?:\\s+(?:at\\s+(?:run-?\\s?time|build\\s+time|import(?:\\s+time)?|load(?:\\s+time)?|start-?up)|on\\s+(?:load|import|every\\s+call|start-?up)|here|immediately|when(?:ever)?\\s+(?:it|this|[`'\"]?[\\w$.]+\\(\\)[`'\"]?)\\s+(?:runs|is\\s+(?:run|called|loaded|imported|executed))))*";

/** What only follows from an undefined or unused name, in a closed vocabulary: a word more may be a second defect. */
const CONSEQUENCES: readonly RegExp[] = [
  `(?:and\\s+)?(?:so|thus|hence|therefore|which|this|and)(?:\\s+means(?:\\s+that)?)?(?:\\s+that)?(?:\\s+${THING})?\\s+${EFFECT}${WHEN}`,
  `(?:(?:which|this)\\s+)?(?:causing|causes|leading\\s+to|leads\\s+to|resulting\\s+in|results\\s+in)\\s+(?:an?\\s+)?${ERROR_NAME}${WHEN}`,
  "(?:and\\s+)?(?:so|thus|hence|therefore)\\s+(?:it|this|the\\s+\\w+)\\s+(?:should|can|could)\\s+(?:safely\\s+)?be\\s+(?:removed|deleted)",
].map((form) => new RegExp(`^${form}\\s*[.!]?$`, "i"));

/** Advice that says no more than “undo that”; names in it must be the one the finding is about. */
const ADVICE = new RegExp(
  `^(?:please\\s+|fix:\\s*|suggestion:\\s*)?(?:(?:import|export|define|declare|remove|delete)\\s+(?:it|this|${NAME}|the\\s+(?:function|import|declaration|constant|variable|helper|class|export|file))|add\\s+(?:an?|the)\\s+(?:missing\\s+)?(?:import|export|declaration|definition)(?:\\s+(?:for|of)\\s+(?:it|${NAME}))?)(?:\\s+from\\s+${FILE})?(?:\\s+first)?\\s*[.!]?$`,
  "i",
);
const JUDGEMENT = /\b(?:should|could\s+be\s+(?:cleaner|simpler|better)|prefer|nicer|readability|naming|style)\b/i;
const ATTRIBUTION =
  /\b(?:this|the)\s+(?:change|commit|diff|patch|pull\s+request|PR)\s+(?:adds|introduces|removes|breaks)\b/i;

/**
 * Splits a finding's text into atomic claims (claims.md, section 1). Deterministic. A clause that fits no known
 * shape carries weight, so a finding is settled only when nothing in it was left unexplained.
 */
export function atomsOf(message: string): Atom[] {
  const atoms: Atom[] = [];
  for (const clause of clausesOf(message)) addClause(clause, atoms);
  return atoms;
}

function addClause(clause: string, atoms: Atom[]): void {
  const checker = readCheckerClaim(clause);
  if (checker !== null) {
    const { claim, rest } = checker;
    const text = rest === null ? clause : clause.slice(0, clause.length - rest.length).trim();
    const claimClass = CLASS_OF_SAYING[claim.says];
    atoms.push({ id: atoms.length, kind: "checker", claimClass, text, weight: true, subject: null, checker: claim });
    if (rest !== null) addClause(rest, atoms);
    return;
  }
  const known = recognise(clause);
  const follows = known === null && followsFrom(clause, atoms);
  atoms.push({
    id: atoms.length,
    kind: known === null ? kindOf(clause, follows) : "structural",
    claimClass: known?.claimClass ?? (ATTRIBUTION.test(clause) ? 15 : null),
    text: clause,
    weight: !follows,
    subject: known?.subject ?? null,
  });
}

function recognise(clause: string): { claimClass: number; subject: string } | null {
  for (const { pattern, claimClass } of SHAPES) {
    const match = pattern.exec(clause);
    const subject = match?.slice(1).find((group) => group !== undefined);
    if (match === null || subject === undefined) continue;
    if (claimClass === 10 || match[1] !== undefined || looksLikeCode(subject, clause)) return { claimClass, subject };
  }
  const value = valueClaimOf(clause);
  if (value !== null) return { claimClass: 13, subject: value.left };
  const version = versionClaimOf(clause);
  return version === null ? null : { claimClass: 14, subject: version.subject };
}

/** A word without quotes is a name only where prose would not write it so: “It is not imported” names nothing. */
function looksLikeCode(word: string, clause: string): boolean {
  return clause.includes(`${word}()`) || /[a-z0-9$][A-Z]|_|\$/.test(word);
}

/** A consequence of, or advice about, what clauses before it speak of: names, or a checker. */
function followsFrom(clause: string, before: readonly Atom[]): boolean {
  if (before.some((atom) => atom.kind === "checker") && isCheckConsequence(clause)) return true;
  const subjects = before.map((atom) => atom.subject).filter((subject) => subject !== null);
  if (subjects.length === 0) return false;
  if (CONSEQUENCES.some((pattern) => pattern.test(clause))) return true;
  const advice = ADVICE.exec(clause);
  return advice !== null && advice.slice(1).every((name) => name === undefined || subjects.includes(name));
}

function kindOf(clause: string, follows: boolean): ClaimKind {
  if (ATTRIBUTION.test(clause)) return "attribution";
  return (follows && ADVICE.test(clause)) || JUDGEMENT.test(clause) ? "judgement" : "behaviour";
}

/** Sentences, split again where a consequence begins; a dot inside a name or a path ends nothing. */
function clausesOf(message: string): string[] {
  return message
    .split(/(?<=[.!?])\s+(?=[A-Z`'"“(])|\n\s*\n|\s*->\s*|;\s+/)
    .flatMap((sentence) =>
      sentence.split(
        /,\s+(?=(?:so|thus|hence|therefore|which(?!\s+(?:is|was)(?:n['’]t|\s+(?:not|never|neither))\b)|and\s+(?:so|will|would|therefore|thus)|causing|leading\s+to|resulting\s+in)\b)|\s+(?=(?:so\s+(?:the|it|that|this|any|every|a|calling)|and\s+(?:will|would))\b)/i,
      ),
    )
    .map((clause) => clause.replace(/\s+/g, " ").trim())
    .flatMap(withReasonApart)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** The files and relative specifiers that a clause names besides its subject, each once, in order. */
export function filesNamedIn(atom: Pick<Atom, "text">): readonly string[] {
  const named = atom.text.trim().matchAll(new RegExp(`(?:^|\\b(?:from|by|in|module)\\s+)(${FILE})`, "gi"));
  return [...new Set(Array.from(named, ([, file]) => (file ?? "").replace(/[`'"“”]/g, "")))];
}

/** The first file or relative specifier that a clause names besides its subject; null where it names none. */
export function fileNamedIn(atom: Pick<Atom, "text">): string | null {
  return filesNamedIn(atom)[0] ?? null;
}
