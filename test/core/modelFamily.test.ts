import assert from "node:assert/strict";
import test from "node:test";
import { familyOf } from "../../src/core/modelFamily.ts";

const FAMILIES: readonly (readonly [string, string | null])[] = [
  ["gpt-4.1-mini", "gpt"],
  ["openai/gpt-oss-120b", "gpt"],
  ["openrouter/openai/o3", "gpt"],
  ["o4-mini-high", "gpt"],
  ["chatgpt-4o-latest", "gpt"],
  ["anthropic/claude-sonnet-4.5", "claude"],
  ["claude-opus-4", "claude"],
  ["models/gemini-2.5-pro", "gemini"],
  ["gemma3:27b-it-q4_K_M", "gemini"],
  ["qwen3-coder:30b", "qwen"],
  ["Qwen/Qwen2.5-Coder-32B-Instruct-GGUF", "qwen"],
  ["QwQ-32B", "qwen"],
  ["meta-llama/Llama-3.3-70B-Instruct-Turbo-FP8", "llama"],
  ["llama3.1:8b", "llama"],
  ["codellama:13b", "llama"],
  ["mistralai/Mixtral-8x7B-Instruct-v0.1", "mistral"],
  ["devstral:24b", "mistral"],
  ["codestral-latest", "mistral"],
  ["ministral-8b", "mistral"],
  ["deepseek/deepseek-chat-v3:free", "deepseek"],
  ["phi4:14b", "phi"],
  ["x-ai/grok-4", "grok"],
  ["zai-org/GLM-4.6", "glm"],
  ["moonshotai/kimi-k2", "kimi"],
  ["command-r-plus", "command"],
  ["ibm-granite/granite-4.0", "granite"],
  // One trained on the words of another: it may err like either.
  ["deepseek-r1-distill-llama-70b", null],
  ["deepseek-r1-distill-qwen:7b-q8_0", null],
  ["my-finetune", null],
  ["test-model", null],
  ["large-1", null],
  ["", null],
  ["openai/", null],
];

for (const [name, family] of FAMILIES)
  test(`the family of "${name}" is ${family ?? "not known"}`, () => assert.equal(familyOf(name), family));
