import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, step } from "../json.ts";
import { cweOf, firstText, present, restOf } from "./fields.ts";
import type { Draft, Member, Problem, ToolFormat } from "./tool.ts";
import { membersOf } from "./tool.ts";

/** `snyk test --json` for open source and containers: one project, or a list of them. Vulnerabilities are hard facts. */
export const snyk: ToolFormat = {
  format: "snyk",
  title: "Snyk",
  members: (root) => {
    const projects = projectsOf(root);
    return projects === null ? null : projects.flatMap(({ project, pointer }) => vulnerabilitiesOf(project, pointer));
  },
  read: readVulnerability,
  problems: (root) => (projectsOf(root) ?? []).flatMap(problemsOf),
};

interface Project {
  readonly project: unknown;
  readonly pointer: string;
}

function projectsOf(root: unknown): Project[] | null {
  const all: Project[] = Array.isArray(root)
    ? root.map((project: unknown, index) => ({ project, pointer: step("", index) }))
    : [{ project: root, pointer: "" }];
  return all.some(({ project }) => isProject(project)) ? all : null;
}

function isProject(project: unknown): boolean {
  return (
    isObject(project) &&
    Array.isArray(at(project, "vulnerabilities")) &&
    (typeof at(project, "ok") === "boolean" || "packageManager" in project || "dependencyCount" in project)
  );
}

function vulnerabilitiesOf(project: unknown, pointer: string): Member[] {
  // A failed project is said by `problems`.
  if (!isProject(project)) return isFailure(project) ? [] : [{ value: null, owner: {}, pointer }];
  const owner = {
    file: filledAt(project, "displayTargetFile") ?? filledAt(project, "targetFile"),
    project: filledAt(project, "projectName"),
    packageManager: filledAt(project, "packageManager"),
    container: "docker" in objectAt(project),
  };
  const hidden = { ...owner, ignored: true };
  return [
    ...membersOf(at(project, "vulnerabilities"), `${pointer}/vulnerabilities`, owner),
    ...membersOf(at(project, "filtered", "ignore"), `${pointer}/filtered/ignore`, hidden),
  ];
}

function isFailure(project: unknown): boolean {
  return at(project, "ok") === false && firstText(at(project, "error"), at(project, "message")) !== null;
}

function problemsOf({ project, pointer }: Project): Problem[] {
  if (isProject(project) || !isFailure(project)) return [];
  const text = firstText(at(project, "error"), at(project, "message")) ?? "";
  return [{ pointer, text, reason: "Snyk could not test this project, so it says nothing about it." }];
}

function readVulnerability(value: JsonObject, { owner }: Member): Draft | string {
  const id = filledAt(value, "id");
  const title = filledAt(value, "title") ?? id;
  if (title === null) return "This vulnerability of Snyk has neither a title nor an id.";
  const name = firstText(at(value, "packageName"), at(value, "moduleName"), at(value, "name"));
  const version = filledAt(value, "version");
  const from = listAt(value, "from").filter((each) => typeof each === "string");
  const packageName = name === null ? null : version === null ? name : `${name}@${version}`;
  const identifiers = objectAt(value, "identifiers");
  const ids = [...listAt(identifiers, "CVE"), ...listAt(identifiers, "GHSA")].filter(
    (each) => typeof each === "string",
  );
  const severity = filledAt(value, "severity");
  const through = from.length > 2 ? ` Introduced through ${from.slice(1).join(" > ")}.` : "";
  const what = packageName === null ? title : `${packageName}: ${title}`;
  return {
    tool: at(owner, "container") === true ? "Snyk Container" : "Snyk Open Source",
    message: `${what}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}.${through}`,
    severities: severity === null ? [] : [{ scale: "snyk", value: severity }],
    sourceId: id,
    path: filledAt(owner, "file"),
    rule: id,
    category: filledAt(value, "type") === "license" ? "license" : "vulnerable dependency",
    status: at(owner, "ignored") === true ? "suppressed" : "open",
    fix: fixOf(value),
    help: filledAt(value, "description"),
    helpUri: id === null ? null : `https://security.snyk.io/vuln/${encodeURIComponent(id)}`,
    cwe: cweOf(at(identifiers, "CWE")),
    extra: {
      ...restOf(value, ["id", "title", "severity", "description", "type"]),
      ...present({ project: at(owner, "project"), packageManager: at(owner, "packageManager") }),
    },
  };
}

function fixOf(value: JsonObject): string | null {
  const path = listAt(value, "upgradePath").find((each): each is string => typeof each === "string");
  const fixed = listAt(value, "fixedIn").filter((each) => typeof each === "string");
  if (path !== undefined) return `Upgrade to ${path}.`;
  return fixed.length === 0 ? filledAt(value, "nearestFixedInVersion") : `Fixed in ${fixed.join(", ")}.`;
}
