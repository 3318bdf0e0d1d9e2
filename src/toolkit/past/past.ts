// What the calls of a toolkit began and changed, and the way back. State is opened at the first call
// that may change something, and a call runs also where none can be kept: that is told, once.

import { resolve } from "node:path";
import type { RecordCall } from "../../core/files/index.js";
import type {
  CallRecording,
  FsBridge,
  InterruptedCall,
  Journal,
  Toolkit,
  UndoOptions,
} from "../../core/index.js";
import type { JournalRow } from "../../drivers/journal/index.js";
import { createMemoryJournal } from "../../drivers/records/index.js";
import { lazy } from "../../lib/lazy.js";
import type { ToolkitPorts } from "../bind-ports.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import type { UndoSettings } from "../options/undo-settings.js";
import { openState, type ToolkitState } from "./open-state.js";
import { createOutage, type Outage } from "./outage.js";
import { recover } from "./recover.js";
import { noBridge, noPlace, pastClosed, stateOff, undoDisabled, wrongOptions } from "./refusals.js";
import { createStateJournal } from "./state-journal.js";

export interface PastSource {
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system">;
  readonly options: Pick<ToolkitOptions, "root" | "stateDir" | "bridge" | "sessionKey" | "agentId">;
  readonly undo: UndoSettings;
  /** Through which files are put back. */
  readonly bridge: () => FsBridge | undefined;
  readonly notify: (message: string) => void;
}

export interface Past extends Pick<Toolkit, "undo" | "diff" | "changes" | "interrupted"> {
  readonly record: RecordCall;
  readonly journal: Journal;
  close(): Promise<void>;
}

/** Throws when undo is required and there is no place to keep anything. */
export function createPast(source: PastSource): Past {
  const { notify, undo } = source;
  const { sessionKey, agentId } = source.options;
  const isWanted = source.options.stateDir !== false;
  if (undo.isRequired && source.ports.stateDir === undefined) {
    throw isWanted ? noPlace() : stateOff();
  }
  const outage = createOutage(notify);
  const state = createStateUse(source, outage);
  const journal = isWanted
    ? createStateJournal({ open: async () => (await state.open()).journal, outage })
    : createMemoryJournal();

  async function use() {
    if (!undo.isEnabled) throw undoDisabled();
    const { history } = await state.open();
    const bridge = source.bridge();
    if (bridge === undefined) throw noBridge();
    return { history, bridge };
  }

  /** A call like any other: one that its process did not survive is told too. */
  async function journaled<T>(call: JournaledUndo, work: () => Promise<T>): Promise<T> {
    const { clock } = source.ports.system;
    const argumentsText = JSON.stringify({ force: call.force });
    const intent = { toolCallId: call.toolCallId, toolName: "undo", sessionKey, argumentsText };
    const end = await journal.intend({ ...intent, atMs: clock.now() });
    let outcome: "ok" | "error" = "error";
    try {
      const result = await work();
      outcome = "ok";
      return result;
    } finally {
      await end({ outcome, atMs: clock.now() });
    }
  }

  return {
    journal,
    async record(call, bridge) {
      if (!undo.isEnabled || source.ports.stateDir === undefined) return undefined;
      const { history } = await state.load();
      const recording = history.record({ ...call, sessionKey, agentId }, bridge);
      return { ...recording, end: () => endAndTell(recording, { outage, notify }) };
    },
    async undo(toolCallId, options = {}) {
      const { force, signal } = readUndoOptions(options);
      const { history, bridge } = await use();
      const work = () => history.undo({ toolCallId, bridge, force, signal, sessionKey, agentId });
      // What is no id at all is refused before anything is done.
      return typeof toolCallId === "string" ? journaled({ toolCallId, force }, work) : work();
    },
    async diff(toolCallId, options = {}) {
      assertOptions("diff", options);
      const { history, bridge } = await use();
      return history.diff({ toolCallId, bridge, ...options });
    },
    changes: async (limit) => (await use()).history.list(limit),
    async interrupted(limit) {
      const { journal: kept } = await state.open();
      return (await kept.interrupted(limit)).map(toInterrupted);
    },
    close: state.close,
  };
}

interface JournaledUndo {
  readonly toolCallId: string;
  readonly force: boolean | undefined;
}

interface StateUse {
  /** Touches no disk. */
  load(): Promise<ToolkitState>;
  /** The first time it is there, what dead processes left is looked after. Rejects while it is not. */
  open(): Promise<ToolkitState>;
  close(): Promise<void>;
}

function createStateUse({ ports, options, undo, notify }: PastSource, outage: Outage): StateUse {
  let isClosed = false;
  let wasLoaded = false;
  let recovering: Promise<ToolkitState> | undefined;
  const loaded = lazy(() => {
    wasLoaded = true;
    return openState({
      ...{ ports, undo, root: options.root },
      isWanted: options.stateDir !== false,
      leavesTemporaries: options.bridge === undefined,
      report: ({ message }) => {
        if (!outage.isOn()) notify(message);
      },
      reportJournal: ({ message }) => outage.begin(message),
    });
  });

  async function load(): Promise<ToolkitState> {
    if (isClosed) throw pastClosed();
    return loaded();
  }

  async function recoverOnce(): Promise<ToolkitState> {
    try {
      const state = await load();
      await recover({ state, root: resolve(options.root), notify });
      return state;
    } catch (error) {
      // A disk that was full may have room at the next call.
      recovering = undefined;
      throw error;
    }
  }

  return {
    load,
    async open() {
      if (isClosed) throw pastClosed();
      recovering ??= recoverOnce();
      return recovering;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (!wasLoaded || ports.stateDir === undefined) return;
      await recovering?.catch(() => undefined);
      await (await loaded()).close();
    },
  };
}

/** While no state can be kept at all, each call need not say so again. */
async function endAndTell(
  recording: CallRecording,
  { outage, notify }: { readonly outage: Outage; readonly notify: (message: string) => void },
): Promise<void> {
  await recording.end();
  if (outage.isOn()) return;
  for (const { message } of recording.problems()) notify(message);
}

function toInterrupted(row: JournalRow): InterruptedCall {
  const { toolCallId, toolName, sessionKey, argumentsText, atMs, end } = row;
  return { toolCallId, toolName, sessionKey, argumentsText, atMs, interruptedAtMs: end.atMs };
}

function readUndoOptions(options: unknown): UndoOptions {
  assertOptions("undo", options);
  const { force, signal }: UndoOptions = options;
  if (force !== undefined && typeof force !== "boolean") throw wrongOptions("undo");
  return { force, signal };
}

function assertOptions(member: string, options: unknown): asserts options is object {
  if (typeof options !== "object" || options === null) throw wrongOptions(member);
}
