import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, step, wholeAt } from "../json.ts";
import { cweOf, firstText, makeSpan, present, restOf } from "./fields.ts";
import type { Draft, Member, ToolFormat } from "./tool.ts";
import { membersOf } from "./tool.ts";

/** Trivy's `--format json`: vulnerabilities and secrets are hard facts; misconfigurations and licences are findings. */
export const trivy: ToolFormat = {
  format: "trivy",
  title: "Trivy",
  members: (root) => {
    const results = Array.isArray(root) ? root : at(root, "Results");
    const isRun = isObject(root) && "ArtifactName" in root && "SchemaVersion" in root;
    if (results === undefined || results === null) return isRun ? [] : null;
    if (!Array.isArray(results) || !(isRun || results.some(isResult))) return null;
    const base = Array.isArray(root) ? "" : "/Results";
    return results.flatMap((result: unknown, index) => entriesOf(result, step(base, index)));
  },
  read: (value, { owner }) =>
    READERS.get(String(at(owner, "kind")))?.(value, owner) ?? "This entry is of no known kind.",
};

const KINDS = ["Vulnerabilities", "Misconfigurations", "Secrets", "Licenses"] as const;

const READERS: ReadonlyMap<string, (value: JsonObject, owner: JsonObject) => Draft | string> = new Map([
  ["Vulnerabilities", readVulnerability],
  ["Misconfigurations", readMisconfiguration],
  ["Secrets", readSecret],
  ["Licenses", readLicense],
]);

function isResult(result: unknown): boolean {
  return isObject(result) && "Target" in result && ("Class" in result || KINDS.some((kind) => kind in result));
}

function entriesOf(result: unknown, pointer: string): Member[] {
  if (!isObject(result)) return [{ value: result, owner: {}, pointer }];
  const shared = { target: at(result, "Target"), class: at(result, "Class"), type: at(result, "Type") };
  return KINDS.flatMap((kind) => membersOf(at(result, kind), `${pointer}/${kind}`, { ...shared, kind }));
}

// What Trivy calls a whole kind of packages of an image; packages of the system likewise stand in no file.
const NO_FILES: ReadonlySet<string> = new Set(["Node.js", "Python", "Ruby", "Java", "Go", "PHP", "Rust", ""]);

function fileOf(value: JsonObject, owner: JsonObject): string | null {
  const own = filledAt(value, "PkgPath");
  const target = filledAt(owner, "target") ?? "";
  if (own !== null) return own;
  return at(owner, "class") === "os-pkgs" || NO_FILES.has(target) ? null : target;
}

/** What every kind of entry has. */
function draftOf(value: JsonObject, owner: JsonObject, rule: string | null): Omit<Draft, "message" | "category"> {
  const severity = filledAt(value, "Severity");
  return {
    tool: "Trivy",
    severities: severity === null ? [] : [{ scale: "trivy", value: severity }],
    path: fileOf(value, owner),
    rule,
    extra: {
      ...restOf(value, [
        "Severity",
        "VulnerabilityID",
        "RuleID",
        "ID",
        "Title",
        "Description",
        "Message",
        "PrimaryURL",
        "Match",
      ]),
      ...present({ target: at(owner, "target"), class: at(owner, "class"), type: at(owner, "type") }),
    },
  };
}

function readVulnerability(value: JsonObject, owner: JsonObject): Draft | string {
  const id = filledAt(value, "VulnerabilityID");
  const name = filledAt(value, "PkgName");
  if (id === null && name === null) return "This vulnerability of Trivy has neither an id nor a package.";
  const installed = filledAt(value, "InstalledVersion");
  const fixed = filledAt(value, "FixedVersion");
  const packageName = [name, installed].filter((part) => part !== null).join("@");
  const title = firstText(at(value, "Title"), at(value, "Description")) ?? "known vulnerability";
  return {
    ...draftOf(value, owner, id),
    message: [packageName, id, title].filter((part) => part !== "" && part !== null).join(": "),
    category: "vulnerability",
    fix: fixed === null ? null : `Fixed in ${fixed}.`,
    help: filledAt(value, "Description"),
    helpUri: filledAt(value, "PrimaryURL"),
    cwe: cweOf(at(value, "CweIDs")),
    span: makeSpan(at(value, "Locations", 0, "StartLine"), at(value, "Locations", 0, "EndLine")),
  };
}

function readMisconfiguration(value: JsonObject, owner: JsonObject): Draft | string {
  const rule = firstText(at(value, "ID"), at(value, "AVDID"));
  const message = firstText(at(value, "Message"), at(value, "Title"), rule);
  if (message === null) return "This misconfiguration of Trivy has no message.";
  const cause = at(value, "CauseMetadata");
  const line = wholeAt(cause, "StartLine");
  const rows = listAt(cause, "Code", "Lines").filter((row) => at(row, "IsCause") === true);
  const quote = rows.flatMap((row) => filledAt(row, "Content") ?? []).join("\n");
  return {
    ...draftOf(value, owner, rule),
    message,
    category: "misconfiguration",
    status: at(value, "Status") === "PASS" ? "pass" : at(value, "Status") === "EXCEPTION" ? "suppressed" : "open",
    span: makeSpan(line, at(cause, "EndLine")),
    quote: quote === "" ? null : quote,
    fix: filledAt(value, "Resolution"),
    help: filledAt(value, "Description"),
    helpUri: firstText(at(value, "PrimaryURL"), at(value, "References", 0)),
  };
}

function readSecret(value: JsonObject, owner: JsonObject): Draft | string {
  const rule = filledAt(value, "RuleID");
  const message = firstText(at(value, "Title"), rule);
  if (message === null) return "This secret of Trivy has neither a title nor a rule.";
  const { extra, ...draft } = draftOf(value, owner, rule);
  // The code around a secret is not carried on; the place is enough to look at it.
  const { Code: _code, ...rest } = extra ?? {};
  return {
    ...draft,
    message,
    category: "secret",
    span: makeSpan(at(value, "StartLine"), at(value, "EndLine")),
    extra: { ...rest, kind: filledAt(value, "Category") },
  };
}

function readLicense(value: JsonObject, owner: JsonObject): Draft | string {
  const name = filledAt(value, "Name");
  if (name === null) return "This licence of Trivy has no name.";
  const packageName = firstText(at(value, "PkgName"), at(value, "FilePath")) ?? "";
  return {
    ...draftOf(value, owner, name),
    path: filledAt(value, "FilePath") ?? fileOf(value, owner),
    message: `${packageName === "" ? "Licence" : packageName}: ${name} (${filledAt(value, "Category") ?? "licence"})`,
    category: "license",
    helpUri: filledAt(value, "Link"),
  };
}
