// The tool list as text for a system prompt: the other channel by which a model learns of its tools.

import type { Tool, ToolDefinition } from "../core/index.js";

export function formatPrompt(
  tools: readonly Tool[],
  definitions: ReadonlyMap<string, ToolDefinition>,
): string {
  if (tools.length === 0) return "## Tools\n\nNo tools are available.";
  const lines = tools.map(({ name, description }) => `- ${name}: ${firstSentence(description)}`);
  const guidance = tools.flatMap(({ name }) => definitions.get(name)?.guidance ?? []);
  return [
    "## Tools",
    "",
    "Only these tools exist; names are case-sensitive.",
    "",
    ...lines,
    ...(guidance.length > 0
      ? ["", "## How to use them", "", ...guidance.map((line) => `- ${line}`)]
      : []),
  ].join("\n");
}

/** On one line: a description must not be able to list a tool that does not exist. */
function firstSentence(description: string): string {
  const line = description.trim().replace(/\s+/g, " ");
  const end = line.search(/[.!?](?:\s|$)/);
  return end === -1 ? line : line.slice(0, end + 1);
}
