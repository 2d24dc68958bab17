import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import type { Structure } from "../../../src/core/code/structure.ts";
import { createMemoryWorkspace } from "../../support/memoryWorkspace.ts";

const FOLDER = path.join(import.meta.dirname, "../../fixtures/structure");

/** What each fixture holds, written down from reading it: public or not, lines, and who calls what at which line. */
const EXPECTED = {
  "basket.ts": {
    language: "TypeScript",
    functions: [
      "total(items, rounded) 17-30 public",
      "priceOf(item) 32-32 private",
      "Basket.constructor(owner) 37-37 public",
      "Basket.pay(amount, rest) 39-52 public",
      "Basket.#send(amount) 54-56 private",
    ],
    guards: [
      "19 early exit of 22-30: items, length, MAX_ITEMS",
      "19 condition of 19-21: items, length, MAX_ITEMS",
      "22 loop bound of 22-28: i, items, length",
      "23 condition of 23-25 and 26-27: items, i",
      "25 condition of 25-27: rounded",
      "40 assertion of 41-52: assertOpen, owner",
      "41 early exit of 42-52: amount",
      "42 condition of 43-52: amount, LIMIT",
      "47 handler of 43-47",
    ],
    calls: [
      "total -> RangeError:20, priceOf:24, Math.round:29",
      "pay -> assertOpen:40, this.#send:44, report:48",
      "#send -> fetch:55",
    ],
    constants: [
      "MAX_ITEMS = 50 (3)",
      "RETRY_MS = 2 * 1000 (4)",
      "LIMIT = MAX_ITEMS - 1 (5)",
      "Low = 1 (9)",
      "High = 4 (10)",
    ],
    declarations: ["enum Level 8-11", "interface Item 13-15", "class Basket 34-57"],
  },
  "view.tsx": {
    language: "TSX",
    functions: ["Rows(rows, onPick) 7-29 public", "pick(row) 11-16 private", "Empty() 31-31 public"],
    guards: ["12 early exit of 15-16: onPick", "12 condition of 12-14: onPick", "18 early exit of 19-29: rows, length"],
    calls: [
      "Rows -> useState:8, rows.slice:9, shown.map:21, pick:22, setPage:26",
      "pick -> onPick:15",
      "Empty -> Rows:31",
    ],
    constants: ["PAGE_SIZE = 20 (3)"],
    declarations: ["type Props 5-5"],
  },
  "queue.js": {
    language: "JavaScript",
    functions: [
      "push(queue, job, force) 7-21 unknown",
      "run(job) 23-29 unknown",
      "open(path) 32-34 unknown",
      "close(fd) 35-35 unknown",
      "ids(from) 38-44 unknown",
      "log(text) 46-48 unknown",
    ],
    guards: [
      "8 early exit of 9-21: queue",
      "9 early exit of 13-21: queue, length, LIMIT, force",
      "9 condition of 9-12: queue, length, LIMIT, force",
      "14 condition of 14-16",
      "26 handler of 24-26",
      "40 loop bound of 40-43: next, LIMIT",
    ],
    calls: [
      "- -> require:2",
      "push -> Error:8, log:10, queue.push:15, run:18",
      "run -> job.start:25",
      "open -> fs.openSync:33",
      "close -> fs.closeSync:35",
      "log -> console.log:47",
    ],
    constants: ["LIMIT = 8 * 1024 (4)"],
    declarations: [],
  },
  "store.py": {
    language: "Python",
    functions: [
      "Store.__init__(self, path, strict) 14-16 unknown",
      "Store.read(self, key, default) 18-31 unknown",
      "Store._clean(value) 34-37 unknown",
      "check_key(key) 40-42 unknown",
      "drain(stores, args, options) 45-50 unknown",
    ],
    guards: [
      "19 early exit of 21-31: path, exists",
      "19 condition of 20-20: path, exists",
      "23 handler of 22-22",
      "25 assertion of 26-31: len, rows, MAX_ROWS",
      "26 early exit of 31-31: strict",
      "26 condition of 27-28 and 29-30: strict",
      "27 assertion of 28-28: check_key, key",
      "29 early exit of 31-31: key, rows",
      "29 condition of 30-30: key, rows",
      "35 condition of 36-36 and 37-37: value",
      "41 condition of 42-42: key, startswith",
      "46 loop bound of 47-49: range, MAX_ROWS",
      "47 loop bound of 48-49: index, len, stores",
    ],
    calls: [
      "read -> self.path.exists:19, json.loads:22, self.path.read_text:22, KeyError:24, len:25, check_key:27",
      "- -> staticmethod:33",
      "_clean -> value.strip:37",
      "check_key -> key.startswith:41, KeyError:42",
      "drain -> range:46, len:47, ….flush:48, store.read:50",
    ],
    constants: ["MAX_ROWS = 1_000 (5)", "TIMEOUT = 60 * 5 (6)", "LIMIT = 3 (12)"],
    declarations: ["class Store 11-37"],
  },
  "server.go": {
    language: "Go",
    functions: ["Server.Get(id) 25-34 public", "handle(w, r) 36-53 private", "trim(body, at) 55-55 private"],
    guards: [
      "26 early exit of 29-34: id",
      "26 condition of 26-28: id",
      "30 early exit of 33-34: ok",
      "30 condition of 30-32: ok",
      "39 early exit of 42-53: err",
      "39 condition of 39-41: err",
      "42 loop bound of 42-46: i, n",
      "43 condition of 43-45: body, i",
      "48 condition of 48-49",
    ],
    calls: [
      "- -> errors.New:15",
      "Get -> errors.New:27, errors.New:31",
      "handle -> make:37, r.Body.Read:38, panic:40, trim:44, w.WriteHeader:49, w.Write:51",
      "trim -> copy:55",
    ],
    constants: ["MaxBody = 1 << 20 (8)", "Low = 1 (11)", "High = 9 (12)"],
    declarations: ["type Server 17-19", "type Rows 21-23"],
  },
  "Account.java": {
    language: "Java",
    functions: [
      "Account.Account(tries) 13-15 public",
      "Account.toString() 18-20 public",
      "Account.login(names, name) 22-40 private",
      "Account.flush() 42-46 private",
    ],
    guards: [
      "23 early exit of 26-40: tries, MAX_TRIES",
      "23 condition of 23-25: tries, MAX_TRIES",
      "26 assertion of 27-40: name",
      "27 loop bound of 27-31: i, names, size",
      "28 early exit of 31-31: names, get, i, equals, name",
      "28 condition of 28-30: names, get, i, equals, name",
      "34 handler of 32-34",
      "43 loop bound of 43-45: Queue, size",
    ],
    calls: [
      "login -> IllegalStateException:24, names.size:27, ….equals:28, names.get:28, audit.record:33, flush:37",
      "flush -> Queue.size:43, Queue.take:44",
    ],
    constants: ["MAX_TRIES = 3 (6)", "WINDOW = 60L * 1000 (7)"],
    declarations: ["class Account 5-47", "enum Kind 11-11"],
  },
  "ring.c": {
    language: "C",
    functions: ["full(ring) 19-22 private", "ring_put(ring, value) 24-41 public", "ring_new() 43-49 public"],
    guards: [
      "27 early exit of 29-41: ring, NULL",
      "27 condition of 28-28: ring, NULL",
      "29 assertion of 30-41: value",
      "30 early exit of 35-41: full, ring",
      "30 condition of 30-32 and 33-34: full, ring",
      "35 loop bound of 36-36: i, retries",
      "37 loop bound of 37-39: ring, head, RING_MASK",
      "46 early exit of 47-49: ring",
    ],
    calls: ["ring_put -> assert:29, full:30, step:36", "ring_new -> malloc:45, abort:46"],
    constants: [
      "RING_SIZE = 64 (3)",
      "RING_MASK = (RING_SIZE - 1) (4)",
      "MODE_READ = 1 (8)",
      "MODE_WRITE = 2 (8)",
      "retries = 5 (10)",
    ],
    declarations: ["enum mode 8-8", "class ring 12-15"],
  },
  "pool.cpp": {
    language: "C++",
    functions: [
      "Pool.Pool(size) 14-14 unknown",
      "Pool.~Pool() 15-15 unknown",
      "Pool.grow(by) 20-27 unknown",
      "Pool.release() 34-46 unknown",
      "half(value) 50-50 private",
    ],
    guards: [
      "21 early exit of 22-27: by",
      "22 early exit of 25-27: size_, by, POOL_LIMIT",
      "22 condition of 22-24: size_, by, POOL_LIMIT",
      "37 handler of 35-37",
      "40 loop bound of 40-42: i, kGrowth",
    ],
    calls: [
      "~Pool -> release:15",
      "grow -> std.length_error:23",
      "release -> backend_.close:36, log:38, error.what:38, std.free:41, reset:44",
    ],
    constants: ["POOL_LIMIT = 16 (3)", "kGrowth = 2 * 4 (7)", "kLoad = 0.75 (8)", "Fast = 1 (10)", "Safe = 2 (10)"],
    declarations: ["namespace shop 5-48", "enum Mode 10-10", "class Pool 12-32"],
  },
  "Orders.cs": {
    language: "C#",
    functions: [
      "Orders.Orders(owner) 16-16 public",
      "Orders.Add(line, count) 20-41 public",
      "Orders.Trim(text) 43-43 private",
      "Orders.Save(line) 45-53 private",
      "Twice(x) 51-51 private",
    ],
    guards: [
      "22 assertion of 23-41: ArgumentNullException, ThrowIfNull, line",
      "23 early exit of 24-41: count",
      "24 early exit of 28-41: lines, Count, MaxLines",
      "24 condition of 25-27: lines, Count, MaxLines",
      "28 loop bound of 29-31: i, count",
      "36 handler of 33-35",
      "47 loop bound of 48-50: Busy",
    ],
    calls: [
      "Add -> ArgumentNullException.ThrowIfNull:22, ArgumentException:23, lines.Add:30, Save:34",
      "Trim -> text.Trim:43",
      "Save -> Busy:47, Wait:49, store.Write:52, Twice:52",
    ],
    constants: ["MaxLines = 25 (8)", "Window = 60 * 60 (9)", "Open = 1 (12)", "Paid = 3 (12)"],
    declarations: ["class Orders 6-54", "enum State 12-12"],
  },
  "parser.rs": {
    language: "Rust",
    functions: [
      "Parser.new(text) 18-20 public",
      "Parser.parse(self, names) 22-40 public",
      "Parser.step(self, by) 42-47 private",
      "fail(why) 50-52 private",
    ],
    guards: [
      "23 early exit of 26-40: depth, MAX_DEPTH",
      "23 condition of 23-25: depth, MAX_DEPTH",
      "26 assertion of 27-40: text, len",
      "27 early exit of 30-40: names, get, text",
      "27 condition of 27-29: names, get, text",
      "30 loop bound of 30-35: depth, MAX_DEPTH",
      "32 condition of 32-34: found",
      "37 condition of 37-37",
      "38 condition of 38-38: _",
      "43 loop bound of 43-45: by",
    ],
    calls: [
      "parse -> Err:24, ….to_string:24, assert:26, names.get:27, Ok:28, self.step:33, fail:37, Ok:38",
      "step -> visit:44",
      "fail -> Err:51, why.into:51",
    ],
    constants: ["MAX_DEPTH = 32 (3)", "WINDOW_MS = 5 * 1_000 (4)", "Open = 1 (8)", "Close = 2 (9)"],
    declarations: ["enum Token 7-10", "class Parser 12-15"],
  },
  "Mailer.php": {
    language: "PHP",
    functions: [
      "Mailer.__construct(queue) 14-14 public",
      "Mailer.send(to, parts) 16-34 public",
      "Mailer.ping(n) 36-39 private",
      "report(error) 42-48 public",
    ],
    guards: [
      "18 early exit of 21-34: $to",
      "18 condition of 18-20: $to",
      "21 early exit of 22-34: count, $parts, MAX_MAILS",
      "24 handler of 22-24",
      "28 loop bound of 28-32: $i, RETRIES",
      "29 early exit of 32-32: $this, ping, $i",
      "29 condition of 29-31: $this, ping, $i",
      "44 loop bound of 44-46: ob_get_level",
    ],
    calls: [
      "- -> define:7",
      "send -> count:21, LengthException:21, $this->queue.push:23, report:25, $this.ping:29, Queue.flush:33",
      "report -> ob_get_level:44, ob_end_clean:45, error_log:47, $error.getMessage:47",
    ],
    constants: ["MAX_MAILS = 40 (6)", "RETRIES = 3 (7)", "WINDOW = 15 * 60 (11)"],
    declarations: ["class Mailer 9-40"],
  },
  "cart.rb": {
    language: "Ruby",
    functions: [
      "Cart.initialize(owner, lines) 11-14 unknown",
      "Cart.add(line, count) 16-33 unknown",
      "Cart.load(path) 35-42 unknown",
      "Cart.report(error) 46-48 unknown",
    ],
    guards: [
      "17 early exit of 18-32: line",
      "18 early exit of 19-32: count, positive",
      "19 early exit of 22-32: lines, size, MAX_LINES",
      "19 condition of 19-20 and 21-21: lines, size, MAX_LINES",
      "25 handler of 23-24",
      "29 loop bound of 29-31: busy",
      "37 condition of 37-38 and 39-41: text, empty",
    ],
    calls: [
      "- -> require:1, attr_reader:9",
      "add -> line.nil?:17, raise:18, count.positive?:18, lines.size:19, count.times:22, lines.push:22, store.save:24, report:26, sleep:30",
      "load -> File.read:36, text.empty?:37, new:38, from_json:40",
      "report -> warn:47, error.message:47",
    ],
    constants: ["MAX_LINES = 12 (4)", "WINDOW = 60 * 5 (5)"],
    declarations: ["namespace Shop 3-50", "class Cart 8-49"],
  },
} as const;

async function read(file: string, text: string): Promise<Structure> {
  const structure = await createMemoryWorkspace({ [file]: text }).structures.of(file);
  assert.ok(structure !== null);
  return structure;
}

const REACH = new Map<boolean | null, string>([
  [true, "public"],
  [false, "private"],
  [null, "unknown"],
]);

/** A structure in the words of the table. */
function inWords({ language, functions, guards, calls, constants, declarations }: Structure) {
  const byCaller = new Map<string, string[]>();
  for (const { name, receiver, line, within } of calls) {
    const caller = within?.name ?? "-";
    byCaller.set(caller, [
      ...(byCaller.get(caller) ?? []),
      `${receiver === null ? "" : `${receiver}.`}${name}:${line}`,
    ]);
  }
  return {
    language,
    functions: functions.map(
      (span) =>
        `${span.owner === null ? "" : `${span.owner}.`}${span.name}(${span.parameters.join(", ")}) ${span.line}-${span.endLine} ${REACH.get(span.public)}`,
    ),
    guards: guards.map(
      ({ line, kind, protects, names }) =>
        `${line} ${kind} of ${protects.map((lines) => `${lines.line}-${lines.endLine}`).join(" and ")}${names.length > 0 ? `: ${names.join(", ")}` : ""}`,
    ),
    calls: [...byCaller].map(([caller, callees]) => `${caller} -> ${callees.join(", ")}`),
    constants: constants.map(({ name, value, line }) => `${name} = ${value} (${line})`),
    declarations: declarations.map(({ kind, name, line, endLine }) => `${kind} ${name} ${line}-${endLine}`),
  };
}

for (const [file, expected] of Object.entries(EXPECTED)) {
  const text = readFileSync(path.join(FOLDER, file), "utf8");
  test(`syntax: functions, guards, calls, constants and declarations of ${expected.language}`, async () => {
    const structure = await read(file, text);
    assert.deepEqual([structure.reader, structure.why, structure.sound, structure.broken], ["grammar", null, true, []]);
    assert.deepEqual(inWords(structure), expected);
  });

  test(`syntax: ${expected.language} with Windows line ends and a byte order mark is read the same`, async () => {
    const windows = await read(file, `\uFEFF${text.replaceAll("\n", "\r\n")}`);
    assert.deepEqual(inWords(windows), expected);
  });

  test(`syntax: no text of a string of ${expected.language} gets into its structure, it may be a secret`, async () => {
    const { imports, ...rest } = await read(file, text);
    assert.ok(imports.every(({ specifier }) => text.includes(specifier)));
    assert.doesNotMatch(JSON.stringify(rest), /not-for-anyone|too many|locked|no queue|nobody/);
  });

  test(`syntax: a file of ${expected.language} that ends too early is not sound, and keeps what comes before`, async () => {
    const end = text.lastIndexOf({ Python: ")", Ruby: "end" }[expected.language as string] ?? "}");
    const structure = await read(file, text.slice(0, end));
    assert.equal(structure.sound, false);
    const [first] = structure.functions;
    assert.equal(
      `${first?.name} ${first?.line}-${first?.endLine}`,
      expected.functions[0].replace(/^.*?(\w+)\(.*\) (\S+) .*$/, "$1 $2"),
    );
  });
}
