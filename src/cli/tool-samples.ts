// Sample arguments for the tools that people try first, used in error messages.

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

export function sampleField(toolName: string, word: string): string {
  if (/^https?:/.test(word)) return "url";
  return findSample(toolName).field;
}

export function sampleArguments(toolName: string): string {
  const { field, value } = findSample(toolName);
  return `'{"${field}": "${value}"}'`;
}

function findSample(toolName: string) {
  return (Object.hasOwn(SAMPLES, toolName) ? SAMPLES[toolName] : undefined) ?? USUAL;
}
