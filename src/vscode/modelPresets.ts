/** A kind of model server as it is usually reached. */
export interface ServerPreset {
  readonly label: string;
  readonly detail: string;
  /** Base address; null where every person has another one. */
  readonly url: string | null;
  /** What stands in the box where the address is asked for. */
  readonly example: string;
  readonly key: "needed" | "optional" | "none";
}

/** In the order in which they are offered. */
export const SERVER_PRESETS: readonly ServerPreset[] = [
  {
    label: "Ollama",
    detail: "On this machine, port 11434; no key",
    url: "http://127.0.0.1:11434/v1",
    example: "",
    key: "none",
  },
  {
    label: "LM Studio",
    detail: "On this machine, port 1234; no key. Start its server in the Developer tab",
    url: "http://127.0.0.1:1234/v1",
    example: "",
    key: "none",
  },
  {
    label: "llama.cpp",
    detail: "llama-server on this machine, port 8080; --jinja lets it call functions",
    url: "http://127.0.0.1:8080/v1",
    example: "",
    key: "none",
  },
  {
    label: "vLLM",
    detail: "On this machine, port 8000; --enable-auto-tool-choice lets it call functions",
    url: "http://127.0.0.1:8000/v1",
    example: "",
    key: "optional",
  },
  { label: "OpenAI", detail: "api.openai.com", url: "https://api.openai.com/v1", example: "", key: "needed" },
  { label: "OpenRouter", detail: "openrouter.ai", url: "https://openrouter.ai/api/v1", example: "", key: "needed" },
  {
    label: "Azure OpenAI",
    detail: "Your own resource, by its v1 address",
    url: null,
    example: "https://RESOURCE.openai.azure.com/openai/v1",
    key: "needed",
  },
  {
    label: "Another Server…",
    detail: "Any that speaks OpenAI's chat completions",
    url: null,
    example: "https://",
    key: "optional",
  },
];
