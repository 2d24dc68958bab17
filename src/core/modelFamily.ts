/** Who made a model, by words its name may hold. Models of one maker are trained alike and err alike. */
const FAMILY_OF: readonly (readonly [RegExp, string])[] = [
  [/^(?:chat)?gpt|^o[134]$|^codex$/, "gpt"],
  [/^claude|^opus$|^sonnet$|^haiku$/, "claude"],
  [/^(?:code|pali)?gemma|^gemini/, "gemini"],
  [/^(?:code|tiny)?llama/, "llama"],
  [/^qwen|^q[wv]q$/, "qwen"],
  [/^(?:mi|mini|magi|code|dev|math)stral|^(?:mi|pi)xtral/, "mistral"],
  [/^deepseek/, "deepseek"],
  [/^phi\d*$/, "phi"],
  [/^grok/, "grok"],
  [/^command$|^cohere|^aya$|^c4ai$/, "command"],
  [/^granite/, "granite"],
  [/^(?:chat)?glm\d*$/, "glm"],
  [/^kimi|^moonshot/, "kimi"],
  [/^minimax/, "minimax"],
  [/^yi$/, "yi"],
  [/^falcon/, "falcon"],
  [/^olmo/, "olmo"],
  [/^starcoder/, "starcoder"],
  [/^nova$/, "nova"],
];

/**
 * The family of a model by its name (`openai/gpt-4.1-mini` → `gpt`, `models/qwen3:8b-q4_K_M` → `qwen`); null where the name
 * tells none, or more than one, as a distilled `deepseek-r1-distill-llama` does. Makers before a slash, sizes, versions and
 * quantisations do not count.
 */
export function familyOf(modelName: string): string | null {
  const name = modelName.toLowerCase().split("/").at(-1) ?? "";
  const words = name.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const found = new Set<string>();
  for (const word of words) for (const [shape, family] of FAMILY_OF) if (shape.test(word)) found.add(family);
  const [family, ...others] = found;
  return family === undefined || others.length > 0 ? null : family;
}
