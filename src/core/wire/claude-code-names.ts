// Names on the wire of Anthropic's OAuth transport, which wants tools to be called as in Claude Code.
// Only the case of letters differs, so `exec` stays `exec`; `Bash` comes back as `bash`, its alias.

const CLAUDE_CODE_NAMES = [
  "AskUserQuestion",
  "Bash",
  "Edit",
  "EnterPlanMode",
  "ExitPlanMode",
  "Glob",
  "Grep",
  "KillShell",
  "NotebookEdit",
  "Read",
  "Skill",
  "Task",
  "TaskOutput",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  "Write",
] as const;

const BY_FOLDED_NAME: ReadonlyMap<string, string> = new Map(
  CLAUDE_CODE_NAMES.map((name) => [name.toLowerCase(), name]),
);

export function toClaudeCodeName(name: string): string {
  return BY_FOLDED_NAME.get(name.toLowerCase()) ?? name;
}

export function fromClaudeCodeName(name: string, toolNames: readonly string[] = []): string {
  if (toolNames.includes(name)) return name;
  const folded = name.toLowerCase();
  const own = toolNames.find((toolName) => toolName.toLowerCase() === folded);
  if (own !== undefined) return own;
  return BY_FOLDED_NAME.has(folded) ? folded : name;
}
