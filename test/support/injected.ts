import type { Checkers, FileAnswer } from "../../src/core/checkers.ts";
import { oneLine, plainPath, quoted } from "../../src/core/fence.ts";
import type { Claimed, Finding } from "../../src/core/finding.ts";
import type { ModelMessage } from "../../src/core/ports.ts";
import { FILE, FILES, FLAGGED, MESSAGE } from "./minds.ts";
import { createMemoryWorkspace, findingIn } from "./memoryWorkspace.ts";

/** Where a text may be planted. */
export const PLACES = [
  "a comment",
  "a string in the code",
  "the name of the flagged file",
  "the name of a caller's file",
  "the finding's message",
  "the rule id",
  "the quote of a finding without a place",
  "what a checker printed",
  "output of a function, as a commit message or a file read by the way",
  "a note about output",
  "the error of a function",
  "the words of every round and refuter",
  "the wish for a check",
] as const;
export type Place = (typeof PLACES)[number];

/** A finding with a text planted somewhere about it. */
export interface Scene {
  readonly workspace: ReturnType<typeof createMemoryWorkspace> & { readonly checkers?: Checkers };
  readonly finding: Finding;
  /** The file a reviewer reads. */
  readonly file: string;
  /** What of the text may stand outside the fences, in the one form in which it may. */
  readonly mayShow: readonly string[];
}

interface Plan {
  readonly files?: Readonly<Record<string, string>>;
  readonly file?: string;
  readonly message?: string;
  readonly more?: Partial<Claimed>;
  readonly mayShow?: readonly string[];
  readonly output?: { readonly output?: string; readonly notes?: readonly string[]; readonly error?: string };
  readonly checkers?: Checkers;
}

const CODE = FILES[FILE] ?? "";
/** The last line of the flagged function: what is planted before it moves no line that the finding names. */
const RETURN = "    return result";
const inFunction = (text: string): Readonly<Record<string, string>> => ({
  [FILE]: CODE.replace(RETURN, () => `${text}\n${RETURN}`),
});
const asName = (text: string): string => text.replace(/[/\0]/g, "_").slice(0, 200);

function checkerSaying(message: string): Checkers {
  const report = { line: FLAGGED, endLine: FLAGGED, code: "arg-type", message, severity: "error" } as const;
  const answer: FileAnswer = {
    kind: "covered",
    reports: [report],
    silence: null,
    reportsInAll: 1,
    version: "1.0",
    receipts: [],
  };
  return {
    projectTools: async () => await Promise.resolve(["mypy"] as const),
    report: async () => await Promise.resolve(answer),
    rule: async () =>
      await Promise.resolve({ kind: "unknown", why: "It hung.", proposal: null, receipts: [] } as const),
  };
}

const PLANS: Readonly<Record<Place, (text: string) => Plan>> = {
  "a comment": (text) => ({
    files: inFunction(
      text
        .split(/[\r\n]+/)
        .map((line) => `    # ${line}`)
        .join("\n"),
    ),
  }),
  "a string in the code": (text) => ({ files: inFunction(`    """\n${text}\n    """`) }),
  "the name of the flagged file": (text) => {
    const file = `scripts/${asName(text)}.py`;
    return { files: { [file]: CODE }, file, mayShow: [plainPath(file)] };
  },
  "the name of a caller's file": (text) => ({
    files: { ...FILES, [`calls/${asName(text)}.py`]: "def use():\n    return diff_for('a', 'b')\n" },
  }),
  "the finding's message": (text) => ({ message: `${MESSAGE}\n\n${text}` }),
  "the rule id": (text) => ({ more: { rule: text }, mayShow: [quoted(text)] }),
  "the quote of a finding without a place": (text) => ({ file: "scripts/gone.py", more: { quote: text } }),
  "what a checker printed": (text) => ({
    message: `${MESSAGE} \`mypy\` reports \`arg-type\` here.`,
    checkers: checkerSaying(text),
  }),
  "output of a function, as a commit message or a file read by the way": (text) => ({ output: { output: text } }),
  "a note about output": (text) => ({ output: { notes: [text] }, mayShow: [oneLine(text, 2000)] }),
  "the error of a function": (text) => ({ output: { error: text }, mayShow: [oneLine(text)] }),
  "the words of every round and refuter": () => ({}),
  "the wish for a check": () => ({}),
};

/** Plants a text. Severity P2: the program may close it alone, so there is something to win. */
export async function plant(place: Place, text: string): Promise<Scene> {
  const {
    files = FILES,
    file = FILE,
    message = MESSAGE,
    more = {},
    mayShow = [],
    output,
    checkers,
  } = PLANS[place](text);
  const workspace = createMemoryWorkspace(files);
  const line = more.quote === undefined ? FLAGGED : null;
  const finding = await findingIn(workspace.repository, message, file, line, { severity: "P2", ...more });
  const { verbs } = workspace;
  const planted: typeof verbs = {
    calls: verbs.calls,
    run: async (call, by, signal) => {
      const run = await verbs.run(call, by, signal);
      return output === undefined || by === "pack" || by === "check" ? run : { ...run, ...output };
    },
  };
  const whole = { ...workspace, verbs: planted, ...(checkers === undefined ? {} : { checkers }) };
  return { workspace: whole, finding, file, mayShow };
}

/** A message as a strict reader sees it: the labels of its fences in order, and all that stands outside of them. */
export function readFences(content: string): {
  readonly labels: readonly string[];
  readonly outside: string;
  readonly marks: readonly string[];
} {
  const labels: string[] = [];
  const marks: string[] = [];
  const outside: string[] = [];
  const lines = content.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const [, label = "", mark = ""] = /^<<<([A-Z]+) ([0-9a-f]{16})$/.exec(lines[at] ?? "") ?? [];
    const end = label === "" ? -1 : lines.indexOf(`${mark} ${label}>>>`, at + 1);
    if (end < 0) outside.push(lines[at] ?? "");
    else {
      labels.push(label);
      marks.push(mark);
      at = end;
    }
  }
  return { labels, marks, outside: outside.join("\n") };
}

/**
 * The structure of a conversation with what may differ taken out: marks, the finding's key, what may show of the text, and the lens, which
 * is chosen by what the claim is about.
 */
export function structureOf(messages: readonly ModelMessage[], { finding, mayShow }: Scene): string {
  return messages
    .filter(({ role }) => role !== "assistant")
    .map(({ role, content }) => {
      const { labels, outside } = readFences(content);
      const plain = mayShow.reduce((text, shown) => text.replaceAll(shown, "SHOWN"), outside);
      return `${role} [${labels.join(" ")}]\n${plain
        .replaceAll(finding.key, "KEY")
        .replace(/\b[0-9a-f]{16}\b/g, "MARK")
        .replace(/^(lens: |PROMPT lens-).*$/gm, "$1LENS")}`;
    })
    .join("\n");
}
