import * as z from "zod";
import type { Checker, Project } from "./checker.ts";
import { jsonOf } from "./output.ts";

const Lock = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })).optional(),
  dependencies: z.record(z.string(), z.looseObject({ version: z.string().optional() })).optional(),
});
const Manifest = z.looseObject({ version: z.string() });
const Wanted = z.record(z.string(), z.string()).optional();
const Dependent = z.looseObject({ dependencies: Wanted, devDependencies: Wanted });

/** The version of a checker that the project pins, as lock file, installed package or manifest say; null where none does. */
export async function projectVersion(
  checker: Pick<Checker, "package">,
  project: Pick<Project, "text">,
): Promise<string | null> {
  const wanted = checker.package;
  if (wanted === null) return null;
  const readers = wanted.registry === "npm" ? NPM : PYPI;
  for (const [file, read] of readers(wanted.name)) {
    const text = await project.text(file);
    const version = text === null ? null : read(text);
    if (version !== null) return version;
  }
  return null;
}

type Reader = readonly [file: string, read: (text: string) => string | null];

const NPM = (name: string): readonly Reader[] => {
  const plain = escaped(name);
  return [
    ["package-lock.json", (text) => fromPackageLock(text, name)],
    ["pnpm-lock.yaml", (text) => new RegExp(`^ {2,6}/?'?/?${plain}[@/](\\d[\\w.+-]*)`, "m").exec(text)?.[1] ?? null],
    [
      "yarn.lock",
      (text) => new RegExp(`^"?${plain}@[^\\n]*:\\n\\s+version:? "?(\\d[\\w.+-]*)`, "m").exec(text)?.[1] ?? null,
    ],
    [`node_modules/${name}/package.json`, fromInstalled],
    ["package.json", (text) => fromManifest(text, name)],
  ];
};

const PYPI = (name: string): readonly Reader[] => {
  const plain = escaped(name);
  const locked = (text: string): string | null =>
    new RegExp(`^name = "${plain}"\\nversion = "(\\d[\\w.+-]*)"`, "m").exec(text)?.[1] ?? null;
  const pinned = (text: string): string | null => new RegExp(`^${plain}==(\\d[\\w.+-]*)`, "im").exec(text)?.[1] ?? null;
  return [
    ["uv.lock", locked],
    ["poetry.lock", locked],
    ["pdm.lock", locked],
    ["requirements-dev.txt", pinned],
    ["dev-requirements.txt", pinned],
    ["requirements.txt", pinned],
  ];
};

function fromPackageLock(text: string, name: string): string | null {
  const parsed = Lock.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const { packages, dependencies } = parsed.data;
  return packages?.[`node_modules/${name}`]?.version ?? dependencies?.[name]?.version ?? null;
}

function fromInstalled(text: string): string | null {
  const parsed = Manifest.safeParse(jsonOf(text));
  return parsed.success ? parsed.data.version : null;
}

/** Of a range the version it begins with: enough to tell another release line. */
function fromManifest(text: string, name: string): string | null {
  const parsed = Dependent.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const range = parsed.data.devDependencies?.[name] ?? parsed.data.dependencies?.[name];
  return range === undefined ? null : (/^[~^]?(\d+\.\d+\S*)$/.exec(range)?.[1] ?? null);
}

/** True where two versions are of one release line: major and minor agree. */
export function sameLine(left: string, right: string): boolean {
  return releaseLine(left) === releaseLine(right);
}

function releaseLine(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
