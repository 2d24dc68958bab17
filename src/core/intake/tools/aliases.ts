import type { FindingStatus } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";

/**
 * The names under which agents and home-made tools write what a finding has, best first; in lower case without `_`, `-` and blanks, so that
 * `start_line`, `startLine` and `Start Line` are one. The one place these names stand.
 */
export const ALIASES = {
  file: "file path filepath filename relativepath fullpath absolutepath sourcefile codefile affectedfile targetfile relevantfile absolutefilepath fileuri uri 文件 文件路径 路径 source",
  files: "files affectedfiles filepaths paths",
  location: "location locations codelocation primarylocation filelocation where place position loc reference",
  start: "startline linestart fromline beginline linebegin firstline startlinenumber startrow relevantlinesstart",
  line: "line linenumber lineno ln row 行 行号",
  endLine: "endline lineend toline lastline endlinenumber stopline endrow finishline relevantlinesend",
  lines: "lines linerange range affectedlines linenumbers span textrange region",
  column: "column col startcolumn columnstart startcol columnnumber begincolumn",
  endColumn: "endcolumn columnend endcol",
  severity:
    "severity severitylevel sev priority level risk risklevel impact criticality importance urgency 严重程度 严重性 级别 优先级",
  score: "cvss cvssscore cvssv3 securityseverity",
  headline:
    "title headline shortdescription issue problem finding claim bug vulnerability defect subject summary onesentencesummary issueheader 标题 问题 name",
  message:
    "message msg description comment body note issuetext text detail details observation concern violation what desc explanation " +
    "analysis reason actualresult actual actualbehavior feedback suggestioncontent issuecontent 描述 说明 content",
  help: "rationale explanation why whyitmatters justification analysis description detail details impact consequence background expectedresult expected expectedbehavior",
  category:
    "category categories type kind class dimension area aspect issuetype bugtype findingtype domain label 类别 类型",
  rule: "rule ruleid rulename checkid check checkname checkerid errorcode testid queryid symbol code",
  cwe: "cwe cweid cweids cwes weakness",
  fix:
    "fix suggestedfix proposedfix suggestion suggestions recommendation recommendations remediation suggestedchange solution howtofix " +
    "fixsuggestion mitigation patch suggestedcode improvedcode replacement 修复建议 建议 修复",
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

const FIELDS: ReadonlyMap<string, readonly { readonly field: Field; readonly rank: number }[]> = fieldsByAlias();

/** For each name what it may mean, and how good a name it is for that. */
function fieldsByAlias(): Map<string, { readonly field: Field; readonly rank: number }[]> {
  const byAlias = new Map<string, { readonly field: Field; readonly rank: number }[]>();
  for (const [field, names] of Object.entries(ALIASES)) {
    if (!isField(field)) continue;
    for (const [rank, alias] of names.split(" ").entries()) {
      const meanings = byAlias.get(alias);
      if (meanings === undefined) byAlias.set(alias, [{ field, rank }]);
      else meanings.push({ field, rank });
    }
  }
  return byAlias;
}

function isField(name: string): name is Field {
  return Object.hasOwn(ALIASES, name);
}

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
  return /^[a-z]*$/.test(name) ? name : name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The members of an object by their aliases. What was taken is remembered, so that the rest can go to `extra`. */
export interface Fields {
  /** The first value under an alias of the field that `accept` makes something of; undefined where there is none. */
  readonly pick: <T>(field: Field, accept: (value: unknown, alias: string) => T | null | undefined) => T | undefined;
  readonly has: (field: Field) => boolean;
  /** A member by its plain name. */
  readonly get: (alias: string) => unknown;
  /** Names of the members that were taken, as written. */
  readonly taken: () => readonly string[];
  /** False where nothing in the object can be the words of a finding. */
  readonly mayHaveText: boolean;
}

// Objects that hold a part of a finding: looked into where the finding itself does not say it.
const HOLDERS: ReadonlySet<string> = new Set(
  "defectrecord details finding issue data attributes metadata properties extra info evidence bug vulnerability".split(
    " ",
  ),
);

/** Opens an object; nested holders answer for what it does not say itself, and stay whole in `extra`. */
export function openFields(object: JsonObject): Fields {
  const own = indexMembers(object);
  const layers = [own, ...own.holders.map(indexMembers)];
  const taken = new Set<string>();
  return {
    pick(field, accept) {
      for (const layer of layers) {
        for (const { name, alias, value } of layer.fields.get(field) ?? []) {
          if (layer === own && taken.has(name)) continue;
          const accepted = accept(value, alias);
          if (accepted === null || accepted === undefined) continue;
          if (layer === own) taken.add(name);
          return accepted;
        }
      }
      return undefined;
    },
    has: (field) => own.fields.has(field),
    get: (alias) => own.members.get(alias),
    taken: () => [...taken],
    mayHaveText: layers.some(({ fields }) => fields.has("headline") || fields.has("message")),
  };
}

interface Candidate {
  readonly name: string;
  readonly alias: string;
  readonly value: unknown;
  readonly rank: number;
}

interface Members {
  readonly members: ReadonlyMap<string, unknown>;
  /** What may be meant by a field, the best name first. */
  readonly fields: ReadonlyMap<Field, readonly Candidate[]>;
  readonly holders: readonly JsonObject[];
}

function indexMembers(object: JsonObject): Members {
  const members = new Map<string, unknown>();
  const fields = new Map<Field, Candidate[]>();
  const holders: JsonObject[] = [];
  for (const [name, value] of Object.entries(object)) {
    const alias = plainName(name);
    if (value === null || value === undefined || value === "" || members.has(alias)) continue;
    members.set(alias, value);
    if (HOLDERS.has(alias) && isObject(value)) holders.push(value);
    for (const { field, rank } of FIELDS.get(alias) ?? []) {
      const candidates = fields.get(field);
      if (candidates === undefined) fields.set(field, [{ name, alias, value, rank }]);
      else candidates.push({ name, alias, value, rank });
    }
  }
  for (const candidates of fields.values()) if (candidates.length > 1) candidates.sort((a, b) => a.rank - b.rank);
  return { members, fields, holders };
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
