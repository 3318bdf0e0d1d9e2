// A toolkit for one command, made from config and flags. Loaded late, so that help stays fast.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigEdit } from "../config/edit/index.js";
import { type Approver, type ArtifactStore, ToolError, type Toolkit } from "../core/index.js";
import { toPrintable } from "../lib/printable.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import type { ToolkitOptions } from "../toolkit/index.js";
import type { CommandCall, Output, Terminal } from "./command.js";
import { readUsableConfig, type UsableConfig } from "./usable-config.js";
import { useAndClose } from "./use-and-close.js";

const MAX_WARNING_CHARS = 4_000;
const AUDIT_PROBLEM = "audit_problem";

export interface ToolkitUse {
  readonly toolkit: Toolkit;
  readonly config: UsableConfig;
  /** Shows `${API_KEY}` instead of its value. */
  asWritten<T>(value: T): T;
}

export interface OpenedToolkit extends ToolkitUse {
  readonly readAtMs: number;
  /** Complete once plugins are loaded. */
  warn(): void;
  close(): Promise<void>;
}

type Work<T> = (use: ToolkitUse) => Promise<T>;
type Adapt = (options: ToolkitOptions) => ToolkitOptions;

export function withToolkit<T>(call: CommandCall, work: Work<T>): Promise<T> {
  return withAdaptedToolkit(call, { adapt: (options) => options, work });
}

/** `adapt` changes the options of the toolkit. */
export async function withAdaptedToolkit<T>(
  call: CommandCall,
  { adapt, work }: { readonly adapt: Adapt; readonly work: Work<T> },
): Promise<T> {
  const artifacts = await createCallArtifacts(call);
  const opened = await openToolkit(call, (options) => ({ ...adapt(options), artifacts }));
  return await useAndClose(opened, async (use) => {
    await use.toolkit.ready;
    use.warn();
    return await work(use);
  });
}

/** So the next command can read texts that were cut. */
async function createCallArtifacts(call: CommandCall): Promise<ArtifactStore> {
  const { stateDir } = await import("../config/index.js");
  const { createSystemClock, createSystemRandom } = await import("../drivers/clock.js");
  const { createFileArtifacts } = await import("../drivers/records.js");
  const folder = stateDir(call.place);
  return createFileArtifacts({
    folder: join(folder, "artifacts"),
    scope: JSON.stringify([call.root, call.texts.agent ?? null]),
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
}

/** The caller closes it. */
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
    changeConfig: (path, value) => changeConfig(call, { path, value }),
    ...readAudience(call),
    ...(asking ? { approve: asking.approve } : {}),
  };
  const { valueAsWritten } = await import("../config/index.js");
  const asWritten = <T>(value: T): T => valueAsWritten(value, config.written);
  const { createToolkit } = await import("../toolkit/index.js");
  const toolkit = createToolkit(adapt(options));
  // May come after `warn`, when the toolkit closes.
  toolkit.on("diagnostic", ({ code, severity, message }) => {
    if (code === AUDIT_PROBLEM) {
      call.output.warn(toPrintable(`${severity}: ${message}`, MAX_WARNING_CHARS));
    }
  });
  return {
    toolkit,
    config,
    asWritten,
    readAtMs,
    warn: () => warnOfDoubts({ toolkit, config, asWritten }, call.output),
    async close() {
      await toolkit.close();
      await asking?.close();
    },
  };
}

async function changeConfig({ place }: CommandCall, edit: ConfigEdit): Promise<void> {
  const { writeConfigEdits } = await import("../config/edit/index.js");
  const { createProcessMarks } = await import("../drivers/store/index.js");
  await writeConfigEdits(place, { edits: [edit], owners: createProcessMarks() });
}

export function listConfigFiles({ path, parts }: UsableConfig): string[] {
  const files = [path, ...parts.map((part) => part.path)];
  return [...new Set(files.filter((file) => file !== undefined))];
}

/** Opens the terminal at the first question. */
export function createAsking(call: CommandCall): { approve: Approver; close(): Promise<void> } {
  let opened: Promise<{ readonly terminal: Terminal; readonly ask: Approver }> | undefined;
  const open = async () => {
    const { createTerminalApprover } = await import("./commands/approvals/ask-person.js");
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
  return withoutUndefined({
    ...{ stateDir, agentId: agent, provider, model, messageChannel: channel, groupId: group },
    sender: sender === undefined ? undefined : { id: sender },
    subagent: (["leaf", "orchestrator"] as const).find((role) => role === texts.subagent),
  });
}

/** Only a toolkit knows these. */
function warnOfDoubts({ toolkit, config, asWritten }: ToolkitUse, output: Output): void {
  for (const { code, severity, message } of toolkit.diagnostics()) {
    if (code === AUDIT_PROBLEM) continue;
    const line = toPrintable(asWritten(`${severity}: ${message}`), MAX_WARNING_CHARS);
    if (!config.reported.has(line)) output.warn(line);
  }
}

export function warnOfRefused(toolkit: Toolkit, output: Output): void {
  for (const { id, code, reason } of toolkit.explain()) {
    if (code !== "schema_refused") continue;
    output.warn(toPrintable(`warning: ${id} is left out: ${reason}`, MAX_WARNING_CHARS));
  }
}

/** Throws `not_found` with the path. */
export async function assertFolder(root: string): Promise<void> {
  const found = await stat(root).catch((error: NodeJS.ErrnoException) => error);
  const reason =
    found instanceof Error
      ? found.code === "ENOENT"
        ? "does not exist"
        : `cannot be opened (${found.code ?? found.message})`
      : found.isDirectory()
        ? undefined
        : "is not a folder";
  if (reason === undefined) return;
  throw new ToolError(
    "not_found",
    `The root "${toPrintable(root)}" ${reason}. Choose a folder with --root.`,
    { reason: "root_unusable" },
  );
}
