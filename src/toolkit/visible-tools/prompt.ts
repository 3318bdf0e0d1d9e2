// The tool list and guidance as text for a system prompt.

import type { Tool, ToolDefinition } from "../../core/index.js";

export function formatPrompt(
  tools: readonly Tool[],
  definitions: ReadonlyMap<string, ToolDefinition>,
): string {
  if (tools.length === 0) return "## Tools\n\nNo tools are available.";
  const lines = tools.map(({ name, description }) => `- ${name}: ${firstSentence(description)}`);
  const offered = new Set(tools.map(({ name }) => name));
  const absent = [...definitions.keys()].filter((name) => !offered.has(name));
  const guidance = tools
    .flatMap(({ name }) => definitions.get(name)?.guidance ?? [])
    .map(toOneLine)
    .filter((line, index, all) => all.indexOf(line) === index && !namesOne(line, absent));
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

/** A line names a tool in backticks (`browser`), or bare when the name is not a word (web_fetch). */
function namesOne(line: string, names: readonly string[]): boolean {
  return names.some((name) =>
    /[_-]/.test(name)
      ? new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(line)
      : line.includes(`\`${name}\``),
  );
}

function firstSentence(description: string): string {
  const line = toOneLine(description);
  const end = line.search(/[.!?](?:\s|$)/);
  return end === -1 ? line : line.slice(0, end + 1);
}

/** The text of one tool must not be able to list another that does not exist. */
function toOneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
