import { PLAIN_OUTCOME } from "./asked.ts";
import { UNJUDGED } from "../../src/core/judgement.ts";
import type { CheckResult, Receipt } from "../../src/core/check.ts";
import type { Pack, Piece } from "../../src/core/evidence/pack.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { CheckedCitation, Round, Ruling, Vote } from "../../src/core/round.ts";
import type { LineView, PanelAction, PanelState, Permit } from "../../src/protocol/panel.ts";

// States as the worker would send them. The code in them is invented.

const ok: Permit = { allowed: true };
const no = (why: string): Permit => ({ allowed: false, why });

/** Permits with some taken away: the reason for each action that is not allowed. */
export function permits(held: Partial<Record<PanelAction, string>>): PanelState["permits"] {
  const one = (action: PanelAction): Permit => (held[action] === undefined ? ok : no(held[action]));
  return {
    triage: one("triage"),
    cancel: one("cancel"),
    confirm: one("confirm"),
    dismiss: one("dismiss"),
    reopen: one("reopen"),
  };
}

const NOT_RUNNING = "Nothing is running.";
const NOT_DECIDED = "It is not decided.";
const idle = { cancel: NOT_RUNNING, reopen: NOT_DECIDED };

const quoteLine = '  const rows = await db.query("SELECT * FROM orders WHERE id = " + id);';

/** A SARIF finding at P1 with an exact place. */
export const finding: Finding = {
  key: "f-orders-1",
  sourceId: null,
  severity: "P1",
  sourceSeverity: { scale: "sarif", value: "error" },
  tool: "Semgrep OSS",
  rule: "typescript.sql-injection.concat",
  message:
    "The order id from the request is concatenated into an SQL statement; a caller can read other customers' orders.",
  category: "security",
  status: "open",
  quote: quoteLine,
  fix: null,
  help: "Use a parameterised query.",
  helpUri: "https://rules.example/sql-injection",
  cwe: ["CWE-89"],
  finderConfidence: 80,
  fingerprints: {},
  related: [
    {
      path: "src/http/orders.ts",
      span: { line: 18, endLine: 18, column: 3, endColumn: 20 },
      message: "the request enters here",
    },
  ],
  flows: [],
  prose: false,
  extra: {},
  place: {
    status: "exact",
    file: "src/store/orders.ts",
    line: 42,
    endLine: 42,
    column: 3,
    endColumn: 70,
    note: null,
    cited: { line: 42, endLine: 42, column: 3, endColumn: 70 },
  },
  citedPath: "src/store/orders.ts",
  hard: null,
  cluster: null,
  gate: null,
  source: { path: "reviews/semgrep.sarif", pointer: "/runs/0/results/3" },
};

export const excerpt: PanelState["excerpt"] = [
  { line: 39, text: "/** One order by its id. */", flagged: false },
  { line: 40, text: "export async function findOrder(raw: string): Promise<Order | null> {", flagged: false },
  { line: 41, text: "  const id = parseOrderId(raw);", flagged: false },
  { line: 42, text: quoteLine, flagged: true },
  { line: 43, text: "  return rows[0] ?? null;", flagged: false },
  { line: 44, text: "}", flagged: false },
];

const cite = (file: string, line: number, shown: string, rest: Partial<CheckedCitation> = {}): CheckedCitation => ({
  file,
  line,
  endLine: line,
  quote: shown,
  ok: true,
  shown,
  note: null,
  ...rest,
});

export const checks: readonly CheckResult[] = [
  {
    check: "place",
    atom: null,
    verdict: "confirmed",
    text: "The file and the line exist, and the quoted text stands there.",
    citations: [],
    receipts: ["r1"],
  },
  {
    check: "guard on the way",
    atom: {
      id: 0,
      kind: "behaviour",
      claimClass: 3,
      text: "a caller can read other customers' orders",
      weight: true,
      subject: "findOrder",
    },
    verdict: "unknown",
    text: "A guard stands before the statement, but whether it bounds the value cannot be told from its name.",
    citations: [cite("src/store/orders.ts", 41, "  const id = parseOrderId(raw);")],
    receipts: ["r2"],
  },
];

export const receipts: readonly Receipt[] = [
  {
    id: "r1",
    verb: "read",
    argv: ["src/store/orders.ts", "1-60"],
    cwd: "",
    exitCode: 0,
    durationMs: 3,
    outputHash: "9f2c1d7e0b4a55aa9f2c1d7e0b4a55aa9f2c1d7e0b4a55aa9f2c1d7e0b4a55aa",
    truncated: false,
    lines: [quoteLine],
    by: "check",
  },
  {
    id: "r2",
    verb: "search",
    argv: ["parseOrderId\\(", "--glob", "src/**/*.ts", "with blank"],
    cwd: "",
    exitCode: 0,
    durationMs: 1240,
    outputHash: "0011223344556677889900112233445566778899001122334455667788990011",
    truncated: true,
    lines: [
      "src/store/ids.ts:7:export function parseOrderId(raw: string): number {",
      "src/store/orders.ts:41:  const id = parseOrderId(raw);",
    ],
    by: "round-2",
  },
];

const piece = (kind: Piece["kind"], file: string, line: number, text: readonly string[], why: string): Piece => ({
  kind,
  file,
  line,
  endLine: line + text.length - 1,
  why,
  text,
  tokens: 12 * text.length,
});

/** What bears on the finding: two stretches besides the flagged one, one duty that could not be met. */
export const pack: Pack = {
  pieces: [
    piece(
      "flagged",
      "src/store/orders.ts",
      40,
      excerpt.slice(1).map(({ text }) => text),
      "the function findOrder",
    ),
    piece(
      "callee",
      "src/store/ids.ts",
      7,
      [
        "export function parseOrderId(raw: string): number {",
        "  if (!/^\\d{1,12}$/.test(raw)) throw new BadId(raw);",
        "  return Number(raw);",
        "}",
      ],
      "parseOrderId is used here",
    ),
    piece(
      "caller",
      "src/http/orders.ts",
      17,
      ["  // the route is public", "  const order = await findOrder(request.params.id);"],
      "calls findOrder",
    ),
    piece("test", "test/orders.test.ts", 5, ["test('finds an order', async () => {"], "a test uses it"),
  ],
  tokens: 420,
  cut: ["src/http/admin.ts:40-90 (calls findOrder)"],
  duties: [
    { id: "place", met: true, text: "src/store/orders.ts was read whole." },
    { id: "function", met: true, text: "The function findOrder was parsed." },
    { id: "callers", met: false, text: "Of the uses of findOrder only the first 12 were looked at." },
  ],
};

const round1: Round = {
  kind: "counted",
  n: 1,
  question: "premise",
  verdict: "VALID",
  stated: "VALID",
  crux: "The id reaches findOrder from the request without a check in the handler.",
  reasoning:
    "The handler takes request.params.id and hands it to findOrder.\n\nNothing between the two looks at the value, so anyone who can call the route chooses it.",
  citations: [cite("src/http/orders.ts", 18, "  const order = await findOrder(request.params.id);")],
  grepUsed: null,
  note: null,
};

const round2: Round = {
  kind: "counted",
  n: 2,
  question: "defences",
  verdict: "INVALID",
  stated: "INVALID",
  crux: "parseOrderId turns the text into a safe integer and throws on anything else.",
  reasoning: "The only caller of db.query in this file passes the result of parseOrderId, which accepts digits only.",
  citations: [
    cite("src/store/ids.ts", 8, "  if (!/^\\d{1,12}$/.test(raw)) throw new BadId(raw);", {
      note: "found at line 8, cited at 7",
    }),
    cite("src/store/orders.ts", 41, "  const id = parseOrderId(raw);"),
  ],
  grepUsed: true,
  note: null,
};

const round3: Round = {
  kind: "counted",
  n: 3,
  question: "missed",
  verdict: "VALID",
  stated: "VALID",
  crux: "An import script calls the same statement builder with unparsed text.",
  reasoning:
    "scripts/import.ts builds its own statement in the same way; whether it runs in production is not visible here.",
  citations: [
    cite("scripts/import.ts", 9, "", {
      ok: false,
      quote: "db.query(text + id)",
      note: "The file does not hold this text.",
    }),
  ],
  grepUsed: null,
  note: null,
};

const ruling: Ruling = {
  verdict: "INVALID",
  crux: "The value that reaches the statement is always an integer: parseOrderId throws on anything but digits.",
  reasoning:
    "Round 1 shows the way in, but round 2 shows the line that closes it. Round 3 names a line that is not in the file.",
  citations: [cite("src/store/ids.ts", 8, "  if (!/^\\d{1,12}$/.test(raw)) throw new BadId(raw);")],
  overrideRejected: false,
  reason: null,
};

const vote: Vote = { counted: 3, valid: 2, invalid: 1, uncertain: 0, validShare: 2 / 3, unanimous: null, dropped: [] };

/** Nothing has run. */
export const untriaged: PanelState = {
  finding,
  excerpt,
  state: "new",
  staleReason: null,
  stage: null,
  reviewer: null,
  pack,
  checks: [],
  ...UNJUDGED,
  refutation: null,
  opinion: null,
  outcome: null,
  receipts: [],
  receiptsLeft: 0,
  lines: [],
  reproduction: null,
  decision: null,
  permits: permits(idle),
  dismissNeedsModal: true,
  clusterSize: 1,
  alike: [],
  alikeCount: 0,
  conflict: false,
  cost: { calls: 0, prompt: 0, completion: 0 },
  ledger: [],
  notice: null,
  streak: { run: 0, warned: false },
  otherModel: null,
};

const BUSY = "Wait until the triage has finished, or cancel it.";
const busy = permits({ triage: BUSY, confirm: BUSY, dismiss: BUSY, reopen: NOT_DECIDED });
const reviewer = "review-large at models.example";

/** The checks are running. */
export const runningChecks: PanelState = {
  ...untriaged,
  state: "running",
  stage: { kind: "checks" },
  reviewer,
  permits: busy,
};

/** Round 1 is running. */
export const running1: PanelState = {
  ...runningChecks,
  stage: { kind: "round", n: 1 },
  checks,
  receipts: receipts.slice(0, 1),
};

/** Round 1 is in, round 2 is running. */
export const running2: PanelState = {
  ...running1,
  stage: { kind: "round", n: 2 },
  rounds: [round1],
  cost: { calls: 1, prompt: 2100, completion: 160 },
};

/** Two rounds are in. */
export const running3: PanelState = { ...running2, stage: { kind: "round", n: 3 }, rounds: [round1, round2], receipts };

/** All rounds are in, the arbiter is running. */
export const runningArbiter: PanelState = {
  ...running3,
  stage: { kind: "arbiter" },
  rounds: [round1, round2, round3],
  vote,
};

/** The arbiter overrules the vote on a P1: a dismissal is proposed. */
export const proposed: PanelState = {
  ...runningArbiter,
  state: "proposed",
  stage: null,
  ruling,
  outcome: {
    ...PLAIN_OUTCOME,
    action: "filter",
    severity: "P1",
    authorization: "human-required",
    settledAs: null,
    proposesDismissal: true,
    because: [
      { rule: "R0.20", text: "The arbiter calls it a false alarm: the value is always an integer." },
      { rule: "R0.22", text: "The arbiter disagrees with the rounds: 2 of 3 say real." },
      { rule: "C4", text: "P1 is closed only by a person. No second opinion yet." },
    ],
    next: "P1: a false alarm needs your confirmation.",
  },
  permits: permits(idle),
  cost: { calls: 5, prompt: 18_240, completion: 1_312 },
};

/** The arbiter tried to flip a unanimous vote without new evidence. */
export const overrideRejected: PanelState = {
  ...proposed,
  state: "new",
  rounds: [round1, { ...round2, verdict: "VALID", stated: "VALID" }, round3],
  vote: { ...vote, valid: 3, invalid: 0, validShare: 1, unanimous: "VALID" },
  ruling: { ...ruling, verdict: "VALID", overrideRejected: true },
  outcome: {
    ...PLAIN_OUTCOME,
    action: "keep",
    severity: "P1",
    authorization: "none",
    settledAs: null,
    proposesDismissal: false,
    because: [
      { rule: "C14", text: "All rounds agree, and overruling them took a new line that resolves: the vote stands." },
    ],
    next: "It stands: fix it.",
  },
};

/** One round abstained, one could not prove its INVALID, the arbiter could not decide. */
export const needsHuman: PanelState = {
  ...proposed,
  state: "new",
  rounds: [
    round1,
    {
      ...round2,
      verdict: "UNCERTAIN",
      citations: [],
      note: "A false alarm needs a cited line that resolves; it gave none.",
    },
    { kind: "abstained", n: 3, question: "missed", reason: "the model answered with broken JSON twice" },
  ],
  vote: {
    counted: 2,
    valid: 1,
    invalid: 0,
    uncertain: 1,
    validShare: 0.5,
    unanimous: null,
    dropped: ["round 3: broken JSON"],
  },
  ruling: {
    verdict: null,
    crux: "",
    reasoning: "",
    citations: [],
    overrideRejected: false,
    reason: "It said it could not tell, twice.",
  },
  outcome: {
    ...PLAIN_OUTCOME,
    action: "needs-human",
    severity: "P1",
    authorization: "none",
    settledAs: null,
    proposesDismissal: false,
    because: [{ rule: "R0.21", text: "The arbiter did not decide." }],
    next: "Nobody could decide it from the evidence: it is yours.",
  },
};

/** Two rounds abstained: no verdict. */
export const abstained: PanelState = {
  ...needsHuman,
  rounds: [
    { kind: "abstained", n: 1, question: "premise", reason: "the server did not answer within 60 s" },
    { kind: "abstained", n: 2, question: "defences", reason: "the model refused" },
    round3,
  ],
  vote: {
    counted: 1,
    valid: 1,
    invalid: 0,
    uncertain: 0,
    validShare: null,
    unanimous: null,
    dropped: ["round 1", "round 2"],
  },
};

/** A hard fact in a group of three, suppressed in its source. */
export const hard: PanelState = {
  ...untriaged,
  finding: {
    ...finding,
    key: "f-secret",
    severity: "P0",
    sourceSeverity: { scale: "words", value: "critical" },
    tool: "gitleaks",
    rule: "generic-api-key",
    message: "A live key of a payment provider stands in the code.",
    status: "suppressed",
    hard: "secret",
    cluster: "c1",
    source: { path: "editor", pointer: "" },
  },
  outcome: {
    ...PLAIN_OUTCOME,
    action: "bypass",
    severity: "P0",
    authorization: "none",
    settledAs: null,
    proposesDismissal: false,
    because: [{ rule: "R0.2", text: "A hard fact (secret) is never triaged away." }],
    next: "It stays as it is; only a person may dismiss it.",
  },
  permits: permits({ ...idle, triage: "Hard facts are not triaged: fix it, or dismiss it with a reason." }),
  clusterSize: 3,
};

/** The code changed after the proposal; the place was moved and the gate had lowered it. */
export const stale: PanelState = {
  ...proposed,
  state: "stale",
  staleReason: "src/store/ids.ts changed at line 8 after the arbiter cited it.",
  finding: {
    ...finding,
    gate: { from: "P1", to: "Nit", reason: "hedge_without_evidence" },
    place: { ...finding.place, status: "relocated", note: "Cited at line 40; the quoted text stands at line 42." },
  },
  permits: permits({
    ...idle,
    confirm: "The code changed since: triage it again first.",
    dismiss: "The code changed since: triage it again first.",
  }),
  notice: "Not dismissed: src/store/ids.ts changed since the proposal.",
};

/** A person dismissed it. */
export const decided: PanelState = {
  ...proposed,
  state: "decided",
  decision: {
    decision: "dismissed",
    reason: "parseOrderId guards every caller; covered by ids.test.ts.",
    at: "2026-09-12T14:02:00.000Z",
  },
  permits: permits({ cancel: NOT_RUNNING, confirm: "It is decided.", dismiss: "It is decided." }),
};

/** Two other tools report what looks like the same, and their verdicts differ. */
export const alike: PanelState = {
  ...decided,
  alike: [
    {
      key: "f-orders-2",
      title: "Unsanitised input reaches db.query()",
      tool: "CodeQL",
      summary: "P1 · 3 of 3 say real · arbiter: real",
      verdict: "VALID",
    },
    { key: "f-orders-3", title: "String-built SQL", tool: "review", summary: "P2 · not triaged", verdict: null },
  ],
  alikeCount: 2,
  conflict: true,
};

const eslintLine = "/usr/local/bin/eslint --print-config ./src/cart.ts";
const asksEslint = "ESLint's configuration and plugins are programs of this repository.";

/** A check that waits for a person's word on one line. */
const waitingCheck: CheckResult = {
  check: "checker",
  atom: {
    id: 0,
    kind: "checker",
    claimClass: 2,
    text: "The project lint configuration enforces `eqeqeq`",
    weight: true,
    subject: null,
  },
  verdict: "unknown",
  text: `${asksEslint} It is run only after you accept the exact line. To settle it, accept this line: ${eslintLine}`,
  citations: [],
  receipts: [],
  proposal: { line: eslintLine, argv: eslintLine.split(" "), cwd: ".", why: asksEslint },
};

const eslintView: LineView = {
  line: eslintLine,
  folder: "/home/ada/projects/shop",
  why: asksEslint,
  permit: ok,
  accepted: false,
};

/** A line of a check waits for consent. */
export const waitingLine: PanelState = {
  ...needsHuman,
  checks: [...checks, waitingCheck],
  receipts,
  lines: [eslintView],
};

/** The same while it may not be run, here because its proposal is from before a restart. */
export const heldLine: PanelState = {
  ...waitingLine,
  lines: [
    { ...eslintView, permit: no("Triage it again: this line was proposed before the background worker started.") },
  ],
};

const reproductionLine = "/usr/bin/node test/cart.repro.js '--name=a b'";
const reproductionView: LineView = {
  ...eslintView,
  line: reproductionLine,
  why: "A finding gives this command: it runs code of this repository with your rights.",
};

/** The source tells how to reproduce it, and that is a plain command line. */
export const reproduction: PanelState = {
  ...untriaged,
  lines: [reproductionView],
  reproduction: { text: "node test/cart.repro.js '--name=a b'", line: reproductionLine, refused: null, run: null },
};

/** It was accepted and runs. */
export const reproductionRuns: PanelState = {
  ...reproduction,
  lines: [{ ...reproductionView, permit: no("It is running.") }],
  reproduction: { ...required(reproduction.reproduction), run: { kind: "running" } },
};

/** It ran: what it printed is shown. */
export const reproductionRan: PanelState = {
  ...reproduction,
  lines: [{ ...reproductionView, accepted: true }],
  reproduction: {
    ...required(reproduction.reproduction),
    run: {
      kind: "ran",
      receipt: {
        ...required(receipts[0]),
        id: "accepted-1f2e3d4c5b6a",
        verb: "run",
        argv: ["node", "test/cart.repro.js", "--name=a b"],
        exitCode: 1,
        durationMs: 1830,
        lines: [
          "TypeError: Cannot read properties of undefined (reading 'note')",
          "    at firstNote (src/cart.ts:53:31)",
        ],
        by: "person",
      },
    },
  },
};

/** It could not be run to its end. */
export const reproductionFailed: PanelState = {
  ...reproduction,
  reproduction: {
    ...required(reproduction.reproduction),
    run: { kind: "failed", why: "node was stopped after 300 seconds.", receipt: null },
  },
};

/** Steps for a person are no command line: they stay text. */
export const reproductionText: PanelState = {
  ...untriaged,
  reproduction: {
    text: "1. Start the server: `npm start`\n2. POST a cart without items to `/checkout` | tail -n 1\n3. The process ends.",
    line: null,
    refused: "It holds a line break or a control character.",
    run: null,
  },
};

const words = "a long sentence about a value that flows from one function into the next and so on ";

/** Everything at its largest: long paths, long lines, many citations and receipts. */
export const huge: PanelState = {
  ...proposed,
  finding: {
    ...finding,
    message: words.repeat(30),
    rule: "organisation.team.project.category.subcategory.rule-with-a-very-long-name-that-does-not-end",
    place: { ...finding.place, file: `src/${"deeply-nested-folder/".repeat(12)}file.ts`, endLine: 160 },
    source: { path: `reviews/${"very-long-folder-name/".repeat(8)}review.sarif`, pointer: "/runs/0/results/0" },
  },
  excerpt: Array.from({ length: 80 }, (_, index) => ({
    line: 42 + index,
    text: `    const value${index} = ${"transform(".repeat(index % 30)}input${")".repeat(index % 30)};`,
    flagged: index < 60,
  })),
  rounds: [
    {
      ...round1,
      crux: words.repeat(4),
      reasoning: words.repeat(300),
      citations: Array.from({ length: 20 }, (_, index) =>
        cite(`src/${"folder/".repeat(20)}f${index}.ts`, index + 1, "x".repeat(index * 150)),
      ),
    },
    round2,
    round3,
  ],
  lines: [{ ...eslintView, line: `/usr/bin/bandit ${"src/a/very/long/path/to/a/module.py ".repeat(80)}`.trim() }],
  checks: [
    {
      ...waitingCheck,
      proposal: {
        ...required(waitingCheck.proposal),
        line: `/usr/bin/bandit ${"src/a/very/long/path/to/a/module.py ".repeat(80)}`.trim(),
      },
    },
  ],
  receipts: Array.from({ length: 60 }, (_, index) => ({
    id: `r${index + 1}`,
    verb: "search",
    argv: ["pattern".repeat(12), "--glob", "**/*.ts"],
    cwd: "packages/app",
    exitCode: index === 3 ? null : 0,
    durationMs: index * 997,
    outputHash: "ab".repeat(32),
    truncated: true,
    lines: Array.from({ length: 40 }, (__, line) => `src/file.ts:${line}: ${"y".repeat(200)}`),
    by: "round-3",
  })),
};

const markup = '<img src=x onerror="harness.posted.push(1)"><script>harness.posted.push(1)</script><b>bold</b>';
const hidden = "admin\u202e\u2066// safe\u2069\u2066 code\u200b\u0007\u001b[31m";
const evil = `${markup} ${hidden} \${html} {{x}}`;
/** Markup, hidden characters and escapes in one text. */
export const EVIL = evil;

/** The same hostile text in every place that text can come from. */
export const hostile: PanelState = {
  ...proposed,
  finding: {
    ...finding,
    key: 'f"><img src=x>',
    message: evil,
    tool: evil,
    rule: evil,
    help: evil,
    helpUri: 'javascript:harness.posted.push("uri")',
    fix: evil,
    category: evil,
    citedPath: evil,
    cwe: [evil],
    sourceSeverity: { scale: evil, value: evil },
    place: { ...finding.place, file: `src/${evil}`, note: evil },
    source: { path: evil, pointer: evil },
    related: [{ path: "javascript:alert(1)", span: finding.place.cited, message: evil }],
    flows: [[{ path: "../../outside.ts", span: finding.place.cited, message: evil }]],
  },
  excerpt: [{ line: 42, text: evil, flagged: true }],
  reviewer: evil,
  checks: [
    {
      check: evil,
      atom: null,
      verdict: "unknown",
      text: evil,
      citations: [cite(evil, 1, evil, { note: evil })],
      receipts: [evil],
    },
    { ...waitingCheck, text: evil, proposal: { line: evil, argv: [evil], cwd: evil, why: evil } },
  ],
  lines: [
    { line: evil, folder: evil, why: evil, permit: no(evil), accepted: false },
    { line: `${evil} 2`, folder: evil, why: evil, permit: ok, accepted: false },
  ],
  reproduction: {
    text: evil,
    line: `${evil} 2`,
    refused: evil,
    run: {
      kind: "failed",
      why: evil,
      receipt: { ...required(receipts[0]), id: evil, verb: evil, argv: [evil], lines: [evil], by: evil },
    },
  },
  rounds: [
    { ...round1, crux: evil, reasoning: evil, note: evil, citations: [cite(evil, 1, evil, { note: evil, ok: false })] },
    { kind: "abstained", n: 2, question: "defences", reason: evil },
    round3,
  ],
  ruling: { ...ruling, crux: evil, reasoning: evil, reason: evil },
  outcome: { ...required(proposed.outcome), next: evil, because: [{ rule: evil, text: evil }] },
  receipts: [
    {
      ...required(receipts[0]),
      id: evil,
      verb: evil,
      argv: [evil],
      cwd: evil,
      outputHash: evil,
      lines: [evil],
      by: evil,
    },
  ],
  decision: { decision: "reopened", reason: evil, at: evil },
  alike: [{ key: evil, title: evil, tool: evil, summary: evil, verdict: "VALID" }],
  alikeCount: 3,
  conflict: true,
  permits: permits({ ...idle, triage: evil }),
  notice: evil,
};

/** A part of a state that another one is made from. */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("The fixture is incomplete.");
  return value;
}

/** Every state by name. */
export const STATES = {
  untriaged,
  runningChecks,
  running1,
  running2,
  running3,
  runningArbiter,
  proposed,
  overrideRejected,
  needsHuman,
  abstained,
  hard,
  stale,
  decided,
  alike,
  waitingLine,
  heldLine,
  reproduction,
  reproductionRuns,
  reproductionRan,
  reproductionFailed,
  reproductionText,
  huge,
  hostile,
} as const satisfies Record<string, PanelState>;
