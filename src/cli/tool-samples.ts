// The one argument with which the tools that people try first are called, for advice to anyone who wrote
// it in another way.

const SAMPLES: Readonly<Record<string, { readonly field: string; readonly value: string }>> = {
  bash: { field: "command", value: "ls" },
  exec: { field: "command", value: "ls" },
  memory_search: { field: "query", value: "a few words" },
  process: { field: "action", value: "list" },
  read: { field: "path", value: "README.md" },
  web_fetch: { field: "url", value: "https://example.org" },
  web_search: { field: "query", value: "a few words" },
};
const USUAL = { field: "path", value: "README.md" } as const;

/** The field that `word` was meant for. */
export function sampleField(toolName: string, word: string): string {
  if (/^https?:/.test(word)) return "url";
  return findSample(toolName).field;
}

/** In quotes for a shell. */
export function sampleArguments(toolName: string): string {
  const { field, value } = findSample(toolName);
  return `'{"${field}": "${value}"}'`;
}

function findSample(toolName: string) {
  return (Object.hasOwn(SAMPLES, toolName) ? SAMPLES[toolName] : undefined) ?? USUAL;
}
