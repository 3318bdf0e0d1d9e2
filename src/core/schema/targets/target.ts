// The kinds of model API that tool schemas are compiled for.

/** `generic` is what every OpenAI-compatible server is known to take. */
export const SCHEMA_TARGETS = [
  "generic",
  "openai",
  "openai-strict",
  "anthropic",
  "gemini",
  "mcp",
] as const;

export type SchemaTarget = (typeof SCHEMA_TARGETS)[number];

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
