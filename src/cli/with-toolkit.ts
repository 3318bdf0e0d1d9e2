// A toolkit for the length of one command: made from the config and the flags, closed at the end.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sentenceAsWritten, stateDir } from "../config/index.js";
import { type Approver, type ArtifactStore, ToolError, type Toolkit } from "../core/index.js";
import { createSystemClock, createSystemRandom } from "../drivers/clock/index.js";
import { createFileArtifacts } from "../drivers/records/index.js";
import { toPrintable } from "../lib/printable.js";
import { createToolkit, type ToolkitOptions } from "../toolkit/index.js";
import type { CommandCall, Output, Terminal } from "./command-call.js";
import { UsageError } from "./failure.js";
import { readUsableConfig, type UsableConfig } from "./usable-config.js";

const MAX_WARNING_CHARS = 4_000;
const AUDIT_PROBLEM = "audit_problem";

export interface ToolkitUse {
  readonly toolkit: Toolkit;
  readonly config: UsableConfig;
}

export interface OpenedToolkit extends ToolkitUse {
  /** When the config was read. */
  readonly readAtMs: number;
  /** Prints what only a toolkit can know; all of it is known when plugins have been tried. */
  warn(): void;
  close(): Promise<void>;
}

type Work<T> = (use: ToolkitUse) => Promise<T>;
type Adapt = (options: ToolkitOptions) => ToolkitOptions;

/** Plugins have been tried when `work` begins. */
export function withToolkit<T>(call: CommandCall, work: Work<T>): Promise<T> {
  return withAdaptedToolkit(call, { adapt: (options) => options, work });
}

/** The same; `adapt` changes what the toolkit is made of. */
export async function withAdaptedToolkit<T>(
  call: CommandCall,
  { adapt, work }: { readonly adapt: Adapt; readonly work: Work<T> },
): Promise<T> {
  const artifacts = createCallArtifacts(call);
  const { toolkit, config, warn, close } = await openToolkit(call, (options) => ({
    ...adapt(options),
    ...(artifacts === undefined ? {} : { artifacts }),
  }));
  try {
    await toolkit.ready;
    warn();
    return await work({ toolkit, config });
  } finally {
    await close();
  }
}

/** Texts that were cut can be read on by the next command of the same person, root and agent. */
function createCallArtifacts(call: CommandCall): ArtifactStore | undefined {
  const folder = stateDir(call.place);
  if (folder === undefined) return undefined;
  return createFileArtifacts({
    folder: join(folder, "artifacts"),
    scope: JSON.stringify([call.root, call.texts.agent ?? null]),
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
}

/** For a command that lives longer; `adapt` changes what the toolkit is made of. */
export async function openToolkit(
  call: CommandCall,
  adapt: Adapt = (options) => options,
): Promise<OpenedToolkit> {
  const readAtMs = Date.now();
  const config = await readUsableConfig(call);
  await assertFolder(call.root);
  const asking = call.isInteractive ? createAsking(call) : undefined;
  const options: ToolkitOptions = {
    root: call.root,
    config: config.config,
    protect: listConfigFiles(config),
    ...readAudience(call),
    ...(asking ? { approve: asking.approve } : {}),
  };
  const toolkit = createToolkit(adapt(options));
  // It may come as late as when the toolkit is closed, and then nobody asks for it any more.
  toolkit.on("diagnostic", ({ code, severity, message }) => {
    if (code === AUDIT_PROBLEM) {
      call.output.warn(toPrintable(`${severity} ${message}`, MAX_WARNING_CHARS));
    }
  });
  return {
    toolkit,
    config,
    readAtMs,
    warn: () => warnOfDoubts(toolkit, { output: call.output, config }),
    async close() {
      await toolkit.close();
      await asking?.close();
    },
  };
}

/** Whatever they are called, and wherever they lie. */
export function listConfigFiles({ path, parts }: UsableConfig): string[] {
  const files = [path, ...parts.map((part) => part.path)];
  return [...new Set(files.filter((file) => file !== undefined))];
}

/** The person at the terminal; the terminal is opened at the first question. */
function createAsking(call: CommandCall): { approve: Approver; close(): Promise<void> } {
  let opened: Promise<{ readonly terminal: Terminal; readonly ask: Approver }> | undefined;
  const open = async () => {
    const { createTerminalApprover } = await import("./approvals/terminal-approver.js");
    const terminal = await call.openTerminal();
    return { terminal, ask: createTerminalApprover(terminal) };
  };
  return {
    async approve(request, options) {
      opened ??= open();
      const { ask } = await opened;
      return ask(request, options);
    },
    async close() {
      (await opened)?.terminal.close();
    },
  };
}

function readAudience({ texts }: CommandCall): Omit<ToolkitOptions, "root" | "config"> {
  const { agent, provider, model, channel, group, sender, "state-dir": stateDir } = texts;
  const subagent = readSubagent(texts.subagent);
  return {
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(channel === undefined ? {} : { messageChannel: channel }),
    ...(group === undefined ? {} : { groupId: group }),
    ...(sender === undefined ? {} : { sender: { id: sender } }),
    ...(subagent === undefined ? {} : { subagent }),
  };
}

function readSubagent(kind: string | undefined): ToolkitOptions["subagent"] {
  if (kind === undefined || kind === "leaf" || kind === "orchestrator") return kind;
  throw new UsageError("--subagent must be leaf or orchestrator.");
}

/** What only a toolkit can know: names in rules that no tool has, tools of plugins that broke. */
function warnOfDoubts(
  toolkit: Toolkit,
  { output, config }: { readonly output: Output; readonly config: UsableConfig },
): void {
  for (const { code, severity, message } of toolkit.diagnostics()) {
    if (code === AUDIT_PROBLEM) continue;
    const shown = sentenceAsWritten(`${severity} ${message}`, config.written);
    const line = toPrintable(shown, MAX_WARNING_CHARS);
    if (!config.told.has(line)) output.warn(line);
  }
}

/** What a provider would refuse is in no schema; whoever asks for them must learn of it. */
export function warnOfRefused(toolkit: Toolkit, output: Output): void {
  for (const { id, code, reason } of toolkit.explain()) {
    if (code !== "schema_refused") continue;
    output.warn(toPrintable(`warning ${id}: left out, ${reason}`, MAX_WARNING_CHARS));
  }
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
