// The kinds of model API that tool schemas are compiled for.

/**
 * `generic` is what every OpenAI-compatible server is known to take; `openai-strict` constrains the
 * model to the schema; `mcp` is JSON Schema 2020-12 as MCP clients read it.
 */
export const SCHEMA_TARGETS = [
  "generic",
  "openai",
  "openai-strict",
  "anthropic",
  "gemini",
  "mcp",
] as const;

export type SchemaTarget = (typeof SCHEMA_TARGETS)[number];
