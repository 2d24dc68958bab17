import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import * as query from "../../src/protocol/query.ts";
import type { PanelStateResult } from "../../src/protocol/worker.ts";
import { copyDemo, type DemoCopy, startWorker, type WorkerHandle } from "../support/workerProcess.ts";

async function inDemo(
  prepare: (demo: DemoCopy) => Promise<void>,
  work: (worker: WorkerHandle, demo: DemoCopy) => Promise<void>,
): Promise<void> {
  const demo = await copyDemo();
  await prepare(demo);
  const worker = await startWorker(demo);
  try {
    await work(worker, demo);
  } finally {
    await worker.stop();
    await demo.remove();
  }
}

const nothing = async (): Promise<void> => await Promise.resolve();

async function groups(
  worker: WorkerHandle,
  groupBy: query.Grouping,
  wanted: Partial<query.FindingsQuery> = {},
): Promise<query.ListGroupsResult> {
  return await worker.connection.sendRequest(query.listGroups, {
    query: { ...query.SHOW_ALL, ...wanted },
    groupBy,
    offset: 0,
    limit: 1000,
  });
}

async function rows(
  worker: WorkerHandle,
  wanted: Partial<query.FindingsQuery>,
  group: string | null = null,
): Promise<query.ListRowsResult> {
  return await worker.connection.sendRequest(query.listRows, {
    query: { ...query.SHOW_ALL, ...wanted },
    groupBy: "file",
    group,
    offset: 0,
    limit: 1000,
  });
}

test("the view groups by file, severity, tool, rule and state, worst first, with counts", async () => {
  await inDemo(nothing, async (worker) => {
    const byFile = await groups(worker, "file");
    assert.deepEqual(
      byFile.groups.map(({ id, total }) => `${id} ${total}`),
      [
        "src/checkout.ts 2",
        "src/config.ts 1",
        "src/courier.ts 1",
        "src/labels.ts 1",
        "src/routes.ts 1",
        "src/store.ts 2",
      ],
    );
    assert.deepEqual(byFile.groups[0]?.bySeverity, { P0: 1, P1: 1, P2: 0, Nit: 0 });
    assert.deepEqual(
      (await groups(worker, "severity")).groups.map(({ id, total }) => [id, total]),
      [
        ["P0", 1],
        ["P1", 7],
      ],
    );
    assert.deepEqual((await groups(worker, "tool")).groups.map(({ id }) => id).sort(), [
      "Semgrep OSS",
      "gitleaks",
      "review",
    ]);
    assert.equal((await groups(worker, "rule")).groups.find(({ id }) => id === "aws-access-token")?.total, 1);
    assert.deepEqual(
      (await groups(worker, "state")).groups.map(({ id, total }) => [id, total]),
      [["new", 8]],
    );
    assert.deepEqual(
      (await groups(worker, "tool")).groups
        .map(({ id, total }) => `${id} ${total}`)
        .filter((text) => /review/.test(text)),
      ["review 5"],
    );
  });
});

test("filters narrow what is shown and leave the total alone; every condition counts", async () => {
  await inDemo(nothing, async (worker) => {
    const shown = async (wanted: Partial<query.FindingsQuery>): Promise<string[]> =>
      (await rows(worker, wanted)).rows.map(({ title }) => title.slice(0, 12));
    assert.deepEqual(await shown({ text: "QUANTITY negative" }), ["A negative q", "A negative q"]);
    assert.deepEqual(await shown({ text: "quantity nothing-like-it" }), []);
    assert.deepEqual(await shown({ severities: ["P0"] }), ["A negative q"]);
    assert.deepEqual(await shown({ tools: ["gitleaks"] }), ["An access ke"]);
    assert.deepEqual(await shown({ rules: ["javascript.sql-concatenation"] }), ["The paramete"]);
    assert.deepEqual(await shown({ path: "LABELS" }), ["The request "]);
    assert.deepEqual(await shown({ path: "src/{c,s}*.ts", severities: ["P1"], text: "page" }), ["For page 0 t"]);
    const filtered = await groups(worker, "file", { text: "quantity" });
    assert.deepEqual([filtered.shown, filtered.total], [2, 8]);
  });
});

test("the counts of the severities leave out the condition on severities, and no other", async () => {
  await inDemo(nothing, async (worker) => {
    const { shown, bySeverity } = await groups(worker, "file", { text: "quantity", severities: ["P0"] });
    assert.deepEqual([shown, bySeverity], [1, { P0: 1, P1: 1, P2: 0, Nit: 0 }]);
  });
});

test("states can be filtered: what waits for me, what is dismissed; counts stay true", async () => {
  await inDemo(nothing, async (worker) => {
    const { key } = await worker.row("is not imported");
    await worker.triage({ kind: "keys", keys: [key] });
    assert.deepEqual(
      (await rows(worker, { waiting: true })).rows.map((row) => row.key),
      [key],
    );
    assert.equal((await groups(worker, "file")).waiting, 1);
    assert.deepEqual((await groups(worker, "state")).groups.map(({ id }) => id).sort(), ["new", "proposed"]);
    await worker.decide({ key, decision: "dismiss", reason: "It is imported.", prompt: "Dismiss?" });
    assert.equal((await rows(worker, {})).total, 7);
    assert.equal((await rows(worker, { dismissed: true })).total, 8);
    assert.deepEqual(
      (await rows(worker, { dismissed: true, states: ["decided"] })).rows.map((row) => row.key),
      [key],
    );
    const { total, waiting } = await groups(worker, "file");
    assert.deepEqual([total, waiting], [8, 0]);
  });
});

test("without a git repository 'changed files only' shows all and says why", async () => {
  await inDemo(nothing, async (worker) => {
    const all = await groups(worker, "file", { changedOnly: true });
    assert.equal(all.shown, 8);
    assert.match(all.note ?? "", /no git repository/);
  });
});

test("next and previous go through the files in the view's order and wrap around; untriaged only when asked", async () => {
  await inDemo(nothing, async (worker, demo) => {
    const next = async (
      from: query.NextFindingParams["from"],
      direction: "next" | "previous",
      untriaged = false,
    ): Promise<string> => {
      const { found }: query.NextFindingResult = await worker.connection.sendRequest(query.nextFinding, {
        query: query.SHOW_ALL,
        groupBy: "file",
        from,
        direction,
        untriaged,
      });
      return `${found?.row.file}:${found?.row.line}`;
    };
    assert.equal(await next(null, "next"), "src/checkout.ts:13");
    const at = (file: string, line: number): { path: string; line: number } => ({
      path: path.join(demo.root, file),
      line,
    });
    assert.equal(await next(at("src/config.ts", 6), "next"), "src/courier.ts:6");
    assert.equal(await next(at("src/config.ts", 1), "next"), "src/config.ts:6");
    assert.equal(await next(at("src/config.ts", 6), "previous"), "src/checkout.ts:11");
    assert.equal(await next(at("src/store.ts", 22), "next"), "src/checkout.ts:13");
    const { key } = await worker.row("Five retries");
    await worker.triage({ kind: "keys", keys: [key] });
    assert.equal(await next(at("src/config.ts", 6), "next", true), "src/labels.ts:7");
  });
});

test("the walk goes the way of the view's groups, and says where in them a finding stands", async () => {
  await inDemo(nothing, async (worker) => {
    const walk = async (groupBy: query.Grouping, wanted: Partial<query.FindingsQuery> = {}): Promise<string[]> => {
      const seen: string[] = [];
      for (let from: query.NextFindingParams["from"] = null; ;) {
        const { found, shown }: query.NextFindingResult = await worker.connection.sendRequest(query.nextFinding, {
          query: { ...query.SHOW_ALL, ...wanted },
          groupBy,
          from,
          direction: "next",
          untriaged: false,
        });
        if (found === null) return seen;
        seen.push(`${found.position} of ${shown}: ${found.group} ${found.inGroup}`);
        if (found.position === shown - 1) return seen;
        from = { key: found.row.key };
      }
    };
    assert.deepEqual(await walk("tool"), [
      "0 of 8: review 0",
      "1 of 8: review 1",
      "2 of 8: review 2",
      "3 of 8: review 3",
      "4 of 8: review 4",
      "5 of 8: Semgrep OSS 0",
      "6 of 8: Semgrep OSS 1",
      "7 of 8: gitleaks 0",
    ]);
    assert.deepEqual(await walk("severity", { tools: ["review"], path: "checkout" }), ["0 of 2: P0 0", "1 of 2: P1 0"]);
    assert.deepEqual(await walk("file", { text: "nothing like it" }), []);
  });
});

test("two tools on one line are shown together with their own verdicts, and another defect there stays apart (C18, ruling 11)", async () => {
  const result = (line: number, text: string, tags: string): unknown => ({
    ruleId: tags,
    message: { text },
    properties: { tags: [tags] },
    locations: [{ physicalLocation: { artifactLocation: { uri: "src/money.ts" }, region: { startLine: line } } }],
  });
  const log = (name: string, results: readonly unknown[]): string =>
    JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name } }, results }] });
  await inDemo(
    async (demo) => {
      const first = [result(7, "Rounding drops half a cent", "CWE-682"), result(7, "A secret name leaks", "CWE-200")];
      await writeFile(path.join(demo.root, "reviews/one.sarif"), log("One", first));
      await writeFile(
        path.join(demo.root, "reviews/two.sarif"),
        log("Two", [result(7, "The sum may be off", "CWE-682")]),
      );
    },
    async (worker) => {
      const one = await worker.row("Rounding");
      const two = await worker.row("The sum");
      const apart = await worker.row("A secret");
      const before = await worker.state(one.key);
      assert.deepEqual([before.alikeCount, before.conflict], [1, false]);
      assert.deepEqual(before.alike, [
        {
          key: two.key,
          title: "The sum may be off",
          tool: "Two",
          summary: `${two.severity} · not triaged`,
          verdict: null,
        },
      ]);
      assert.deepEqual((await worker.state(apart.key)).alike, []);
      await worker.decide({ key: two.key, decision: "dismiss", reason: "sums are whole cents" });
      assert.deepEqual((await worker.state(one.key)).state, "new", "no verdict passes to the other");
      await worker.decide({ key: one.key, decision: "confirm" });
      const after = await worker.state(one.key);
      assert.deepEqual(
        [after.decision?.decision, after.alike[0]?.verdict, after.conflict],
        ["confirmed", "INVALID", true],
      );
      assert.deepEqual(
        (await worker.state(two.key)).alike.map(({ verdict }) => verdict),
        ["VALID"],
      );
    },
  );
});

test("a large log is answered while it is read, keeps its flows on disk, and one broken result costs no other", async () => {
  const COUNT = 40_000;
  await inDemo(
    async (demo) => {
      const results = Array.from({ length: COUNT }, (_unused, index) => JSON.stringify(largeResult(index)));
      results[5] = "17";
      const text = `{"version":"2.1.0","runs":[{"results":[${results.join(",")}],"tool":{"driver":{"name":"Large"}}}]}`;
      assert.ok(text.length > 8 * 1024 * 1024);
      await writeFile(path.join(demo.root, "reviews/large.sarif"), text);
    },
    async (worker, demo) => {
      const early = await groups(worker, "tool");
      assert.ok(early.total > 0);
      for (let tries = 0; tries < 200 && (await groups(worker, "tool")).reading; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      const done = await groups(worker, "tool");
      assert.deepEqual([done.reading, done.total], [false, COUNT - 1 + 8]);
      assert.deepEqual(
        done.unread.map(({ pointer }) => pointer),
        ["/runs/0/results/5"],
      );
      assert.equal(done.unreadCount, 1);
      const page: query.ListRowsResult = await worker.connection.sendRequest(query.listRows, {
        query: { ...query.SHOW_ALL, text: "number 39999 of" },
        groupBy: "file",
        group: null,
        offset: 0,
        limit: 10,
      });
      assert.equal(page.total, 1);
      const state: PanelStateResult = await worker.connection.sendRequest("skepticalTriage/panelState", {
        key: page.rows[0]?.key ?? "",
      });
      assert.deepEqual(
        state?.finding.flows[0]?.map(({ message }) => message),
        ["first of 39999", "second of 39999"],
      );
      assert.equal(page.rows[0]?.absolute, path.join(demo.root, "src/money.ts"));
    },
  );
});

function largeResult(index: number): unknown {
  const location = {
    physicalLocation: { artifactLocation: { uri: "src/money.ts" }, region: { startLine: 1 + (index % 10) } },
  };
  const step = (text: string): unknown => ({ location: { ...location, message: { text } } });
  return {
    ruleId: `rule-${index % 7}`,
    message: { text: `Finding number ${index} of many` },
    locations: [location],
    codeFlows: [{ threadFlows: [{ locations: [step(`first of ${index}`), step(`second of ${index}`)] }] }],
  };
}
