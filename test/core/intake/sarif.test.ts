import assert from "node:assert/strict";
import test from "node:test";
import type { Claimed, ReviewReading } from "../../../src/core/finding.ts";
import { readReview } from "../../../src/core/intake/readReview.ts";
import { readSample } from "../../support/samples.ts";

const read = (run: object, more: object = {}): ReviewReading =>
  readReview(JSON.stringify({ version: "2.1.0", runs: [run], ...more }), "log.sarif");
const one = (result: object, run: object = {}): Claimed => {
  const { claimed, unread } = read({ tool: { driver: { name: "T" } }, ...run, results: [result] });
  assert.deepEqual(unread, []);
  return claimed[0] ?? assert.fail("no finding");
};
const reason = (text: string): string => readReview(text, "x").unread[0]?.reason ?? "";
const place = (uri: string) => ({ physicalLocation: { artifactLocation: { uri }, region: { startLine: 2 } } });
const message = { text: "m" };
const located = (physicalLocation: object): object => ({ message, locations: [{ physicalLocation }] });
const sample = (name: string, index: number): Claimed =>
  readSample(`sarif/${name}.sarif`).claimed[index] ?? assert.fail(name);

test("each finding has the JSON pointer of its result, over several runs", () => {
  const { claimed } = readSample("sarif/codeql-lgtm-two-runs.sarif");
  assert.deepEqual(
    claimed.map(({ pointer }) => pointer),
    ["/runs/0/results/0", "/runs/1/results/0", "/runs/1/results/1"],
  );
  assert.equal(claimed[0]?.tool.length !== 0 && claimed[0]?.tool !== claimed[1]?.tool, true);
});

test("C20: one broken result costs no other: it is listed with its pointer and counts", () => {
  const { claimed, unread } = read({ results: [{ message }, null, 7, {}, { message }] });
  assert.deepEqual(
    claimed.map(({ pointer }) => pointer),
    ["/runs/0/results/0", "/runs/0/results/4"],
  );
  assert.deepEqual(
    unread.map(({ pointer }) => pointer),
    ["/runs/0/results/1", "/runs/0/results/2", "/runs/0/results/3"],
  );
  assert.ok(unread.every(({ severityWord }) => severityWord));
});

test("C20: runs that are no list, a run that is no object, results that stand elsewhere or are absent are told apart", () => {
  assert.match(reason('{"version":"2.1.0","runs":3}'), /no list of runs/);
  assert.match(reason('{"version":"2.1.0","runs":[null]}'), /not an object/);
  assert.match(reason('{"version":"2.1.0","runs":[{}]}'), /no list of results/);
  const elsewhere = { externalPropertyFileReferences: { results: [{ location: { uri: "r.sarif" } }] } };
  assert.match(read(elsewhere).unread[0]?.reason ?? "", /another file/);
});

test("a run with an empty list of results found nothing, and says so without an unread row", () => {
  assert.deepEqual(read({ results: [] }), { format: "sarif", claimed: [], unread: [], revision: null });
});

test("rules are found by index, guid, name and id in extensions", () => {
  const { claimed } = readSample("sarif/codeql-rules-in-extensions.sarif");
  const [unused, pass] = ["js/unused-local-variable-1", "com.lgtm/python-queries:py/unnecessary-pass-1"];
  assert.deepEqual(
    claimed.map(({ rule }) => rule),
    [unused, unused, unused, unused, pass],
  );
  assert.ok(claimed.slice(0, 4).every(({ help }) => help === "TextHelp"));
  const run = {
    tool: { driver: { name: "T" }, extensions: [{ name: "pack", rules: [{ id: "r", help: { text: "by name" } }] }] },
  };
  assert.equal(one({ message, rule: { id: "r", toolComponent: { name: "pack" } } }, run).help, "by name");
});

test("a rule index that contradicts the rule id is not believed", () => {
  const rules = [
    { id: "a", help: { text: "A" } },
    { id: "b", help: { text: "B" } },
  ];
  const run = { tool: { driver: { name: "T", rules } } };
  assert.equal(one({ message, ruleId: "b", ruleIndex: 0 }, run).help, "B");
  assert.equal(one({ message, ruleIndex: 1 }, run).rule, "b");
  assert.equal(one({ message, ruleId: "gone", ruleIndex: 0 }, run).help, null);
  assert.equal(one({ message, ruleIndex: 99 }, run).rule, null);
});

test("a hierarchical rule id takes the descriptor of its nearest parent", () => {
  const run = { tool: { driver: { name: "T", rules: [{ id: "CWE-78", help: { text: "injection" } }] } } };
  const found = one({ message, ruleId: "CWE-78/api-handler" }, run);
  assert.deepEqual([found.rule, found.help, found.cwe], ["CWE-78/api-handler", "injection", ["CWE-78"]]);
});

const LEVELS: readonly [words: string, result: object, run: object, level: string, severity: string][] = [
  ["the result's own", { level: "error" }, {}, "error", "P1"],
  ["warning where nothing says more", {}, {}, "warning", "P2"],
  ["none where the kind is not fail", { kind: "review" }, {}, "none", "Nit"],
  [
    "the rule's default",
    { ruleId: "r" },
    { tool: { driver: { rules: [{ id: "r", defaultConfiguration: { level: "note" } }] } } },
    "note",
    "Nit",
  ],
  [
    "an override of the configuration, before the default",
    { ruleId: "r" },
    {
      tool: { driver: { rules: [{ id: "r", defaultConfiguration: { level: "note" } }] } },
      invocations: [{ ruleConfigurationOverrides: [{ descriptor: { id: "r" }, configuration: { level: "error" } }] }],
    },
    "error",
    "P1",
  ],
  ["null members are absent", { level: null, kind: null }, {}, "warning", "P2"],
  ["security-severity raises", { level: "note", properties: { "security-severity": "9.1" } }, {}, "note", "P0"],
  ["security-severity lowers", { level: "error", properties: { "security-severity": 2 } }, {}, "error", "Nit"],
  [
    "a security-severity that is no score is ignored",
    { level: "error", properties: { "security-severity": "bad" } },
    {},
    "error",
    "P1",
  ],
  ["an explicit tag on the result", { level: "note", properties: { tags: ["P0"] } }, {}, "note", "P0"],
  ["a level outside the standard, by its word", { level: "critical" }, {}, "critical", "P0"],
];
for (const [words, result, run, level, severity] of LEVELS) {
  test(`C2: level and severity: ${words}`, () => {
    const found = one({ message, ...result }, run);
    assert.deepEqual([found.extra["level"], found.severity], [level, severity]);
  });
}

test("C2: the source's severity is kept untouched beside the name of its scale", () => {
  assert.deepEqual(sample("semgrep-taint-flow", 1).sourceSeverity, { scale: "security-severity", value: "8.6" });
  assert.deepEqual(sample("judges-ai-review", 0).sourceSeverity, { scale: "sarif-level", value: "error" });
});

test("C2: severity maps from settings reach the reader", () => {
  const text = JSON.stringify({ version: "2.1.0", runs: [{ results: [{ message, level: "note" }] }] });
  const options = { severityMap: { "sarif-level": { note: "P1" } } } as const;
  assert.equal(readReview(text, "x", options).claimed[0]?.severity, "P1");
});

const MESSAGES: readonly [words: string, message: object, text: string][] = [
  ["text", { text: "plain" }, "plain"],
  ["text before markdown", { text: "plain", markdown: "**bold**" }, "plain"],
  ["markdown where there is no text", { markdown: "only this" }, "only this"],
  ["placeholders and doubled braces", { text: "{0} of {{1}} and {1}", arguments: ["a", "b"] }, "a of {1} and b"],
  ["a placeholder without its argument stays", { text: "{0} {7}", arguments: ["a"] }, "a {7}"],
  ["braces of code stay where there are no arguments", { text: "use ${x} {0}" }, "use ${x} {0}"],
  ["links to locations", { text: "depends on [a value](1)." }, "depends on a value."],
  ["links to several locations", { text: "see [flows](1),(2),(3)" }, "see flows"],
  ["links to the web", { text: "[CVE-1](https://example.com/x) is old" }, "CVE-1 is old"],
  ["escaped brackets in a link", { text: "[a\\[0\\]](1)" }, "a[0]"],
  ["code that only looks like a link", { text: "calls handlers[name](request)" }, "calls handlers[name](request)"],
  ["an id, from the rule", { id: "default", arguments: ["x"] }, "rule says x"],
  ["an id, from the tool", { id: "shared" }, "tool says"],
  ["an id nobody knows: the rule's short description", { id: "gone" }, "short"],
];
for (const [words, given, text] of MESSAGES) {
  test(`message: ${words}`, () => {
    const rules = [
      { id: "r", messageStrings: { default: { text: "rule says {0}" } }, shortDescription: { text: "short" } },
    ];
    const driver = { name: "T", rules, globalMessageStrings: { shared: { text: "tool says" } } };
    assert.equal(one({ ruleId: "r", message: given }, { tool: { driver } }).message, text);
  });
}

test("messages of real tools: arguments from the rule's strings, links and markdown placeholders gone", () => {
  assert.equal(
    sample("spotbugs-message-args", 0).message,
    "Hard coded reference to an absolute pathname in Boot.main(String[]).",
  );
  assert.match(sample("codeql-python-flows", 0).message, /^This SQL query depends on a user-provided value/);
  assert.match(sample("snyk-code-suppressed-nulls", 0).message, /^This endpoint handler performs a system command/);
  assert.match(sample("fortify-taxa-threadflow-index", 0).message, /on line 12 has not been/);
});

const PATHS: readonly [words: string, artifact: object, run: object, path: string | null][] = [
  ["percent-encoded", { uri: "a%20b/%E2%82%AC.cs" }, {}, "a b/€.cs"],
  ["a broken percent sign stays", { uri: "100%/a%zz.c" }, {}, "100%/a%zz.c"],
  ["by index", { index: 0 }, { artifacts: [{ location: { uri: "x.c" } }] }, "x.c"],
  ["an undeclared base", { uri: "a.c", uriBaseId: "SRC" }, {}, "a.c"],
  ["a relative base", { uri: "a.c", uriBaseId: "SRC" }, { originalUriBaseIds: { SRC: { uri: "src/" } } }, "src/a.c"],
  [
    "a base without its slash",
    { uri: "a.c", uriBaseId: "SRC" },
    { originalUriBaseIds: { SRC: { uri: "src" } } },
    "src/a.c",
  ],
  ["the base ./", { uri: "a.c", uriBaseId: "P" }, { originalUriBaseIds: { P: { uri: "./" } } }, "a.c"],
  [
    "nested bases",
    { uri: "a.c", uriBaseId: "B" },
    { originalUriBaseIds: { B: { uri: "lib/", uriBaseId: "A" }, A: { uri: "src/" } } },
    "src/lib/a.c",
  ],
  [
    "an absolute base leaves the path as the tree knows it",
    { uri: "a.c", uriBaseId: "B" },
    { originalUriBaseIds: { B: { uri: "lib/", uriBaseId: "A" }, A: { uri: "file:///home/ci/" } } },
    "lib/a.c",
  ],
  [
    "bases in a circle end",
    { uri: "a.c", uriBaseId: "A" },
    { originalUriBaseIds: { A: { uriBaseId: "B" }, B: { uriBaseId: "A" } } },
    "a.c",
  ],
  [
    "a base that is no address",
    { uri: "a.c", uriBaseId: "A" },
    { originalUriBaseIds: { A: { uri: "::::::/" } } },
    "a.c",
  ],
  ["a file address", { uri: "file:///C:/x/a.c" }, {}, "C:/x/a.c"],
  ["a file address with a host", { uri: "file://host/share/a.c" }, {}, "//host/share/a.c"],
  ["an empty address", { uri: "" }, {}, null],
  ["an inherited name as base", { uri: "a.c", uriBaseId: "constructor" }, { originalUriBaseIds: {} }, "a.c"],
];
for (const [words, artifactLocation, run, path] of PATHS) {
  test(`path: ${words}`, () => assert.equal(one(located({ artifactLocation }), run).path, path));
}

test("an absolute base is kept beside the path, for a workspace that lies there", () => {
  const run = { originalUriBaseIds: { R: { uri: "file:///home/ci/shop/" } } };
  const found = one(located({ artifactLocation: { uri: "src/a.c", uriBaseId: "R" } }), run);
  assert.equal(found.extra["absolutePath"], "/home/ci/shop/src/a.c");
});

const REGIONS: readonly [words: string, region: object, span: readonly (number | null)[]][] = [
  ["all four", { startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 }, [1, 3, 2, 4]],
  ["a line alone", { startLine: 5 }, [5, null, null, null]],
  ["line 0 is the file", { startLine: 0, endLine: 0 }, [null, null, null, null]],
  ["line -1 is the file", { startLine: -1 }, [null, null, null, null]],
  ["column -1 is no column", { startLine: 8, startColumn: -1 }, [8, null, null, null]],
  ["reversed lines are turned round", { startLine: 9, endLine: 4 }, [4, 9, null, null]],
  ["reversed columns are turned round", { startLine: 9, startColumn: 7, endColumn: 3 }, [9, null, 3, 7]],
  ["a fraction is no line", { startLine: 1.5 }, [null, null, null, null]],
  ["a text is no line", { startLine: "4" }, [null, null, null, null]],
];
for (const [words, region, [line, endLine, column, endColumn]] of REGIONS) {
  test(`region: ${words}`, () => {
    const { span } = one(located({ artifactLocation: { uri: "a.c" }, region }));
    assert.deepEqual(span, { line, endLine, column, endColumn });
  });
}

test("offsets are kept until the text is at hand", () => {
  const found = sample("clang-tidy-char-offset", 1);
  assert.deepEqual(found.extra["offsets"], { charOffset: 60, charLength: null, byteOffset: null, byteLength: null });
  assert.equal(found.span.line, null);
});

test("flows: all threads, steps by index into the run, in order", () => {
  const [flow] = sample("semgrep-taint-flow", 1).flows;
  assert.equal(flow?.length, 3);
  assert.deepEqual(
    sample("gcc-analyzer-codeflow", 0).flows[0]?.map(({ span }) => span.line),
    [10, 11, 12],
  );
  const shared = readSample("sarif/fortify-taxa-threadflow-index.sarif").claimed.flatMap(({ flows }) => flows.flat());
  assert.ok(shared.some(({ message: text }) => text === "Download(0)"));
});

test("further locations and related locations become related places", () => {
  const found = one({
    message,
    locations: [place("a.c"), place("b.c")],
    relatedLocations: [{ ...place("c.c"), message: { text: "source" } }],
  });
  assert.deepEqual(
    found.related.map(({ path, message: text }) => [path, text]),
    [
      ["b.c", ""],
      ["c.c", "source"],
    ],
  );
});

test("suppressions: one accepted or unqualified suppression hides; rejected and still reviewed ones do not", () => {
  const { claimed } = readSample("sarif/suppressions.sarif");
  assert.deepEqual(
    claimed.map(({ status }) => status),
    ["open", "suppressed", "suppressed", "open", "suppressed", "open", "suppressed", "suppressed", "open"],
  );
});

const STATUSES: readonly [object, string][] = [
  [{ suppressions: null }, "open"],
  [{ suppressions: [] }, "open"],
  [{ suppressions: [null] }, "open"],
  [{ baselineState: "absent" }, "absent"],
  [{ baselineState: "unchanged" }, "open"],
  [{ kind: "pass" }, "pass"],
  [{ kind: "notApplicable" }, "pass"],
  [{ kind: "open" }, "open"],
];
for (const [result, status] of STATUSES) {
  test(`status of ${JSON.stringify(result)} is ${status}`, () =>
    assert.equal(one({ message, ...result }).status, status));
}

test("CWE numbers come from tags, taxa, relationships and the id", () => {
  assert.deepEqual(sample("semgrep-taint-flow", 1).cwe, ["CWE-89"]);
  assert.deepEqual(sample("codeql-python-flows", 0).cwe, ["CWE-89"]);
  assert.deepEqual(sample("gcc-analyzer-codeflow", 0).cwe, ["CWE-415"]);
  assert.ok(sample("gosec-taxonomies", 0).cwe.length > 0);
});

test("fingerprints of both kinds are kept; the result's guid is the source's id", () => {
  const found = one({ message, guid: "g-1", fingerprints: { a: "1" }, partialFingerprints: { a: "2", b: "3", c: 4 } });
  assert.deepEqual(found.fingerprints, { a: "1", "partial/a": "2", b: "3" });
  assert.equal(found.sourceId, "g-1");
});

test("the reviewed revision, quote, fix, rank and web request of an AI review are read", () => {
  const { claimed, revision } = readSample("sarif/ai-analyzer-webrequest.sarif");
  const [found] = claimed;
  assert.equal(revision, "a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6a1b2");
  assert.match(found?.quote ?? "", /subprocess\.run\(command, shell=True/);
  assert.match(found?.fix ?? "", /^Allowlist valid commands/);
  assert.deepEqual([found?.extra["rank"], found?.extra["symbol"]], [92.5, "handler::execute_job"]);
  assert.ok(found?.extra["webRequest"]);
});

test("rank is no confidence: only a confidence the source gives is one", () => {
  assert.equal(one({ message, rank: 90 }).finderConfidence, null);
  assert.equal(one({ message, properties: { confidence: 0.8 } }).finderConfidence, 80);
  assert.equal(one({ message, properties: { confidence: 75 } }).finderConfidence, 75);
});

test("a run without a tool, and results without message or location, are still findings", () => {
  const { claimed } = read({ results: [{ ruleId: "r" }, { message }, located({ artifactLocation: { uri: "a.c" } })] });
  assert.deepEqual(
    claimed.map((found) => [found.tool, found.message, found.path]),
    [
      ["unknown tool", "r", null],
      ["unknown tool", "m", null],
      ["unknown tool", "m", "a.c"],
    ],
  );
});

test("SARIF 1.0.0 and the 2.0.0 drafts are raised to 2.1.0", () => {
  assert.deepEqual(
    [sample("sarif-v1-pylint", 0).tool, sample("sarif-v1-pylint", 0).rule],
    ["Pylint", "C0301(line-too-long)"],
  );
  const draft = sample("sarif-v2beta-bom", 0);
  assert.deepEqual(
    [draft.tool, draft.status, draft.message],
    ["CodeScanner", "suppressed", "A variable was used without being initialized."],
  );
});

test("a log is known by its content: by version and runs, by results alone, or by its schema", () => {
  for (const log of [
    { version: "2.1.0", runs: [] },
    { runs: [{ results: [] }] },
    { $schema: "x/sarif-2.1.0.json", runs: [] },
  ]) {
    assert.equal(readReview(JSON.stringify(log), "notes.txt").format, "sarif");
  }
  assert.equal(readReview('{"runs":[{"name":"ci"}]}', "a.sarif").format, "none");
});

test("10,000 results with 1,000 rules are read in linear time", () => {
  const rules = Array.from({ length: 1000 }, (_, n) => ({ id: `rule/${n}`, help: { text: "h" } }));
  const results = Array.from({ length: 10_000 }, (_, n) => ({
    ruleId: `rule/${n % 1000}/sub`,
    message: { text: "[".repeat(50) },
  }));
  const started = performance.now();
  const { claimed } = read({ tool: { driver: { name: "T", rules } }, results });
  assert.equal(claimed.length, 10_000);
  assert.equal(claimed[1234]?.help, "h");
  assert.ok(performance.now() - started < 5000);
});
