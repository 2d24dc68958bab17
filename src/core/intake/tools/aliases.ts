import type { FindingStatus } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";

/**
 * The names under which agents and home-made tools write what a finding has, best first; in lower case without `_`, `-` and blanks, so that
 * `start_line`, `startLine` and `Start Line` are one. The one place these names stand.
 */
export const ALIASES = {
  file: "file path filepath filename relativepath fullpath absolutepath sourcefile codefile affectedfile targetfile fileuri uri source",
  files: "files affectedfiles filepaths paths",
  location: "location locations codelocation primarylocation filelocation where place position loc reference",
  start: "startline linestart fromline beginline linebegin firstline startlinenumber startrow",
  line: "line linenumber lineno ln row",
  endLine: "endline lineend toline lastline endlinenumber stopline endrow finishline",
  lines: "lines linerange range affectedlines linenumbers span textrange region",
  column: "column col startcolumn columnstart startcol columnnumber begincolumn",
  endColumn: "endcolumn columnend endcol",
  severity: "severity severitylevel sev priority level risk risklevel impact criticality importance urgency",
  score: "cvss cvssscore cvssv3 securityseverity",
  headline: "title headline shortdescription issue problem finding claim bug vulnerability defect subject summary name",
  message:
    "message msg description comment body note issuetext text detail details observation concern violation what desc explanation " +
    "analysis reason actualresult actual actualbehavior feedback content",
  help: "rationale explanation why whyitmatters justification analysis description detail details impact consequence background expectedresult expected expectedbehavior",
  category: "category categories type kind class dimension area aspect issuetype bugtype findingtype domain",
  rule: "rule ruleid rulename checkid check checkname checkerid errorcode testid queryid symbol code",
  cwe: "cwe cweid cweids cwes weakness",
  fix:
    "fix suggestedfix proposedfix suggestion suggestions recommendation recommendations remediation suggestedchange solution howtofix " +
    "fixsuggestion mitigation patch suggestedcode improvedcode replacement",
  quote: "codesnippet snippet existingcode vulnerablecode problematiccode originalcode quote excerpt sourceline code",
  confidence: "confidence confidencescore confidencelevel certainty probability",
  id: "id findingid issueid key uid uuid identifier ref findingnumber number",
  helpUri: "helpuri helpurl documentationurl docsurl docurl moreinfo url link htmlurl references",
  reproduction: "reproduction reprosteps stepstoreproduce repro reproductionsteps howtoreproduce poc proofofconcept",
  status: "status state resolution disposition triagestatus",
  tool: "tool toolname scanner engine analyzer analyser linter agent agentname reviewer lane detector",
  related: "relatedlocations related otherlocations alsoin additionallocations",
} as const satisfies Record<string, string>;

export type Field = keyof typeof ALIASES;

const NAMES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(ALIASES).map(([field, names]) => [field, names.split(" ")]),
);

/** Lists whose name says that their entries are findings, whatever else those entries say. */
export const FINDING_LISTS: ReadonlySet<string> = new Set(
  "findings issues problems vulnerabilities defects bugs violations reviewcomments reviewfindings securityissues codeissues".split(
    " ",
  ),
);

/** Lists that hold the findings of what they stand in, where their entries look like findings. */
export const CHILD_LISTS: ReadonlySet<string> = new Set([
  ...FINDING_LISTS,
  ..."comments messages warnings errors results annotations items notes diagnostics reviews alerts".split(" "),
]);

/** What the words of a source's own workflow mean for us (C2, `FindingStatus`); a word that is not here is open. */
export const STATUSES: ReadonlyMap<string, FindingStatus> = new Map<string, FindingStatus>([
  ...words("fixed resolved closed done completed remediated mitigated verifiedfixed obsolete removed", "absent"),
  ...words(
    "suppressed ignored dismissed wontfix falsepositive accepted acceptedrisk riskaccepted acknowledged muted rejected invalid duplicate notabug",
    "suppressed",
  ),
  ...words("pass passed ok good notapplicable na compliant clean", "pass"),
]);

/** Members that say the same with true. */
export const STATUS_FLAGS: ReadonlyMap<string, FindingStatus> = new Map<string, FindingStatus>([
  ...words("fixed resolved isfixed isresolved", "absent"),
  ...words(
    "suppressed issuppressed ignored isignored dismissed isdismissed falsepositive isfalsepositive",
    "suppressed",
  ),
  ...words("passed", "pass"),
]);

function words(list: string, status: FindingStatus): (readonly [string, FindingStatus])[] {
  return list.split(" ").map((word) => [word, status] as const);
}

/** A member name as the tables have it. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The members of an object by their aliases. What was taken is remembered, so that the rest can go to `extra`. */
export interface Fields {
  /** The first value under an alias of the field that `accept` makes something of; undefined where there is none. */
  readonly pick: <T>(field: Field, accept: (value: unknown, name: string) => T | null | undefined) => T | undefined;
  readonly has: (field: Field) => boolean;
  readonly get: (name: string) => unknown;
  /** Names of the members that were taken, as written. */
  readonly taken: () => readonly string[];
}

// Objects that hold a part of a finding: looked into where the finding itself does not say it.
const HOLDERS: ReadonlySet<string> = new Set(
  "defectrecord details finding issue data attributes metadata properties extra info evidence bug vulnerability".split(
    " ",
  ),
);

/** Opens an object; nested holders answer for what it does not say itself, and stay whole in `extra`. */
export function openFields(object: JsonObject): Fields {
  const own = byPlainName(object);
  const holders = [...own].flatMap(([name, { value }]) =>
    HOLDERS.has(name) && isObject(value) ? [byPlainName(value)] : [],
  );
  const taken = new Set<string>();
  return {
    pick(field, accept) {
      for (const members of [own, ...holders]) {
        for (const alias of NAMES[field] ?? []) {
          const member = members.get(alias);
          if (member === undefined || (members === own && taken.has(member.name))) continue;
          const accepted = accept(member.value, alias);
          if (accepted === null || accepted === undefined) continue;
          if (members === own) taken.add(member.name);
          return accepted;
        }
      }
      return undefined;
    },
    has: (field) => (NAMES[field] ?? []).some((alias) => own.has(alias)),
    get: (name) => own.get(name)?.value,
    taken: () => [...taken],
  };
}

function byPlainName(object: JsonObject): Map<string, { readonly name: string; readonly value: unknown }> {
  const members = new Map<string, { readonly name: string; readonly value: unknown }>();
  for (const [name, value] of Object.entries(object)) {
    const plain = plainName(name);
    if (value !== null && value !== undefined && value !== "" && !members.has(plain))
      members.set(plain, { name, value });
  }
  return members;
}

/** A text, or several texts as lines; numbers count as texts. Undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (Array.isArray(value)) {
    const lines = value.flatMap((each: unknown) => (typeof each === "string" ? each.trim() : []));
    return lines.length === 0 ? undefined : lines.join("\n");
  }
  return undefined;
}
