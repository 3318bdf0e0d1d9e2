// What holds for choose target, case by case.

import { describe, expect, it } from "vitest";
import { chooseSchemaTarget, type SchemaTarget, type TargetRequest } from "./target.js";

const CASES: [request: TargetRequest, target: SchemaTarget][] = [
  [{ provider: "openai", model: "gpt-5.2" }, "openai"],
  [{ provider: "openai", model: "o4-mini" }, "openai"],
  [{ provider: "azure-openai", model: "my-deployment" }, "openai"],
  [{ provider: "openai-codex", model: "gpt-5.3-codex" }, "openai"],
  [{ provider: "openrouter", model: "openai/gpt-5" }, "openai"],
  [{ model: "chatgpt-4o-latest" }, "openai"],
  [{ provider: "anthropic", model: "claude-opus-4-6" }, "anthropic"],
  [{ provider: "anthropic" }, "anthropic"],
  [{ provider: "amazon-bedrock", model: "eu.anthropic.claude-sonnet-4-5-v1:0" }, "anthropic"],
  [{ provider: "openrouter", model: "anthropic/claude-sonnet-4.5" }, "anthropic"],
  [{ provider: "google-vertex", model: "claude-sonnet-4-5@20250929" }, "anthropic"],
  [{ provider: "google-vertex-anthropic" }, "anthropic"],
  [{ provider: "google" }, "gemini"],
  [{ provider: "google-gemini-cli", model: "gemini-3-pro-preview" }, "gemini"],
  [{ provider: "Google-Vertex " }, "gemini"],
  [{ provider: "github-copilot", model: "gemini-2.5-pro" }, "gemini"],
  [{ provider: "openrouter", model: "google/gemini-2.5-flash" }, "gemini"],
  [{ provider: "litellm", model: "vertex_ai/gemini-2.0-flash" }, "gemini"],
  [{ provider: "venice", model: "grok-41-fast" }, "generic"],
  [{ provider: "xai", model: "grok-4" }, "generic"],
  [{ provider: "openrouter", model: "x-ai/grok-4" }, "generic"],
  [{ provider: "deepseek", model: "deepseek-chat" }, "generic"],
  [{ provider: "moonshot", model: "kimi-k2" }, "generic"],
  [{ provider: "groq", model: "openai/gpt-oss-120b" }, "generic"],
  [{ provider: "google", model: "gemma-3-27b" }, "generic"],
  [{ provider: "ollama", model: "qwen3" }, "generic"],
  [{ provider: "mistral", model: "mixtral-8x22b" }, "generic"],
  [{ provider: "openai-compatible", model: "something-new" }, "generic"],
  [{ provider: "mcp" }, "mcp"],
  [{}, "generic"],
];

describe("chooseSchemaTarget", () => {
  it.each(CASES)("gives for %o the schemas of %s", (request, target) => {
    expect(chooseSchemaTarget(request)).toBe(target);
  });

  it("heeds strict only where the API itself is OpenAI's", () => {
    const strict = true;
    expect(chooseSchemaTarget({ provider: "openai", model: "gpt-5", strict })).toBe(
      "openai-strict",
    );
    expect(chooseSchemaTarget({ model: "gpt-5", strict })).toBe("openai-strict");
    expect(chooseSchemaTarget({ provider: "openrouter", model: "openai/gpt-5", strict })).toBe(
      "openai",
    );
    expect(chooseSchemaTarget({ provider: "anthropic", strict })).toBe("anthropic");
    expect(chooseSchemaTarget({ provider: "xai", model: "grok-4", strict })).toBe("generic");
  });
});
