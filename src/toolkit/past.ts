// What the calls of a toolkit changed in files, and the way back. State is opened at the first call
// that may change something, and a call runs also where none can be kept: it is told then.

import { resolve } from "node:path";
import {
  type CallRecording,
  type FsBridge,
  type RecordCall,
  ToolError,
  ToolInputError,
  type Toolkit,
} from "../core/index.js";
import type { FileHistory } from "../drivers/history/index.js";
import { lazy } from "../lib/lazy.js";
import type { ToolkitPorts } from "./bind-ports.js";
import type { ToolkitOptions } from "./options/toolkit-options.js";

export interface PastSource {
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system">;
  readonly options: Pick<ToolkitOptions, "root" | "sessionKey" | "agentId">;
  /** Through which files are put back. */
  readonly bridge: () => FsBridge | undefined;
  readonly notify: (message: string) => void;
}

export interface Past extends Pick<Toolkit, "undo" | "diff" | "changes"> {
  readonly record: RecordCall;
  close(): Promise<void>;
}

interface OpenPast {
  readonly history: FileHistory;
  close(): Promise<void>;
}

export function createPast(source: PastSource): Past {
  const { notify } = source;
  const { sessionKey, agentId } = source.options;
  let opened: Promise<OpenPast> | undefined;
  let isClosed = false;
  const open = () => {
    opened ??= openPast(source);
    return opened;
  };
  const tellNoPlace = lazy(() => notify(noPlace().message));

  async function use(): Promise<{ readonly history: FileHistory; readonly bridge: FsBridge }> {
    if (isClosed) throw closed();
    const bridge = source.bridge();
    if (bridge === undefined) throw noBridge();
    return { history: (await open()).history, bridge };
  }

  return {
    async record(call, bridge) {
      if (source.ports.stateDir === undefined) {
        tellNoPlace();
        return undefined;
      }
      const { history } = await open();
      const recording = history.record({ ...call, sessionKey, agentId }, bridge);
      return { ...recording, end: () => endAndTell(recording, notify) };
    },
    async undo(toolCallId, options = {}) {
      assertOptions("undo", options);
      const { force, signal } = options;
      if (force !== undefined && typeof force !== "boolean") throw wrongOptions("undo");
      const { history, bridge } = await use();
      return history.undo({ toolCallId, bridge, force, signal, sessionKey, agentId });
    },
    async diff(toolCallId, options = {}) {
      assertOptions("diff", options);
      const { history, bridge } = await use();
      return history.diff({ toolCallId, bridge, ...options });
    },
    changes: async (limit) => (await use()).history.list(limit),
    async close() {
      isClosed = true;
      const past = await opened?.catch(() => undefined);
      await past?.close();
    },
  };
}

async function openPast({ ports, options, notify }: PastSource): Promise<OpenPast> {
  const { stateDir } = ports;
  if (stateDir === undefined) throw noPlace();
  const { root } = options;
  const [{ createSqliteStore }, { createHistory, objectsFolder }] = await Promise.all([
    import("../drivers/store/index.js"),
    import("../drivers/history/index.js"),
  ]);
  const { clock, random } = ports.system;
  const store = createSqliteStore({ folder: stateDir, clock, random });
  const history = createHistory({
    folder: objectsFolder(stateDir),
    ...{ store, clock, random, root },
    scope: resolve(root),
    excluded: stateDir,
    report: ({ message }) => notify(message),
  });
  return {
    history,
    async close() {
      await history.close();
      await store.close();
    },
  };
}

async function endAndTell(recording: CallRecording, notify: (message: string) => void) {
  await recording.end();
  for (const { message } of recording.problems()) notify(message);
}

function assertOptions(member: string, options: unknown): asserts options is object {
  if (typeof options !== "object" || options === null) throw wrongOptions(member);
}

function wrongOptions(member: string): ToolError {
  return new ToolInputError(`${member} takes the id of a call and an object with options.`, {
    reason: "options_invalid",
  });
}

function noPlace(): ToolError {
  return new ToolError(
    "unavailable",
    "Changes of files cannot be undone: this user has no home folder for the state; give stateDir.",
    { reason: "no_home_folder" },
  );
}

function noBridge(): ToolError {
  return new ToolError("unavailable", "There is no bridge to put files back through.", {
    reason: "missing_context",
  });
}

function closed(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}
