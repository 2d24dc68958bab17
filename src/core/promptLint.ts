/** A word of a prompt that would lean the judge, and what is wrong with it. */
interface Ban {
  readonly pattern: RegExp;
  readonly problem: string;
}

const WHO = "(?:the|this|our|a)\\s+(?:requester|user|author|developer|reporter|maintainer|team|owner|customer)";
const HOLDS =
  "(?:thinks?|believes?|suspects?|feels?|assumes?|considers?|doubts?|expects?|claims?|says?|argues?|hopes?|wants?)";

// R1.9 and C16. Words of the trade that merely name a thing (an "author" of a commit) pass; words that give someone's
// opinion, ask for one answer, or carry a label of severity or confidence do not.
const BANS: readonly Ban[] = [
  { pattern: new RegExp(`\\b${WHO}\\s+${HOLDS}\\b`, "giu"), problem: "attributes an opinion to a person" },
  {
    pattern: /\b(?:I|we)\s+(?:think|believe|suspect|feel|assume|consider|doubt|expect)\b/giu,
    problem: "attributes an opinion to the requester",
  },
  {
    pattern: /\bin\s+(?:my|our|the\s+(?:requester|user|author|developer)['’]s)\s+(?:opinion|view|experience)\b/giu,
    problem: "attributes an opinion to the requester",
  },
  {
    pattern: /\bfalse[\s-]+(?:positives?|alarms?)\b/giu,
    problem: "speaks of a false positive; the question is only whether the claim holds",
  },
  {
    pattern:
      /\b(?:please\s+)?(?:confirm|verify|show|agree|prove)\s+that\s+(?:this|it|the\s+(?:claim|finding))\s+is(?:\s+not|n['’]t)?\b/giu,
    problem: "asks for one particular answer",
  },
  {
    pattern:
      /\b(?:probably|likely|presumably|apparently)\s+(?:not\s+)?(?:a\s+)?(?:real|true|false|valid|invalid|noise|harmless|bogus|bug|correct|wrong)\b/giu,
    problem: "states a hypothesis about the claim",
  },
  {
    pattern:
      /(?<![\w-])(?:severity|priority|confidence|criticality|risk\s+level|reported\s+by|author|assignee)["*\s]{0,4}[:=]\s*["*]{0,3}\w+/gimu,
    problem: "carries a label of severity, confidence or author",
  },
  { pattern: /(?<![^\s([{*|>"])P[0-4](?=$|[\s)\]}*|<",.:;])/gmu, problem: "carries a severity" },
];

const PRESUMPTION =
  /\bpresume\s+neither\b[^.]{0,60}\btrue\b[^.]{0,40}\bfalse\b|\b(?:do\s+not|don['’]t|never)\s+presume\b[^.]{0,60}\btrue\b[^.]{0,40}\bfalse\b/iu;

function folded(text: string): string {
  return text.replace(/\s+/gu, " ").trim().toLowerCase();
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** One thing wrong with a prompt: its 1-based line, null where it is wrong as a whole. */
export interface PromptProblem {
  readonly line: number | null;
  readonly text: string;
}

/**
 * The prompt checks of R1.9 and C16 over the standing part of a conversation: rules and question as the program wrote them,
 * not the packet, whose claim and code may say anything. `hypothesis` is the requester's stored one, which must never
 * appear (R1.5). Empty where all is well.
 */
export function promptProblems(text: string, hypothesis: string | null = null): PromptProblem[] {
  const problems = leanings(text);
  const whole = (problem: string): number => problems.push({ line: null, text: problem });
  if (!PRESUMPTION.test(text)) whole("the instruction to presume the claim neither true nor false is missing");
  const held = folded(hypothesis ?? "");
  if (held !== "" && folded(text).includes(held)) whole("the requester's stored hypothesis appears in the prompt");
  return problems;
}

/** The same as sentences, with the line in front where there is one. */
export function lintPrompt(text: string, hypothesis: string | null = null): string[] {
  return promptProblems(text, hypothesis).map(sentenceOf);
}

/** Words of a text that would lean a judge, each with its 1-based line and what is wrong with it. */
export function leaningWords(text: string): string[] {
  return leanings(text).map(sentenceOf);
}

function leanings(text: string): PromptProblem[] {
  return BANS.flatMap(({ pattern, problem }) =>
    [...text.matchAll(pattern)].map((match) => ({
      line: lineOf(text, match.index),
      text: `"${match[0].trim()}" ${problem}`,
    })),
  );
}

function sentenceOf({ line, text }: PromptProblem): string {
  return line === null ? text : `line ${line}: ${text}`;
}
