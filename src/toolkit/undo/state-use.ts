// The state of a toolkit in use: opened when first needed, recovered once, closed with it.

import {
  closedError,
  type History,
  type InterruptedCall,
  type RecordedCall,
} from "../../core/index.js";
import type { FileHistory } from "../../drivers/history/index.js";
import type { JournalRow, StoreJournal } from "../../drivers/journal/index.js";
import { toPrintable } from "../../lib/printable.js";
import { createLazyPort } from "../ports/ports.js";
import {
  isBridgeScope,
  isElsewhere,
  nameScope,
  type Outage,
  openState,
  type ToolkitState,
  undoUnavailable,
} from "./open-state.js";
import type { UndoSource } from "./undo.js";

const MAX_ID_CHARS = 80;

interface StateUse {
  readonly hasHistory: boolean;
  loadHistory(): Promise<FileHistory>;
  openHistory(): Promise<FileHistory>;
  /** The first time it is there, what dead processes left is looked after. Rejects while it is not. */
  openJournal(): Promise<StoreJournal>;
  close(): Promise<void>;
}

export function createStateUse(source: UndoSource, outage: Outage): StateUse {
  const { ports, options, settings, notify } = source;
  const isWanted = options.stateDir !== false;
  const inMemory = isElsewhere(options.bridge);
  const scope = nameScope(options, ports.system.random);
  let isClosed = false;
  let recovering: Promise<ToolkitState> | undefined;
  const memory = createLazyPort(() => createOwnHistory(source));
  const stored = createLazyPort(() =>
    openState({
      ...{ ports, settings, isWanted, scope, root: options.root },
      leavesTemporaries: options.bridge === undefined,
      report: ({ message }) => {
        if (!outage.isOn()) notify(message);
      },
      reportJournal: ({ message }) => outage.begin(message),
    }),
  );

  async function recoverOnce(): Promise<ToolkitState> {
    try {
      const state = await stored.load();
      await recover({ state, scope, canUndo: settings.isEnabled && !inMemory, notify });
      return state;
    } catch (error) {
      // A disk that was full may have room at the next call.
      recovering = undefined;
      throw error;
    }
  }

  async function open(): Promise<ToolkitState> {
    if (isClosed) throw closedError();
    recovering ??= recoverOnce();
    return recovering;
  }

  async function useMemory(): Promise<FileHistory> {
    if (!isWanted && !isClosed) throw undoUnavailable("state_off");
    return memory.load();
  }

  return {
    hasHistory: isWanted && (inMemory || ports.stateDir !== undefined),
    loadHistory: inMemory ? useMemory : async () => (await stored.load()).history,
    openHistory: inMemory ? useMemory : async () => (await open()).history,
    openJournal: async () => (await open()).journal,
    async close() {
      isClosed = true;
      await memory.close();
      await recovering?.catch(() => undefined);
      await stored.close();
    },
  };
}

async function createOwnHistory({ ports, options, settings }: UndoSource): Promise<FileHistory> {
  const { createMemoryHistory } = await import("../../drivers/history/index.js");
  const { clock, random } = ports.system;
  const { limits, isRequired: required } = settings;
  return createMemoryHistory({ clock, random, root: options.root, limits, required });
}

interface Recovery {
  readonly state: ToolkitState;
  readonly scope: string;
  readonly canUndo: boolean;
  readonly notify: (message: string) => void;
}

async function recover({ state, scope, canUndo, notify }: Recovery): Promise<void> {
  await state.folders.recover(async (noted) => {
    const { removeTemporaries } = await import("../../drivers/fs/index.js");
    await removeTemporaries(noted.root, [noted.folder]);
  });
  for (const row of await state.journal.recoverInterrupted()) {
    const isHere = row.root === undefined || row.root === scope;
    const step = isHere && canUndo ? await findStep(row, state) : undefined;
    notify(describe(row, { isHere, step: step ?? "Look at what it may have changed." }));
  }
}

/** What to do about it; `diff` and `undo` are called alike in a program and on the command line. */
async function findStep(row: JournalRow, { history }: ToolkitState): Promise<string | undefined> {
  const id = toPrintable(row.toolCallId, MAX_ID_CHARS);
  if (row.toolName === "undo") return `\`undo ${id}\` goes on where it ended.`;
  if ((await findRecord(row, history)) === undefined) return undefined;
  return `\`diff ${id}\` shows what it changed, \`undo ${id}\` takes it back.`;
}

function describe(
  { toolCallId, toolName, atMs, root }: JournalRow,
  { isHere, step }: { readonly isHere: boolean; readonly step: string },
): string {
  const id = toPrintable(toolCallId, MAX_ID_CHARS);
  const what = toolName === "undo" ? `The undo of call "${id}"` : `Call "${id}" of ${toolName}`;
  const where = isHere || root === undefined ? "" : describePlace(root);
  const when = new Date(atMs).toISOString();
  return `${what}${where}, begun ${when}, was interrupted when its process died; its outcome is unknown. ${step}`;
}

function describePlace(root: string): string {
  return isBridgeScope(root) ? " through a bridge" : ` in "${toPrintable(root)}"`;
}

export async function listInterrupted(
  rows: readonly JournalRow[],
  history: Pick<History, "find"> | undefined,
): Promise<InterruptedCall[]> {
  const listed: InterruptedCall[] = [];
  for (const row of rows) {
    const { toolCallId, toolName, sessionKey, argumentsText, atMs, end } = row;
    const record = await findRecord(row, history);
    listed.push({
      toolCallId,
      toolName,
      ...(sessionKey !== undefined && { sessionKey }),
      argumentsText,
      atMs,
      interruptedAtMs: end.atMs,
      ...(record?.undoneBy !== undefined && { undoneBy: record.undoneBy }),
    });
  }
  return listed;
}

/** What a call changed before it was interrupted. An id may have been used before and again. */
async function findRecord(
  { toolCallId, toolName, atMs, end }: JournalRow,
  history: Pick<History, "find"> | undefined,
): Promise<RecordedCall | undefined> {
  const record = await history?.find(toolCallId);
  if (record === undefined || record.toolName !== toolName) return undefined;
  return atMs <= record.atMs && record.atMs <= end.atMs ? record : undefined;
}
