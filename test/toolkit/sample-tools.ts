// Tools with which the tests of the toolkit knock at its door.

import {
  defineTool,
  type Tool,
  type ToolDefinition,
  type ToolResult,
  t,
  textResult,
} from "clawtools";

/** Says what it was told; refuses more than 100 characters. */
export const say = defineTool({
  name: "say",
  description: "Say a text. It is said once.",
  guidance: ["Say little."],
  parameters: t.object({ text: t.string({ description: "What to say.", maxLength: 100 }) }),
  execute: async ({ params }) => textResult(params.text, { length: params.text.length }),
});

/** A tool without parameters that gives back what `make` makes of the number of the call. */
export function giving(name: string, make: (call: number) => ToolResult): ToolDefinition {
  let calls = 0;
  return defineTool({
    name,
    description: `Gives ${name}.`,
    parameters: t.object({}),
    execute: async () => make(++calls),
  });
}

/** A documented plain tool with one required text. */
export function plainEcho(more: Partial<Tool> = {}): Tool {
  return {
    name: "plain_echo",
    description: "Says it back.",
    parameters: {
      type: "object",
      properties: { text: { type: "string", maxLength: 100 } },
      required: ["text"],
    },
    execute: async (_id, params) => textResult(String(params.text)),
    ...more,
  };
}

/** A tool that begins and never ends by itself. */
export function hangingTool(deadlineMs?: number) {
  const seen: { signal?: AbortSignal } = {};
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const tool = defineTool({
    name: "hang",
    description: "Never ends.",
    parameters: t.object({}),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    execute({ signal }) {
      seen.signal = signal;
      begin();
      return new Promise<never>(() => undefined);
    },
  });
  return { tool, begun, seen };
}
