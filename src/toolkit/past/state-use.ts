// The state of a toolkit while it is used: opened when it is first needed, looked after once, closed
// with it. The history of a bridge that is no folder needs none of it.

import type { FileHistory } from "../../drivers/history/index.js";
import type { StoreJournal } from "../../drivers/journal/index.js";
import { openState, type ToolkitState } from "./open-state.js";
import type { Outage } from "./outage.js";
import { isElsewhere, nameScope } from "./own-bridge.js";
import type { PastSource } from "./past.js";
import { recover } from "./recover.js";
import { pastClosed, stateOff } from "./refusals.js";

export interface StateUse {
  /** Whether calls can be remembered at all. */
  readonly hasHistory: boolean;
  /** For a call that begins; touches no disk. */
  loadHistory(): Promise<FileHistory>;
  /** For a question. Rejects while there is none. */
  openHistory(): Promise<FileHistory>;
  /** The first time it is there, what dead processes left is looked after. Rejects while it is not. */
  openJournal(): Promise<StoreJournal>;
  close(): Promise<void>;
}

export function createStateUse(source: PastSource, outage: Outage): StateUse {
  const { ports, options, undo, notify } = source;
  const isWanted = options.stateDir !== false;
  const inMemory = isElsewhere(options.bridge);
  const scope = nameScope(options, ports.system.random);
  let isClosed = false;
  let loaded: Promise<ToolkitState> | undefined;
  let recovering: Promise<ToolkitState> | undefined;
  let memory: Promise<FileHistory> | undefined;
  const openOnce = () =>
    openState({
      ...{ ports, undo, isWanted, scope, root: options.root },
      leavesTemporaries: options.bridge === undefined,
      report: ({ message }) => {
        if (!outage.isOn()) notify(message);
      },
      reportJournal: ({ message }) => outage.begin(message),
    }).catch((error: unknown) => {
      // What there was no room for may be there at the next call.
      loaded = undefined;
      throw error;
    });

  async function load(): Promise<ToolkitState> {
    if (isClosed) throw pastClosed();
    loaded ??= openOnce();
    return loaded;
  }

  async function recoverOnce(): Promise<ToolkitState> {
    try {
      const state = await load();
      await recover({ state, scope, canUndo: undo.isEnabled && !inMemory, notify });
      return state;
    } catch (error) {
      // A disk that was full may have room at the next call.
      recovering = undefined;
      throw error;
    }
  }

  async function open(): Promise<ToolkitState> {
    if (isClosed) throw pastClosed();
    recovering ??= recoverOnce();
    return recovering;
  }

  async function useMemory(): Promise<FileHistory> {
    if (isClosed) throw pastClosed();
    if (!isWanted) throw stateOff();
    memory ??= createOwnHistory(source);
    return memory;
  }

  return {
    hasHistory: isWanted && (inMemory || ports.stateDir !== undefined),
    loadHistory: inMemory ? useMemory : async () => (await load()).history,
    openHistory: inMemory ? useMemory : async () => (await open()).history,
    openJournal: async () => (await open()).journal,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await (await memory)?.close();
      if (loaded === undefined || ports.stateDir === undefined) return;
      await recovering?.catch(() => undefined);
      await (await loaded).close();
    },
  };
}

async function createOwnHistory({ ports, options, undo }: PastSource): Promise<FileHistory> {
  const { createMemoryHistory } = await import("../../drivers/history/index.js");
  const { clock, random } = ports.system;
  const { limits, isRequired: required } = undo;
  return createMemoryHistory({ clock, random, root: options.root, limits, required });
}
