// The tools of a toolkit as a `ToolSet` of the AI SDK, without depending on the package.

import type {
  ContentBlock,
  EntryPoint,
  InvokeResult,
  SchemaRequest,
  Toolkit,
} from "../core/index.js";

const ENTRY_POINT: EntryPoint = "ai-sdk";
/** The AI SDK knows its own schemas by this; a foreign one it would change before it is sent. */
const SCHEMA_MARK = Symbol.for("vercel.ai.schema");

/** Any arguments pass: the toolkit itself reads them, refuses them and says why. */
export interface AISDKInputSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

export type AISDKModelOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "content"; value: AISDKContent[] };

export type AISDKContent =
  | { type: "text"; text: string }
  | { type: "image-data"; data: string; mediaType: string };

export interface AISDKTool {
  description: string;
  inputSchema: AISDKInputSchema;
  /** Never rejects, but by `abortSignal`. */
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): Promise<InvokeResult>;
  toModelOutput(options: { readonly output: InvokeResult }): AISDKModelOutput;
}

/** By name: what the policy leaves at this moment; each call is judged again when it is made. */
export function toAISDK(
  toolkit: Pick<Toolkit, "schemas" | "invoke">,
  request?: SchemaRequest,
): Record<string, AISDKTool> {
  const tools = toolkit.schemas(request).map(({ name, description, input_schema: schema }) => {
    const tool: AISDKTool = {
      description,
      inputSchema: toInputSchema(schema),
      execute: (input, { toolCallId, abortSignal }) =>
        toolkit.invoke({
          id: toolCallId,
          name,
          arguments: input,
          signal: abortSignal,
          entryPoint: ENTRY_POINT,
        }),
      toModelOutput: ({ output }) => toModelOutput(output),
    };
    return [name, tool] as const;
  });
  return Object.fromEntries(tools);
}

function toInputSchema(schema: Record<string, unknown>): AISDKInputSchema {
  const own = {
    "~standard": {
      version: 1,
      vendor: "clawtools",
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        // Others may write into what they are given.
        input: () => structuredClone(schema),
        output: () => structuredClone(schema),
      },
    },
    [SCHEMA_MARK]: true,
    jsonSchema: schema,
    validate: undefined,
  } as const;
  return own;
}

function toModelOutput({ content, isError }: InvokeResult): AISDKModelOutput {
  const texts = content.flatMap((block) => (block.type === "text" ? block.text : []));
  if (isError) return { type: "error-text", value: texts.join("\n") };
  if (texts.length === content.length) return { type: "text", value: texts.join("\n") };
  return { type: "content", value: content.map(toContent) };
}

function toContent(block: ContentBlock): AISDKContent {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "image-data", data: block.data, mediaType: block.mimeType };
}
