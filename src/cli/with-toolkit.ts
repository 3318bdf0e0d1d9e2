// A toolkit for the length of one command: made from the config and the flags, closed at the end.

import { stat } from "node:fs/promises";
import { type ClawtoolsConfig, stateDir } from "../config/index.js";
import { type ExplainRow, normalizeToolName, ToolError, type Toolkit } from "../core/index.js";
import { nearestName } from "../lib/nearest-name.js";
import { toPrintable } from "../lib/printable.js";
import { createToolkit } from "../toolkit/index.js";
import type { CommandCall } from "./command-call.js";
import { readUsableConfig } from "./usable-config.js";

/** The agent that is there without being listed. */
const MAIN_AGENT = "main";

export interface ToolkitUse {
  readonly toolkit: Toolkit;
  /** Where the config is, or would be. */
  readonly configPath: string | undefined;
}

/** Plugins have been tried when `work` begins. */
export async function withToolkit<T>(
  call: CommandCall,
  work: (use: ToolkitUse) => Promise<T>,
): Promise<T> {
  const { config, path } = await readUsableConfig(call);
  await assertFolder(call.root);
  warnOfUnknownAgent(call, config);
  const { agent, provider, model, channel } = call.texts;
  const toolkit = createToolkit({
    root: call.root,
    config: { ...config },
    ...(path === undefined ? {} : { stateDir: stateDir(call.place) }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(channel === undefined ? {} : { messageChannel: channel }),
  });
  try {
    await toolkit.ready;
    return await work({ toolkit, configPath: path });
  } finally {
    await toolkit.close();
  }
}

/** By its id, or by another name of the tool, such as `bash`. */
export function explainTool(toolkit: Toolkit, name: string): ExplainRow {
  const row = toolkit.explain(name);
  if (row.code !== "unknown") return row;
  const other = toolkit.explain(normalizeToolName(name));
  return other.code === "unknown" ? row : other;
}

async function assertFolder(root: string): Promise<void> {
  const found = await stat(root).catch((error: NodeJS.ErrnoException) => error);
  const reason =
    found instanceof Error
      ? `cannot be opened (${found.code ?? found.message})`
      : found.isDirectory()
        ? undefined
        : "is no folder";
  if (reason === undefined) return;
  throw new ToolError(
    "not_found",
    `The root "${toPrintable(root)}" ${reason}; name a folder with --root.`,
    { reason: "root_unusable" },
  );
}

/** A mistyped agent would be shown the rules for all, as if it had none of its own. */
function warnOfUnknownAgent({ texts, output }: CommandCall, { agents }: ClawtoolsConfig): void {
  const { agent } = texts;
  if (agent === undefined) return;
  const ids = (agents?.list ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
  const isKnown = [MAIN_AGENT, ...ids].some((id) => id.toLowerCase() === agent.toLowerCase());
  if (isKnown) return;
  const nearest = nearestName(agent, ids);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  output.warn(
    `warning --agent: "${toPrintable(agent, 80)}" is not in agents.list, so only the rules for all hold${hint}`,
  );
}
