import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, step, textAt, wholeAt } from "../json.ts";
import { cweOf, firstText, present, restOf } from "./fields.ts";
import type { Draft, Member, ToolFormat } from "./tool.ts";

/** `npm audit --json` of npm 6 (also pnpm's) and of npm 7 and later; advisories are hard facts. The report names no file. */
export const npmAudit: ToolFormat = {
  format: "npm-audit",
  title: "npm audit",
  members: (root) => {
    if (wholeAt(root, "auditReportVersion") !== null) return ofPackages(objectAt(root, "vulnerabilities"));
    const advisories = at(root, "advisories");
    if (isObject(advisories) && isObject(at(root, "metadata"))) return ofAdvisories(advisories);
    return failure(root) === null ? null : [];
  },
  read: (value, { owner }) => ("package" in owner ? readVia(value, owner) : readAdvisory(value)),
  problems: (root) => {
    const text = failure(root);
    return text === null
      ? []
      : [{ pointer: "/error", text, reason: "npm audit failed, so it says nothing about the dependencies." }];
  },
};

function failure(root: unknown): string | null {
  const code = textAt(root, "error", "code");
  if (code === null || !/^(?:E[A-Z]+|ERR_[A-Z_]+)$/.test(code) || !isObject(root) || Object.keys(root).length > 2)
    return null;
  return `${code}: ${filledAt(root, "error", "summary") ?? filledAt(root, "error", "message") ?? "no reason given"}`;
}

/** npm 6: one advisory with the paths on which it was found. */
function ofAdvisories(advisories: JsonObject): Member[] {
  return Object.entries(advisories).map(([id, value]) => ({ value, owner: {}, pointer: step("/advisories", id) }));
}

/** npm 7: packages, each with its own advisories and the names of the packages through which it is affected. */
function ofPackages(packages: JsonObject): Member[] {
  return Object.entries(packages).flatMap(([name, value]): Member[] => {
    const pointer = step("/vulnerabilities", name);
    if (!isObject(value)) return [{ value, owner: {}, pointer }];
    const owner = { package: value, name };
    const via = listAt(value, "via");
    // What another package of this report brings in is named there, and as an effect of it; only what nobody names stands alone.
    const direct = via.flatMap((each, index) =>
      typeof each === "string" ? [] : [{ value: each, owner, pointer: step(`${pointer}/via`, index) }],
    );
    const explained = via.some((each) => typeof each === "string" && each !== name && isObject(at(packages, each)));
    return direct.length > 0 || explained ? direct : [{ value: {}, owner, pointer }];
  });
}

function readVia(value: JsonObject, owner: JsonObject): Draft | string {
  const holder = objectAt(owner, "package");
  const name = firstText(at(value, "name"), at(holder, "name"), at(owner, "name"));
  if (name === null) return "This entry of npm audit names no package.";
  const range = filledAt(value, "range") ?? filledAt(holder, "range");
  const rule = ruleOf(value);
  const title = filledAt(value, "title") ?? "known vulnerability";
  const severity = filledAt(value, "severity") ?? filledAt(holder, "severity");
  return {
    ...common(severity),
    message: `${name}${range === null ? "" : ` ${range}`}: ${title}${rule === null ? "" : ` (${rule})`}`,
    sourceId: rule,
    rule,
    fix: fixOf(at(holder, "fixAvailable"), name),
    helpUri: filledAt(value, "url"),
    cwe: cweOf(at(value, "cwe")),
    extra: {
      ...restOf(value, ["name", "title", "url", "severity", "cwe"]),
      ...present({
        package: name,
        isDirect: at(holder, "isDirect"),
        effects: at(holder, "effects"),
        nodes: at(holder, "nodes"),
        through: listAt(holder, "via").filter((each) => typeof each === "string"),
      }),
    },
  };
}

function readAdvisory(value: JsonObject): Draft | string {
  const name = filledAt(value, "module_name") ?? filledAt(value, "name");
  const title = filledAt(value, "title");
  if (name === null && title === null) return "This advisory names neither a package nor a problem.";
  const rule = ruleOf(value);
  const ids = listAt(value, "cves").filter((each) => typeof each === "string");
  const range = filledAt(value, "vulnerable_versions");
  const paths = listAt(value, "findings").flatMap((each) => listAt(each, "paths"));
  const said = [name, range].filter((part) => part !== null).join(" ");
  return {
    ...common(filledAt(value, "severity")),
    message: `${said}: ${title ?? "known vulnerability"}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`,
    sourceId: rule,
    rule,
    fix: filledAt(value, "recommendation") ?? filledAt(value, "patched_versions"),
    help: filledAt(value, "overview"),
    helpUri: filledAt(value, "url"),
    cwe: cweOf(at(value, "cwe")),
    extra: {
      ...restOf(value, ["module_name", "title", "severity", "recommendation", "overview", "url", "cwe", "findings"]),
      ...present({
        package: name,
        paths,
        versions: listAt(value, "findings").flatMap((each) => at(each, "version") ?? []),
      }),
    },
  };
}

function common(severity: string | null): Pick<Draft, "tool" | "category" | "severities"> {
  return {
    tool: "npm audit",
    category: "vulnerable dependency",
    severities: severity === null ? [] : [{ scale: "npm-audit", value: severity }],
  };
}

/** The GitHub advisory where one is named, else npm's own number. */
function ruleOf(value: JsonObject): string | null {
  const named =
    firstText(at(value, "github_advisory_id")) ?? /GHSA(?:-[0-9a-z]{4}){3}/i.exec(textAt(value, "url") ?? "")?.[0];
  if (named !== undefined) return named;
  const number = wholeAt(value, "id") ?? wholeAt(value, "source");
  return number === null ? null : `npm-advisory-${number}`;
}

function fixOf(fix: unknown, name: string): string | null {
  if (fix === true) return `npm audit fix updates ${name}.`;
  const target = filledAt(fix, "name");
  if (target === null) return null;
  const version = filledAt(fix, "version");
  const breaking = at(fix, "isSemVerMajor") === true ? " (a breaking change)" : "";
  return `Update ${target}${version === null ? "" : ` to ${version}`}${breaking}.`;
}
