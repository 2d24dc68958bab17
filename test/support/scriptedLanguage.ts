import type { LanguageAnswer, LanguagePlace, LanguageQuestion, LanguageServers } from "../../src/core/ports.ts";
import { sha256 } from "./memoryRepository.ts";

/** What a scripted server says to one kind of question: places as `file:line:column`, texts, or why it knows nothing. */
export interface Says {
  readonly places?: readonly string[];
  readonly texts?: readonly string[];
  readonly unknown?: string;
}

export type Script = Partial<Readonly<Record<LanguageQuestion["ask"], Says>>>;

/** Language servers that answer by a script and keep what they were asked, as `ask file:line:column`. */
export function scriptedLanguage(script: Script): LanguageServers & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    ask: async (question, by, signal) => {
      signal.throwIfAborted();
      const at = `${question.file}:${question.line}:${question.column}`;
      asked.push(`${question.ask} ${at}`);
      const answer = answerOf(script[question.ask] ?? {});
      const lines = answer.kind === "known" ? answer.places.map((place) => JSON.stringify(place)) : [];
      const receipt = {
        id: `language-${asked.length}`,
        verb: "language",
        argv: [question.ask, at],
        cwd: ".",
        exitCode: null,
        durationMs: 10,
        outputHash: sha256(lines.join("\n")),
        truncated: false,
        lines,
        by,
      };
      return { answer, receipt };
    },
  };
}

function answerOf({ places = [], texts = [], unknown }: Says): LanguageAnswer {
  return unknown === undefined
    ? { kind: "known", places: places.map(placeOf), texts }
    : { kind: "unknown", why: unknown };
}

function placeOf(text: string): LanguagePlace {
  const [file = "", line = "", column = ""] = text.split(":");
  return { file, line: Number(line), column: Number(column) };
}
