// The tools of a toolkit for pi's agent, without depending on the package.

import type { ContentBlock, EntryPoint, SchemaRequest, Toolkit } from "../core/index.js";

const ENTRY_POINT: EntryPoint = "pi";

export interface PiToolResult {
  content: ContentBlock[];
  details: unknown;
}

export interface PiTool {
  name: string;
  label: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Rejects when the call failed, as pi expects it: the message is what the model sees. */
  execute(
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
    onUpdate?: (partial: PiToolResult) => void,
  ): Promise<PiToolResult>;
}

/** What the policy leaves at this moment; each call is judged again when it is made. */
export function toPi(
  toolkit: Pick<Toolkit, "schemas" | "invoke" | "tools">,
  request?: SchemaRequest,
): PiTool[] {
  const labels = new Map(toolkit.tools.map(({ name, label }) => [name, label]));
  return toolkit.schemas(request).map(({ name, description, input_schema: parameters }) => ({
    name,
    label: labels.get(name) ?? name,
    description,
    parameters,
    async execute(toolCallId, params, signal, onUpdate) {
      const { content, details, isError } = await toolkit.invoke({
        id: toolCallId,
        name,
        arguments: params,
        signal,
        onUpdate: onUpdate && (({ content = [], details }) => onUpdate({ content, details })),
        entryPoint: ENTRY_POINT,
      });
      if (isError) throw new Error(textOf(content));
      return { content, details };
    },
  }));
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
}
