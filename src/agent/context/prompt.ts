// The system prompt: who the agent is, its tools and the files of its workspace. Built once per session
// until compaction or reset, so that providers can cache it.

import type { StreamContext } from "../../core/connector.js";
import type { FsBridge, Toolkit } from "../../core/index.js";

const FILES = ["AGENTS.md", "SOUL.md", "TOOLS.md"] as const;
/** Private notes: only for the person's own conversation. */
const MAIN_FILES = [...FILES, "MEMORY.md"] as const;
const MAX_FILE_CHARS = 20_000;

export interface SessionContext {
  readonly systemPrompt: string;
  readonly tools: NonNullable<StreamContext["tools"]>;
}

export interface ContextSource {
  readonly toolkit: Pick<Toolkit, "prompt" | "schemas">;
  readonly workspace: FsBridge | undefined;
  readonly isMain: boolean;
  /** Further instructions, such as the task of a sub-agent. */
  readonly extra: string | undefined;
  readonly model: { readonly provider: string; readonly id: string };
}

export async function buildContext(source: ContextSource): Promise<SessionContext> {
  const { toolkit, workspace, isMain, extra, model } = source;
  const request = { provider: model.provider, model: model.id };
  const files = workspace ? await readFiles(workspace, isMain ? MAIN_FILES : FILES) : [];
  const parts = [
    "You are an agent that works with the tools below on behalf of its user.",
    toolkit.prompt(request),
    ...(extra === undefined ? [] : [extra]),
    ...files,
  ];
  return { systemPrompt: parts.join("\n\n"), tools: toolkit.schemas(request) };
}

async function readFiles(workspace: FsBridge, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const text = await readText(workspace, name);
    if (text !== undefined) found.push(`# ${name}\n\n${text}`);
  }
  return found;
}

async function readText(workspace: FsBridge, filePath: string): Promise<string | undefined> {
  try {
    const text = (await workspace.readFile({ filePath })).toString("utf8").trim();
    if (text === "") return undefined;
    if (text.length <= MAX_FILE_CHARS) return text;
    return `${text.slice(0, MAX_FILE_CHARS)}\n\n(cut: the file has ${text.length} characters)`;
  } catch {
    // Most workspaces have only some of these files.
    return undefined;
  }
}
