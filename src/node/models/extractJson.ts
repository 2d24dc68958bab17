/** The JSON value in a model's text, or why there is none. */
export type Extracted = { readonly value: unknown } | { readonly problem: string };

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Index after the bracket that closes the object opening at `start`; -1 where it never closes. Knows strings and escapes. */
function closingIndex(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === "\\") index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

/** All outermost objects in a text that parse as JSON. Prose in braces (`{like this}`) is stepped over. */
function objects(text: string): readonly unknown[] {
  const found: unknown[] = [];
  let start = text.indexOf("{");
  // Every failed opening costs one scan of the rest; a model's text with this many openings is not an answer.
  let attempts = 0;
  while (start !== -1 && attempts < 200) {
    attempts += 1;
    const end = closingIndex(text, start);
    const value = end === -1 ? null : parse(text.slice(start, end));
    if (value !== null) found.push(value.value);
    start = text.indexOf("{", value === null ? start + 1 : end);
  }
  return found;
}

/**
 * Finds the one JSON object in a model's text (R2.24): bare, in a markdown fence (also one opened and closed on the same
 * line), or with prose around it. Two different objects are no answer: it would be a guess which one was meant.
 */
export function extractJson(text: string): Extracted {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed === "") return { problem: "the answer is empty" };
  const whole = parse(trimmed);
  if (whole !== null && typeof whole.value === "object" && whole.value !== null) return whole;
  const unfenced = /^```[\w-]*\s*([\s\S]*?)\s*```$/.exec(trimmed)?.[1];
  const inner = unfenced === undefined ? null : parse(unfenced);
  if (inner !== null) return inner;
  // Reasoning models think aloud first, often in JSON; the thoughts are not the answer.
  const spoken = trimmed.replace(/^<think>[\s\S]*?<\/think>/, "");
  const found = [...new Map(objects(spoken).map((value) => [JSON.stringify(value), value])).values()];
  if (found.length === 1) return { value: found[0] };
  return {
    problem:
      found.length === 0
        ? "the answer holds no complete JSON object"
        : `the answer holds ${found.length} different JSON objects`,
  };
}
