import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, step } from "../json.ts";
import { firstText, present, restOf } from "./fields.ts";
import { placeOfFailure } from "./junit.ts";
import type { Draft, Member, ToolFormat } from "./tool.ts";

/** `jest --json` and Vitest's `json` reporter: each failed test is a hard fact; passed ones are no findings. */
export const jest: ToolFormat = {
  format: "jest",
  title: "Jest and Vitest JSON",
  members: (root) => {
    const files = at(root, "testResults");
    const isRun =
      Array.isArray(files) &&
      (typeof at(root, "numTotalTests") === "number" || "numFailedTests" in (isObject(root) ? root : {}));
    if (!isRun) return null;
    return files.flatMap((file: unknown, index) => failuresOf(file, step("/testResults", index)));
  },
  read: readFailure,
};

function failuresOf(file: unknown, pointer: string): Member[] {
  if (!isObject(file)) return [{ value: file, owner: {}, pointer }];
  const owner = { file: at(file, "name") };
  const tests = listAt(file, "assertionResults");
  const failed = tests.flatMap((value, index): Member[] => {
    const isFine =
      isObject(value) && /^(?:passed|pending|todo|skipped|disabled|focused)$/.test(filledAt(value, "status") ?? "");
    return isFine ? [] : [{ value, owner, pointer: `${pointer}/assertionResults/${index}` }];
  });
  // A file that could not be loaded fails as a whole, without a test of its own.
  return failed.length === 0 && at(file, "status") === "failed" ? [{ value: file, owner, pointer }] : failed;
}

function readFailure(value: JsonObject, { owner }: Member): Draft | string {
  const text =
    listAt(value, "failureMessages")
      .filter((each) => typeof each === "string")
      .join("\n") ||
    (filledAt(value, "message") ?? "");
  const name = firstText(at(value, "fullName"), at(value, "title"));
  if (name === null && text === "") return "This test has neither a name nor a message.";
  const file = filledAt(owner, "file");
  const said =
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "the test failed";
  return {
    tool: "Jest",
    message: `${name ?? "The file could not be run"}: ${said}`.slice(0, 4000),
    severities: [{ scale: "junit", value: "error" }],
    ...placeOfFailure(text, file, "", at(value, "location", "line")),
    category: "failing test",
    extra: {
      ...restOf(value, ["fullName", "failureMessages", "name", "assertionResults"]),
      ...present({ level: "error", output: text.slice(0, 8000) }),
    },
  };
}
