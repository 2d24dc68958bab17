import assert from "node:assert/strict";
import test from "node:test";
import { hardFact } from "../../../../src/core/hard.ts";
import { only, placed, read, spanned } from "./reading.ts";

const lodash = {
  id: "SNYK-JS-LODASH-590103",
  title: "Prototype Pollution",
  severity: "high",
  packageName: "lodash",
  name: "lodash",
  version: "4.17.15",
  from: ["shop@1.0.0", "grid@2.0.0", "lodash@4.17.15"],
  upgradePath: [false, "grid@2.1.0", "lodash@4.17.20"],
  identifiers: { CVE: ["CVE-2020-8203"], CWE: ["CWE-400"] },
  cvssScore: 7.3,
  exploit: "Proof of Concept",
};
const project = (more: object = {}) => ({
  vulnerabilities: [lodash],
  ok: false,
  dependencyCount: 70,
  packageManager: "npm",
  displayTargetFile: "package-lock.json",
  projectName: "shop",
  ...more,
});

test("Snyk: a vulnerability is a hard fact, with its path of packages, ids, CWE and upgrade", () => {
  const found = only(project());
  assert.equal(hardFact(found), "vulnerable-dependency");
  assert.deepEqual(
    [placed(found), found.severity, found.rule],
    ["package-lock.json:-:high", "P1", "SNYK-JS-LODASH-590103"],
  );
  assert.match(
    found.message,
    /^lodash@4\.17\.15: Prototype Pollution \(CVE-2020-8203\)\. Introduced through grid@2\.0\.0 > lodash@4\.17\.15\.$/,
  );
  assert.deepEqual([found.cwe, found.fix, found.extra["cvssScore"]], [["CWE-400"], "Upgrade to grid@2.1.0.", 7.3]);
});

test("Snyk: several projects, a licence is not hard, an ignored one is suppressed, a failed project is named", () => {
  const licence = {
    ...lodash,
    id: "snyk:lic:npm:x:GPL-3.0",
    type: "license",
    title: "GPL-3.0 license",
    identifiers: {},
  };
  const { claimed, unread } = read([
    project({ vulnerabilities: [licence], filtered: { ignore: [lodash] } }),
    { ok: false, error: "Could not detect supported target files", path: "/ws/empty" },
  ]);
  assert.deepEqual(
    claimed.map((found) => [hardFact(found), found.status, found.pointer]),
    [
      [null, "open", "/0/vulnerabilities/0"],
      ["vulnerable-dependency", "suppressed", "/0/filtered/ignore/0"],
    ],
  );
  assert.deepEqual(
    unread.map(({ pointer, severityWord }) => [pointer, severityWord]),
    [["/1", false]],
  );
});

test("Snyk: a vulnerability with an id of npm's old kind is hard too", () => {
  const old = { ...lodash, id: "npm:lodash:20180130", identifiers: {} };
  assert.equal(hardFact(only(project({ vulnerabilities: [old] }))), "vulnerable-dependency");
});

test("Trivy: vulnerabilities and secrets are hard, misconfigurations are findings, a passed check is no defect", () => {
  const { claimed } = read({
    SchemaVersion: 2,
    ArtifactName: ".",
    Results: [
      {
        Target: "package-lock.json",
        Class: "lang-pkgs",
        Type: "npm",
        Vulnerabilities: [
          {
            VulnerabilityID: "CVE-2020-8203",
            PkgName: "lodash",
            InstalledVersion: "4.17.15",
            FixedVersion: "4.17.19",
            Severity: "HIGH",
            Title: "prototype pollution",
            PrimaryURL: "https://avd.aquasec.com/nvd/cve-2020-8203",
            CweIDs: ["CWE-1321"],
          },
        ],
      },
      {
        Target: "alpine (alpine 3.10)",
        Class: "os-pkgs",
        Type: "alpine",
        Vulnerabilities: [
          { VulnerabilityID: "CVE-2019-1549", PkgName: "openssl", InstalledVersion: "1.1.1c", Severity: "UNKNOWN" },
        ],
      },
      {
        Target: "Dockerfile",
        Class: "config",
        Misconfigurations: [
          {
            ID: "DS002",
            Title: "root user",
            Message: "Last USER command is root",
            Resolution: "Add USER",
            Severity: "HIGH",
            Status: "FAIL",
            CauseMetadata: {
              StartLine: 3,
              EndLine: 3,
              Code: { Lines: [{ Number: 3, Content: "USER root", IsCause: true }] },
            },
          },
          { ID: "DS001", Title: "latest tag", Severity: "MEDIUM", Status: "PASS", CauseMetadata: {} },
        ],
      },
      {
        Target: "deploy/key.txt",
        Class: "secret",
        Secrets: [
          {
            RuleID: "aws-access-key-id",
            Category: "AWS",
            Severity: "CRITICAL",
            Title: "AWS Access Key ID",
            StartLine: 2,
            EndLine: 2,
            Match: "AKIA****",
            Code: { Lines: [{ Content: "key = x" }] },
          },
        ],
      },
    ],
  });
  assert.deepEqual(
    claimed.map((found) => [found.rule, placed(found), found.severity, found.status, hardFact(found)]),
    [
      ["CVE-2020-8203", "package-lock.json:-:HIGH", "P1", "open", "vulnerable-dependency"],
      ["CVE-2019-1549", "-:-:UNKNOWN", "P2", "open", "vulnerable-dependency"],
      ["DS002", "Dockerfile:3:HIGH", "P1", "open", null],
      ["DS001", "Dockerfile:-:MEDIUM", "P2", "pass", null],
      ["aws-access-key-id", "deploy/key.txt:2:CRITICAL", "P0", "open", "secret"],
    ],
  );
  assert.deepEqual(
    [claimed[0]?.fix, claimed[2]?.fix, claimed[2]?.quote],
    ["Fixed in 4.17.19.", "Add USER", "USER root"],
  );
  assert.doesNotMatch(JSON.stringify(claimed[4]), /AKIA|key = x/);
});

test("Trivy's report from before its schema had a number", () => {
  const found = only([
    {
      Target: "go.sum",
      Type: "gomod",
      Vulnerabilities: [{ VulnerabilityID: "CVE-2022-1", PkgName: "x/net", Severity: "LOW" }],
    },
  ]);
  assert.deepEqual([placed(found), found.pointer], ["go.sum:-:LOW", "/0/Vulnerabilities/0"]);
});

test("npm 7 and later: one finding an advisory; packages that only depend on one are named with it", () => {
  const { claimed } = read({
    auditReportVersion: 2,
    vulnerabilities: {
      "@scope/minimist": {
        name: "@scope/minimist",
        severity: "critical",
        isDirect: false,
        via: [
          {
            source: 1179,
            name: "@scope/minimist",
            title: "Prototype Pollution",
            url: "https://github.com/advisories/GHSA-xvch-5gv4-984h",
            severity: "critical",
            cwe: ["CWE-1321"],
            range: "<1.2.6",
          },
        ],
        effects: ["mkdirp"],
        range: "<=1.2.5",
        nodes: ["node_modules/minimist"],
        fixAvailable: { name: "mkdirp", version: "1.0.4", isSemVerMajor: true },
      },
      mkdirp: {
        name: "mkdirp",
        severity: "critical",
        via: ["@scope/minimist"],
        effects: [],
        range: "0.4.1 - 0.5.1",
        fixAvailable: true,
      },
      orphan: { name: "orphan", severity: "high", via: ["gone"], effects: [], range: "*", fixAvailable: false },
    },
    metadata: { vulnerabilities: { total: 3 } },
  });
  assert.deepEqual(
    claimed.map(({ pointer, severity }) => [pointer, severity]),
    [
      ["/vulnerabilities/@scope~1minimist/via/0", "P0"],
      ["/vulnerabilities/orphan", "P1"],
    ],
  );
  const [first] = claimed;
  assert.ok(first !== undefined);
  assert.equal(hardFact(first), "vulnerable-dependency");
  assert.deepEqual([first.rule, first.path, first.cwe], ["GHSA-xvch-5gv4-984h", null, ["CWE-1321"]]);
  assert.deepEqual([first.fix, first.extra["effects"]], ["Update mkdirp to 1.0.4 (a breaking change).", ["mkdirp"]]);
});

test("npm 6 and pnpm: advisories by number, with versions, paths and recommendation", () => {
  const found = only({
    actions: [],
    advisories: {
      1179: {
        id: 1179,
        module_name: "minimist",
        title: "Prototype Pollution",
        severity: "low",
        cves: [],
        cwe: "CWE-471",
        url: "https://npmjs.com/advisories/1179",
        overview: "Affected versions…",
        recommendation: "Upgrade to 1.2.3",
        vulnerable_versions: "<0.2.1",
        patched_versions: ">=0.2.1",
        findings: [{ version: "0.0.8", paths: ["mkdirp>minimist"] }],
      },
    },
    metadata: { vulnerabilities: { low: 1 } },
  });
  assert.deepEqual(
    [found.rule, found.severity, found.cwe, found.fix],
    ["npm-advisory-1179", "Nit", ["CWE-471"], "Upgrade to 1.2.3"],
  );
  assert.deepEqual(found.extra["paths"], ["mkdirp>minimist"]);
  assert.equal(hardFact(found), "vulnerable-dependency");
});

test("npm audit that failed says so", () => {
  const { claimed, unread } = read({
    error: { code: "ENOLOCK", summary: "This command requires an existing lockfile." },
  });
  assert.equal(claimed.length, 0);
  assert.match(unread[0]?.reason ?? "", /npm audit failed/);
});

test("gitleaks: a hard fact whose secret goes nowhere", () => {
  const found = only([
    {
      Description: "AWS key",
      StartLine: 4,
      EndLine: 4,
      StartColumn: 9,
      EndColumn: 28,
      Match: "k=HUSHHUSH",
      Secret: "HUSHHUSH",
      File: "conf/prod.env",
      Commit: "",
      Entropy: 3.1,
      Author: "",
      RuleID: "aws-access-token",
      Fingerprint: "conf/prod.env:aws-access-token:4",
    },
  ]);
  assert.equal(hardFact(found), "secret");
  assert.deepEqual([placed(found), found.severity], ["conf/prod.env:4:error", "P1"]);
  assert.doesNotMatch(JSON.stringify(found), /HUSH/);
});

test("GitHub: Dependabot's and secret scanning's alerts are hard, by state; the secret itself goes nowhere", () => {
  const dependabot = only([
    {
      number: 3,
      state: "open",
      dependency: {
        package: { ecosystem: "npm", name: "lodash" },
        manifest_path: "web/package-lock.json",
        scope: "runtime",
      },
      security_advisory: {
        ghsa_id: "GHSA-p6mc-m468-83gw",
        cve_id: "CVE-2020-8203",
        summary: "Prototype pollution",
        description: "Long text",
        severity: "high",
        cwes: [{ cwe_id: "CWE-1321", name: "x" }],
      },
      security_vulnerability: { severity: "high", first_patched_version: { identifier: "4.17.20" } },
      html_url: "https://github.example/3",
    },
  ]);
  assert.equal(hardFact(dependabot), "vulnerable-dependency");
  assert.deepEqual(
    [placed(dependabot), dependabot.severity, dependabot.cwe, dependabot.fix],
    ["web/package-lock.json:-:high", "P1", ["CWE-1321"], "Fixed in 4.17.20."],
  );
  const secrets = ["false_positive", null].map((resolution) => ({
    number: 4,
    state: resolution === null ? "open" : "resolved",
    resolution,
    secret_type: "aws_access_key_id",
    secret_type_display_name: "AWS key",
    secret: "HUSHHUSH",
  }));
  const { claimed } = read(secrets);
  assert.deepEqual(
    claimed.map((found) => [hardFact(found), found.status]),
    [
      ["secret", "suppressed"],
      ["secret", "open"],
    ],
  );
  assert.doesNotMatch(JSON.stringify(claimed), /HUSH/);
});

test("GitLab: SAST is triaged; secret detection and dependency scanning of known scanners are hard", () => {
  const report = (type: string, scanner: string, row: object) => ({
    version: "15.0.0",
    scan: { type, scanner: { id: scanner.toLowerCase(), name: scanner }, status: "success" },
    vulnerabilities: [
      { id: "f1", severity: "High", location: { file: "src/a.py", start_line: 3, end_line: 5 }, ...row },
    ],
    remediations: [{ fixes: [{ id: "f1" }], summary: "Use parameters", diff: "" }],
  });
  const sast = only(
    report("sast", "Semgrep", {
      name: "SQLi",
      description: "Built by concatenation",
      identifiers: [
        { type: "semgrep_id", name: "bandit.B608", value: "bandit.B608", url: "https://s.example" },
        { type: "cwe", name: "CWE-89", value: "89" },
      ],
    }),
  );
  assert.deepEqual(
    [placed(sast), sast.rule, sast.cwe, sast.fix, hardFact(sast)],
    ["src/a.py:3:High", "bandit.B608", ["CWE-89"], "Use parameters", null],
  );
  const secret = only(
    report("secret_detection", "Gitleaks", {
      name: "AWS",
      identifiers: [{ type: "gitleaks_rule_id", name: "r", value: "AWS" }],
    }),
  );
  assert.equal(hardFact(secret), "secret");
  const dependency = only(
    report("dependency_scanning", "Gemnasium", {
      name: "Pollution",
      location: { file: "yarn.lock", dependency: { package: { name: "lodash" }, version: "4.17.15" } },
      identifiers: [
        { type: "gemnasium", value: "u-u-i-d" },
        { type: "cve", name: "CVE-2020-8203", value: "CVE-2020-8203" },
      ],
    }),
  );
  assert.deepEqual(
    [hardFact(dependency), dependency.rule, dependency.extra["package"]],
    ["vulnerable-dependency", "CVE-2020-8203", "lodash"],
  );
});

const junit = (inner: string) => `<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n${inner}\n</testsuites>`;

test("JUnit of pytest: a failed test is a hard fact at the line of its assertion; passed and skipped ones are nothing", () => {
  const found = only(
    junit(`<testsuite name="pytest" tests="3" failures="1" skipped="1">
<testcase classname="tests.test_cart" name="test_total" file="tests/test_cart.py" line="3" time="0.01"><failure message="AssertionError: assert 3 == 4">def test_total():
&gt;       assert total() == 4
E       assert 3 == 4

tests/test_cart.py:12: AssertionError</failure></testcase>
<testcase classname="tests.test_cart" name="test_ok" time="0.01"/>
<testcase classname="tests.test_cart" name="test_later"><skipped message="not yet"/></testcase>
</testsuite>`),
  );
  assert.equal(hardFact(found), "failing-test");
  assert.deepEqual([placed(found), found.tool, found.pointer], ["tests/test_cart.py:12:error", "pytest", "L4"]);
  assert.match(found.message, /test_total: AssertionError: assert 3 == 4$/);
});

test("JUnit of Java and of jest: the frame of the test's own file, not of the library", () => {
  const java = only(
    junit(`<testsuite name="com.shop.CartTest"><testcase name="adds" classname="com.shop.CartTest"><error type="java.lang.NullPointerException">java.lang.NullPointerException
	at org.junit.Assert.fail(Assert.java:89)
	at com.shop.CartTest.adds(CartTest.java:42)</error></testcase></testsuite>`),
  );
  assert.deepEqual(
    [placed(java), java.rule, java.tool],
    ["CartTest.java:42:error", "java.lang.NullPointerException", "JUnit"],
  );
  const jest = only(
    junit(`<testsuite name="jest tests"><testcase classname="cart adds" name="cart adds"><failure>Error: expect(received).toBe(expected)
    at node_modules/expect/build/index.js:10:3
    at Object.&lt;anonymous&gt; (/ws/src/cart.test.ts:7:15)</failure></testcase></testsuite>`),
  );
  assert.deepEqual([jest.path, spanned(jest), jest.tool], ["/ws/src/cart.test.ts", "7-:15-", "Jest"]);
});

test("Jest and Vitest JSON: failed tests are hard facts, and so is a file that could not be run", () => {
  const { claimed, unread } = read({
    numTotalTests: 2,
    numFailedTests: 1,
    testResults: [
      {
        name: "/ws/src/cart.test.ts",
        status: "failed",
        message: "",
        assertionResults: [
          {
            fullName: "cart adds",
            title: "adds",
            status: "failed",
            failureMessages: ["Error: expected 3 to be 4\n    at /ws/src/cart.test.ts:7:15"],
          },
          { fullName: "cart is empty", title: "is empty", status: "passed", failureMessages: [] },
        ],
      },
      {
        name: "/ws/src/broken.test.ts",
        status: "failed",
        message: "SyntaxError: Unexpected token",
        assertionResults: [],
      },
    ],
  });
  assert.deepEqual(unread, []);
  assert.deepEqual(
    claimed.map((found) => [placed(found), hardFact(found), found.message]),
    [
      ["/ws/src/cart.test.ts:7:error", "failing-test", "cart adds: Error: expected 3 to be 4"],
      ["/ws/src/broken.test.ts:-:error", "failing-test", "The file could not be run: SyntaxError: Unexpected token"],
    ],
  );
});

test("cargo: the compiler's errors are hard, Clippy's warnings are not; what was built is no finding", () => {
  const span = { file_name: "src/a.rs", line_start: 3, line_end: 3, column_start: 5, column_end: 9, is_primary: true };
  const message = (level: string, code: string | null, text: string) => ({
    reason: "compiler-message",
    package_id: "shop 0.1.0",
    message: {
      level,
      message: text,
      code: code === null ? null : { code, explanation: null },
      spans: code === null ? [] : [{ ...span, text: [{ text: "    let x = 1;" }] }],
      children: [{ level: "help", message: "remove it", spans: [{ ...span, suggested_replacement: "_x" }] }],
      rendered: "…",
    },
  });
  const { format, claimed, unread } = read(
    [
      { reason: "compiler-artifact", package_id: "x" },
      message("error", "E0308", "mismatched types"),
      message("warning", "clippy::needless_return", "unneeded return"),
      message("error", null, "aborting due to 1 previous error"),
      { reason: "build-finished", success: false },
    ],
    true,
  );
  assert.deepEqual([format, unread], ["cargo", []]);
  assert.deepEqual(
    claimed.map((found) => [placed(found), found.tool, found.fix, hardFact(found), found.pointer]),
    [
      ["src/a.rs:3:error", "rustc", "_x", "compile-error", "L2"],
      ["src/a.rs:3:warning", "Clippy", "_x", null, "L3"],
    ],
  );
});

test("R0.2: a compile error of the TypeScript compiler's text is hard, a type checker's opinion in Python is not", () => {
  assert.equal(hardFact(only("src/a.ts(1,2): error TS2304: Cannot find name 'x'.\n")), "compile-error");
  assert.equal(hardFact(only('a.py:1: error: Name "x" is not defined  [name-defined]\n')), null);
});

test("R0.2: an agent that names a scanner makes no hard fact; its finding is read all the same", () => {
  const found = only({
    findings: [{ tool: "gitleaks", file: "a.ts", line: 3, severity: "critical", message: "Hardcoded secret" }],
  });
  assert.deepEqual([found.tool, found.severity, hardFact(found)], ["gitleaks", "P0", null]);
});
