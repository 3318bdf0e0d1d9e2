// What the calls of a toolkit began and changed, and the way back. State is opened at the first call
// that may change something, and a call runs also where none can be kept: that is told, once.

import type { RecordCall } from "../../core/files/index.js";
import type { CallRecording, FsBridge, Journal, Toolkit } from "../../core/index.js";
import { createMemoryJournal } from "../../drivers/records/index.js";
import type { ToolkitPorts } from "../bind-ports.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import type { UndoSettings } from "../options/undo-settings.js";
import { listInterrupted } from "./list-interrupted.js";
import { createOutage } from "./outage.js";
import { isElsewhere } from "./own-bridge.js";
import { readDiffOptions, readUndoOptions } from "./read-options.js";
import { noBridge, noPlace, stateOff, undoDisabled } from "./refusals.js";
import { createStateJournal } from "./state-journal.js";
import { createStateUse } from "./state-use.js";

export interface PastSource {
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system" | "state">;
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
  const isOnDisk = !isElsewhere(source.options.bridge);
  const outage = createOutage({ notify, endsUndo: isOnDisk });
  const state = createStateUse(source, outage);
  if (undo.isRequired && !state.hasHistory) throw isWanted ? noPlace() : stateOff();
  const journal = isWanted
    ? createStateJournal({ open: state.openJournal, outage, withArguments: isOnDisk })
    : createMemoryJournal();

  async function use() {
    if (!undo.isEnabled) throw undoDisabled();
    const history = await state.openHistory();
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

  /** While no state can be kept at all, each call need not say so again. */
  async function endAndTell(recording: CallRecording): Promise<void> {
    await recording.end();
    if (isOnDisk && outage.isOn()) return;
    for (const { message } of recording.problems()) notify(message);
  }

  return {
    journal,
    async record(call, bridge) {
      if (!undo.isEnabled || !state.hasHistory) return undefined;
      const history = await state.loadHistory();
      const recording = history.record({ ...call, sessionKey, agentId }, bridge);
      return { ...recording, end: () => endAndTell(recording) };
    },
    async undo(toolCallId, options = {}) {
      const { force, signal } = readUndoOptions(options);
      const { history, bridge } = await use();
      const work = () => history.undo({ toolCallId, bridge, force, signal, sessionKey, agentId });
      // What is no id at all is refused before anything is done.
      return typeof toolCallId === "string" ? journaled({ toolCallId, force }, work) : work();
    },
    async diff(toolCallId, options = {}) {
      const wish = readDiffOptions(options);
      const { history, bridge } = await use();
      return history.diff({ toolCallId, bridge, ...wish });
    },
    changes: async (limit) => (await use()).history.list(limit),
    async interrupted(limit) {
      const kept = await state.openJournal();
      const history = undo.isEnabled ? await state.openHistory() : undefined;
      return listInterrupted(await kept.interrupted(limit), history);
    },
    close: state.close,
  };
}

interface JournaledUndo {
  readonly toolCallId: string;
  readonly force: boolean | undefined;
}
