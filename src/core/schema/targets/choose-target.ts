// Which schemas a model needs. The model id counts first: Gemini stays Gemini behind a proxy, and a
// provider such as OpenRouter or Bedrock serves models of many families.

import type { SchemaTarget } from "./target.js";

export interface TargetRequest {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  /** Ask for strict function calling; heeded only where the API itself is OpenAI's. */
  readonly strict?: boolean | undefined;
}

interface Family {
  readonly name: RegExp;
  readonly target: SchemaTarget;
}

/** The first that fits counts. A name begins after a separator: "google/gemini-2.5-pro". */
const MODEL_FAMILIES: readonly Family[] = [
  { name: /(?:^|[^a-z])gemini/, target: "gemini" },
  { name: /(?:^|[^a-z])claude/, target: "anthropic" },
  { name: /(?:^|[^a-z])gpt-oss/, target: "generic" },
  { name: /(?:^|[^a-z])(?:chat)?gpt|(?:^|[/.:])o\d|codex/, target: "openai" },
  {
    name: /grok|deepseek|kimi|moonshot|qwen|qwq|llama|m[ix]+tral|devstral|glm|gemma|command-|minimax|nova-|phi-/,
    target: "generic",
  },
];

const PROVIDER_FAMILIES: readonly Family[] = [
  { name: /anthropic|^claude/, target: "anthropic" },
  { name: /^google|^gemini|^vertex/, target: "gemini" },
  { name: /^mcp$/, target: "mcp" },
  { name: /^(?:openai|azure|chatgpt|codex)(?!-compat)/, target: "openai" },
];

/** What is not known gets `generic`. */
export function chooseSchemaTarget(request: TargetRequest): SchemaTarget {
  const byProvider = findTarget(PROVIDER_FAMILIES, request.provider);
  const target = findTarget(MODEL_FAMILIES, request.model) ?? byProvider ?? "generic";
  const isNative = request.provider === undefined || byProvider === "openai";
  return target === "openai" && request.strict === true && isNative ? "openai-strict" : target;
}

function findTarget(
  families: readonly Family[],
  name: string | undefined,
): SchemaTarget | undefined {
  const folded = name?.trim().toLowerCase() ?? "";
  return families.find((family) => family.name.test(folded))?.target;
}
