/** The checkers a claim may name, by the words their own documentation uses. */
export const CHECKER_TOOLS = [
  "tsc",
  "mypy",
  "pyright",
  "ruff",
  "biome",
  "oxlint",
  "eslint",
  "go vet",
  "shellcheck",
  "gosec",
  "bandit",
  "semgrep",
  "npm audit",
] as const;
export type CheckerTool = (typeof CHECKER_TOOLS)[number];

/** What kind of check a claim speaks about where it names no tool. */
export type CheckerRole = "types" | "lint" | "compile";

/** What a checker claim says, one word a claim class: 1 forbids, 2 enforces, 3 reports, 5 fails, 6 syntax and compile. */
export type CheckerSaying = "forbids" | "enforces" | "reports" | "fails" | "syntax" | "compile";

export const CLASS_OF_SAYING = {
  forbids: 1,
  enforces: 2,
  reports: 3,
  fails: 5,
  syntax: 6,
  compile: 6,
} as const satisfies Record<CheckerSaying, number>;

/** A claim about a checker, and about nothing else. */
export interface CheckerClaim {
  /** Null where the text speaks of the project's own check without naming a tool. */
  readonly tool: CheckerTool | null;
  readonly role: CheckerRole;
  readonly says: CheckerSaying;
  /** Diagnostic code or rule name as written: `TS2322`, `eqeqeq`; null where none is named. */
  readonly code: string | null;
  /** True where the text names strict mode (`--strict`). */
  readonly strict: boolean;
}

/** A clause read as a checker claim. `rest` is what stands behind its colon and is no message of a checker: a claim of its own. */
export interface ReadCheckerClaim {
  readonly claim: CheckerClaim;
  readonly rest: string | null;
}

const NAMES =
  "tsc|typescript(?:\\s+compiler)?|mypy|pyright|ruff|biome|oxlint|eslint|go\\s+vet|shellcheck|gosec|bandit|semgrep|npm\\s+audit";
const Q = "[`'\"‘’“”]?";
const TOOL = `(?:the\\s+)?${Q}(?<tool>${NAMES})(?<strict>\\s+--strict)?${Q}(?:\\s+(?:type\\s?-?checker|compiler|linter))?(?<mode>\\s+in\\s+strict\\s+mode)?`;
const CODE = `(?<open>[\`'"‘“(\\[]?)(?<code>[A-Za-z@](?:[\\w@/-]|\\.(?=\\w))*)[\`'"’”)\\]]?`;
const HERE =
  "(?:\\s+(?:here|on\\s+this\\s+line|at\\s+this\\s+(?:line|place|point)|(?:on|at)\\s+line\\s+\\d+|in\\s+this\\s+file|for\\s+this\\s+(?:line|file)))*";
const OF_PROJECT = "(?:(?:the|this|our|your)\\s+(?:project|repository|repo|code\\s?base|CI)(?:['’]s)?)";
const LINT = `(?:${Q}(?<tool>${NAMES})${Q}|lint(?:er|ing)?)`;
const CONFIG = "(?:config(?:uration)?|rules?|rule\\s?set|set-?up|settings?)";
const KIND = "(?:error|warning|violation|diagnostic|finding|issue)";
const REPORTS =
  "(?:reports?|raises?|emits?|gives?|flags?|shows?|prints?|outputs?|fails?\\s+with|errors?\\s+(?:out\\s+)?with|complains?\\s+(?:about|with))";
const ENFORCES = "(?:enforces?|enables?|activates?|requires?|turns?\\s+on|switches\\s+on)";
const FAILS = "(?:fails?|breaks?|is\\s+broken|errors?|does\\s+not\\s+pass|doesn['’]t\\s+pass)";
const SUBJECT = "(?:(?:this|the)\\s+(?:file|code|line|module|snippet|function|statement|class)|it)";
const NOT_ABLE = "(?:does\\s+not|doesn['’]t|will\\s+not|won['’]t|cannot|can['’]t|fails\\s+to)";
/** What a rule is about: some words, none of which begins another claim. */
const ABOUT =
  "(?:\\s+(?!(?:because|since|as|which|and|but|when|whenever|so|if|unless|causing|leading|who|whose|while|or)\\b)[^\\s,;:]+){1,14}?";

interface Form {
  readonly says: CheckerSaying;
  readonly role: CheckerRole | null;
  readonly pattern: RegExp;
}

const form = (says: CheckerSaying, role: CheckerRole | null, ...texts: readonly string[]): Form[] =>
  texts.map((text) => ({ says, role, pattern: new RegExp(`^${text}\\s*[.!]?$`, "i") }));

/** The whole clause from its first to its last word: a word more, and it may be a claim about the code. */
const FORMS: readonly Form[] = [
  ...form(
    "reports",
    null,
    `${TOOL}\\s+(?:also\\s+)?${REPORTS}\\s+(?:an?\\s+)?(?:${KIND}\\s+)?(?:rule\\s+)?${CODE}(?:\\s+${KIND})?${HERE}`,
    `${TOOL}\\s+${REPORTS}\\s+(?:an?|the\\s+following)\\s+(?:type\\s+)?${KIND}${HERE}`,
    `${TOOL}\\s+${FAILS}${HERE}`,
    `(?:an?\\s+)?(?:${KIND}\\s+)?${CODE}(?:\\s+${KIND})?\\s+(?:is|was)\\s+(?:reported|raised|flagged|emitted)${HERE}\\s+by\\s+${TOOL}${HERE}`,
  ),
  ...form("fails", "types", `${OF_PROJECT}\\s+type\\s?-?check(?:er|ing)?\\s+${FAILS}${HERE}`),
  ...form("fails", "types", `${SUBJECT}\\s+(?:fails|breaks)\\s+${OF_PROJECT}\\s+type\\s?-?check(?:er|ing)?`),
  ...form("fails", "lint", `${OF_PROJECT}\\s+lint(?:er|ing)?(?:\\s+(?:step|check|run|job))?\\s+${FAILS}${HERE}`),
  ...form("fails", "lint", `${SUBJECT}\\s+(?:fails|breaks)\\s+${OF_PROJECT}\\s+lint(?:er|ing)?(?:\\s+(?:step|check))?`),
  ...form("fails", null, `${OF_PROJECT}\\s+${TOOL}(?:\\s+(?:check|run|step|job))?\\s+${FAILS}${HERE}`),
  ...form(
    "enforces",
    "lint",
    `(?:${OF_PROJECT}|the|our)\\s+(?:own\\s+)?${LINT}\\s+${CONFIG}\\s+${ENFORCES}\\s+(?:the\\s+)?(?:rule\\s+)?${CODE}(?:\\s+rule)?${HERE}`,
    `${OF_PROJECT}\\s+${ENFORCES}\\s+(?:the\\s+)?${LINT}\\s+rule\\s+${CODE}${HERE}`,
    `(?:the\\s+)?(?:rule\\s+)?${CODE}\\s+is\\s+(?:enabled|enforced|active|turned\\s+on)\\s+(?:in|by)\\s+(?:${OF_PROJECT}|the|our)\\s+${LINT}\\s+${CONFIG}`,
  ),
  ...form(
    "forbids",
    null,
    `${TOOL}(?:['’]s)?\\s+rule\\s+${CODE}\\s+(?:forbids|disallows|prohibits|bans|flags|requires|prevents|catches)${ABOUT}`,
    `(?:this|it|this\\s+(?:line|code|call))\\s+violates\\s+${TOOL}(?:['’]s)?\\s+rule\\s+${CODE}${HERE}`,
  ),
  ...form(
    "syntax",
    "compile",
    `(?:there\\s+is\\s+)?(?:an?\\s+)?syntax\\s+error${HERE}`,
    `(?:this|it)\\s+is\\s+a\\s+syntax\\s+error`,
    `${SUBJECT}\\s+${NOT_ABLE}\\s+parse${HERE}`,
  ),
  ...form("compile", "compile", `${SUBJECT}\\s+${NOT_ABLE}\\s+compile${HERE}`),
];

const TYPE = "(?:(?:the\\s+)?type\\s+)?(?:[`'\"‘“][^`'\"’”]{1,80}[`'\"’”]|[\\w$.<>\\[\\]|&]+)";
/**
 * What a checker prints about types and names alone. A message that also speaks about a run (“possibly undefined”) stands
 * for itself: the checker's silence says nothing about it.
 */
const MESSAGES: readonly RegExp[] = [
  `${TYPE}\\s+is\\s+not\\s+assignable\\s+to\\s+(?:parameter\\s+of\\s+)?${TYPE}`,
  `argument\\s+of\\s+${TYPE}\\s+is\\s+not\\s+assignable\\s+to\\s+parameter\\s+of\\s+${TYPE}`,
  `(?:the\\s+)?(?:parameter|variable|member|binding\\s+element)\\s+${TYPE}\\s+implicitly\\s+has\\s+(?:an?\\s+)?${TYPE}(?:\\s+type)?(?:\\s+(?:under|in)\\s+(?:--)?strict(?:\\s+mode)?)?`,
  `${TYPE}\\s+is\\s+(?:declared|assigned\\s+a\\s+value|defined)\\s+but\\s+(?:its\\s+value\\s+is\\s+)?never\\s+(?:used|read)`,
  `incompatible\\s+(?:return\\s+value\\s+)?types?(?:\\s+in\\s+assignment)?(?:\\s+\\([^()]{1,160}\\))?`,
  "function\\s+is\\s+missing\\s+a\\s+(?:return\\s+)?type\\s+annotation",
].map((text) => new RegExp(`^${text}\\s*[.!]?$`, "i"));

const CHECK_CONSEQUENCE = new RegExp(
  `^(?:and\\s+)?(?:so|thus|hence|therefore|which)\\s+(?:means\\s+(?:that\\s+)?)?(?:(?:[\`'"][^\`'"\\s]{1,40}[\`'"]|it|this(?:\\s+line)?|the\\s+line)\\s+)?(?:(?:will|would)\\s+)?(?:fails?|breaks?|blocks?)\\s+(?:the\\s+|our\\s+)?(?:CI\\s+)?(?:lint(?:er|ing)?|type\\s?-?check|build|CI|pipeline|compilation)(?:\\s+(?:step|job|run|check))?\\s*[.!]?$|^(?:and\\s+)?(?:so|thus|hence|therefore)\\s+(?:the\\s+)?(?:lint(?:er|ing)?|type\\s?-?check|build|CI|pipeline|compilation)(?:\\s+(?:step|job|run|check))?\\s+(?:(?:will|would)\\s+)?(?:fails?|breaks?|is\\s+broken)\\s*[.!]?$`,
  "i",
);

/**
 * Reads one clause as a claim about a checker (claims.md, classes 1-6). In: a clause without line ends. Out: null unless the
 * whole clause, up to a message behind a colon, is such a claim.
 */
export function readCheckerClaim(clause: string): ReadCheckerClaim | null {
  const whole = readForm(clause);
  if (whole !== null) return { claim: whole, rest: null };
  const cut = /:\s+/.exec(clause);
  const claim = cut === null ? null : readForm(clause.slice(0, cut.index));
  if (cut === null || claim === null) return null;
  const tail = clause.slice(cut.index + cut[0].length);
  return { claim, rest: MESSAGES.some((pattern) => pattern.test(tail)) ? null : tail };
}

/** True for a clause that says no more than that a check, and with it the build, goes red. */
export function isCheckConsequence(clause: string): boolean {
  return CHECK_CONSEQUENCE.test(clause);
}

function readForm(text: string): CheckerClaim | null {
  for (const { says, role, pattern } of FORMS) {
    const match = pattern.exec(text.trim());
    if (match === null) continue;
    const groups = match.groups ?? {};
    const tool = toolNamed(groups["tool"]);
    const code = groups["code"] ?? null;
    if (code !== null && !isCode(code, groups["open"] ?? "")) continue;
    const strict = groups["strict"] !== undefined || groups["mode"] !== undefined;
    return { tool, role: role ?? roleOf(tool), says, code, strict };
  }
  return null;
}

function toolNamed(words: string | undefined): CheckerTool | null {
  const name = words?.toLowerCase().replace(/\s+/g, " ");
  if (name?.startsWith("typescript") === true) return "tsc";
  return CHECKER_TOOLS.find((tool) => tool === name) ?? null;
}

/** Prose must not pass for a rule: a bare word is a code only with a digit, a hyphen or a slash in it. */
function isCode(code: string, open: string): boolean {
  return /[`'"‘“]/.test(open) || /\d{2,}|\w-\w|\//.test(code);
}

function roleOf(tool: CheckerTool | null): CheckerRole {
  return tool === "tsc" || tool === "mypy" || tool === "pyright" ? "types" : "lint";
}
