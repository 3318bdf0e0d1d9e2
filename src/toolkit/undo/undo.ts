// Records what calls changed, and undoes it. Calls run also when state cannot be kept.

import type { RecordCall } from "../../core/files/index.js";
import {
  type CallRecording,
  type FsBridge,
  isToolError,
  type Journal,
  type Toolkit,
} from "../../core/index.js";
import { assertUndoOptions } from "../options/check-options.js";
import type { UndoSettings } from "../options/settings.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import type { ToolkitPorts } from "../ports/ports.js";
import { createOutage, isElsewhere, type Outage, undoUnavailable } from "./open-state.js";
import { createStateUse, listInterrupted } from "./state-use.js";

/** While state cannot be kept, or is not wanted. */
const NO_JOURNAL: Journal = { intend: async () => async () => undefined };

export interface UndoSource {
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system" | "state">;
  readonly options: Pick<ToolkitOptions, "root" | "stateDir" | "bridge" | "sessionKey" | "agentId">;
  readonly settings: UndoSettings;
  readonly bridge: () => FsBridge | undefined;
  readonly notify: (message: string) => void;
}

export interface Undo extends Pick<Toolkit, "undo" | "diff" | "changes" | "interrupted"> {
  readonly record: RecordCall;
  readonly journal: Journal;
  close(): Promise<void>;
}

/** Throws when undo is required and nothing can be stored. */
export function createUndo(source: UndoSource): Undo {
  const { notify, settings } = source;
  const { sessionKey, agentId } = source.options;
  const isWanted = source.options.stateDir !== false;
  const isOnDisk = !isElsewhere(source.options.bridge);
  const outage = createOutage({ notify, endsUndo: isOnDisk });
  const state = createStateUse(source, outage);
  if (settings.isRequired && !state.hasHistory) {
    throw undoUnavailable(isWanted ? "no_home_folder" : "state_off");
  }
  const journal = isWanted
    ? createStateJournal({ open: state.openJournal, outage, withArguments: isOnDisk })
    : NO_JOURNAL;

  async function use() {
    if (!settings.isEnabled) throw undoUnavailable("undo_disabled");
    const history = await state.openHistory();
    const bridge = source.bridge();
    if (bridge === undefined) throw undoUnavailable("missing_context");
    return { history, bridge };
  }

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
      if (!settings.isEnabled || !state.hasHistory) return undefined;
      const history = await state.loadHistory();
      const recording = history.record(call, bridge);
      return { ...recording, end: () => endAndTell(recording) };
    },
    async undo(toolCallId, options = {}) {
      assertUndoOptions(options, "undo");
      const { force, signal } = options;
      const { history, bridge } = await use();
      const work = () => history.undo({ toolCallId, bridge, force, signal, sessionKey, agentId });
      // `history.undo` rejects an invalid id before it does anything.
      return typeof toolCallId === "string" ? journaled({ toolCallId, force }, work) : work();
    },
    async diff(toolCallId, options = {}) {
      assertUndoOptions(options, "diff");
      const { maxChars, signal } = options;
      const { history, bridge } = await use();
      return history.diff({ toolCallId, bridge, maxChars, signal });
    },
    changes: async (limit) => (await use()).history.list(limit),
    async interrupted(limit) {
      const kept = await state.openJournal();
      const history = settings.isEnabled ? await state.openHistory() : undefined;
      return listInterrupted(await kept.interrupted(limit), history);
    },
    close: state.close,
  };
}

interface JournaledUndo {
  readonly toolCallId: string;
  readonly force: boolean | undefined;
}

interface StateJournalSource {
  readonly open: () => Promise<Journal>;
  readonly outage: Outage;
  /** Arguments hold file content; that of a bridge without a folder is not written to disk. */
  readonly withArguments: boolean;
}

function createStateJournal(source: StateJournalSource): Journal {
  const { open, outage, withArguments } = source;
  return {
    async intend(intent) {
      try {
        const journal = await open();
        const kept = withArguments ? intent : { ...intent, argumentsText: "" };
        const end = await journal.intend(kept);
        outage.end();
        return end;
      } catch (error) {
        if (!isToolError(error)) throw error;
        outage.begin(error.message);
        return NO_JOURNAL.intend(intent);
      }
    },
  };
}
