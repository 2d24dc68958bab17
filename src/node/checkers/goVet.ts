import { join } from "node:path";
import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type Failed, type SetReport } from "./checker.ts";
import { addReport, complaint, fileOf, jsonOf, neverStrict } from "./output.ts";

const Names = z.array(z.string()).default([]);
const Package = z.looseObject({
  Dir: z.string(),
  GoFiles: Names,
  TestGoFiles: Names,
  XTestGoFiles: Names,
  Incomplete: z.boolean().default(false),
});
const Found = z.array(z.looseObject({ posn: z.string(), message: z.string() }));
const Vetted = z.record(z.string(), z.record(z.string(), z.union([Found, z.looseObject({ error: z.string() })])));

/** No network, no C compiler, no settings of the user, no other toolchain than the one that is there. */
export const GO_ENVIRONMENT = {
  GOENV: "off",
  GOFLAGS: "",
  GOPROXY: "off",
  GOSUMDB: "off",
  GOTOOLCHAIN: "local",
  GOVCS: "*:off",
  CGO_ENABLED: "0",
} as const;

const SLOW_MS = 120_000;

/** `go vet` over all packages of the module. It compiles and runs nothing; what another platform builds is not looked at. */
export const goVet: Checker = {
  tool: "go vet",
  role: "lint",
  program: "go",
  versionArgv: ["version"],
  version: /^go version go(\d+\.\d+(?:\.\d+)?\S*) \S+\s*$/,
  package: null,
  reads: (file) => /\.go$/i.test(file),
  configNames: /(?:^|\/)go\.(?:mod|work|sum)$/,
  configures: (file) => /go\.(?:mod|work)$/.test(file),
  asks: () => null,
  check,
};

async function check(bench: Bench): Promise<SetReport> {
  if (!bench.configs.has("go.mod")) return failed("There is no go.mod in this folder.");
  const options = { env: GO_ENVIRONMENT, timeoutMs: SLOW_MS };
  const listed = await bench.run(["list", "-json=Dir,GoFiles,TestGoFiles,XTestGoFiles,Incomplete", "./..."], options);
  if (listed.kind === "failed") return listed;
  const covered = coveredBy(bench, listed.stdout);
  if (listed.exitCode !== 0 || covered === null)
    return failed(`go does not list the files of this module: ${complaint(listed.stderr, listed.stdout)}`);
  const ran = await bench.run(["vet", "-json", "./..."], options);
  if (ran.kind === "failed") return ran;
  if (ran.exitCode !== 0) return failed(`go vet gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  const reports = reportsOf(bench, `${ran.stdout}\n${ran.stderr}`);
  if ("kind" in reports) return reports;
  return { kind: "checked", reports, covered, listing: null, silence: silenceOf, strict: neverStrict };
}

/** Analyzers that every run of `go vet` has on every platform; another name may be one's own word for one of them. */
const ANALYZERS: ReadonlySet<string> = new Set(
  "appends assign atomic bools buildtag composites copylocks defers directive errorsas httpresponse ifaceassert loopclosure lostcancel nilfunc printf shift slog stdmethods stringintconv structtag testinggoroutine tests timeformat unmarshal unreachable unsafeptr unusedresult".split(
    " ",
  ),
);

function silenceOf(_file: string, code: string | null): string | null {
  return code === null || ANALYZERS.has(code) ? null : `${code} is not known to be a name of go vet.`;
}

/** `go list` prints one object after the other. */
function coveredBy(bench: Bench, stdout: string): ReadonlySet<string> | null {
  const covered = new Set<string>();
  for (const value of objectsIn(stdout)) {
    const parsed = Package.safeParse(value);
    if (!parsed.success || parsed.data.Incomplete) return null;
    const { Dir, GoFiles, TestGoFiles, XTestGoFiles } = parsed.data;
    for (const name of [...GoFiles, ...TestGoFiles, ...XTestGoFiles]) {
      const file = fileOf(bench, join(Dir, name));
      if (file !== null) covered.add(file);
    }
  }
  return covered.size === 0 ? null : covered;
}

function reportsOf(bench: Bench, output: string): Map<string, CheckerReport[]> | Failed {
  const reports = new Map<string, CheckerReport[]>();
  for (const value of objectsIn(output)) {
    const parsed = Vetted.safeParse(value);
    if (!parsed.success) return failed("go vet answered in a form that is not understood.");
    for (const analyzers of Object.values(parsed.data))
      for (const [code, found] of Object.entries(analyzers)) {
        if (!Array.isArray(found)) return failed(`go vet could not run ${code}: ${found.error.slice(0, 160)}`);
        for (const { posn, message } of found) {
          const at = /^(.+?):(\d+)(?::\d+)?$/.exec(posn);
          if (at === null) return failed("go vet answered in a form that is not understood.");
          const line = Number(at[2]);
          addReport(reports, bench, at[1] ?? "", { line, endLine: line, code, message, severity: "error" });
        }
      }
  }
  return reports;
}

/** The objects of a text in which each begins and ends with a brace at the start of a line; other lines are names of packages. */
function objectsIn(output: string): unknown[] {
  const blocks = output
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("#"))
    .join("\n");
  return [...blocks.matchAll(/^\{(?:\}|\n[\s\S]*?\n\})$/gm)].map(([text]) => jsonOf(text));
}
