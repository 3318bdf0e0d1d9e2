// The process port before anything is loaded: the first command loads its drivers, and whoever asks
// before that is told that nothing runs.

import {
  type Processes,
  type ProcessFacts,
  type StartRequest,
  ToolError,
} from "../../core/index.js";

export interface LazyProcessesSource {
  /** May throw a ToolError: a config that cannot be used, a root that is missing. */
  readonly open: () => Promise<Processes>;
  /** Who wrote the message that led to a call, where one did. */
  readonly sender: StartRequest["sender"];
}

export interface LazyProcesses extends Processes {
  /** As they were last read, by whoever asked or with the first command. */
  knownFacts(): ProcessFacts | undefined;
}

export function createLazyProcesses({ open, sender }: LazyProcessesSource): LazyProcesses {
  let opening: Promise<Processes> | undefined;
  let opened: Processes | undefined;
  let known: ProcessFacts | undefined;
  let isClosed = false;

  async function load(): Promise<Processes> {
    if (isClosed) throw closed();
    opening ??= open();
    try {
      opened = await opening;
      return opened;
    } catch (error) {
      // What was missing may be there at the next call.
      opening = undefined;
      throw error;
    }
  }

  async function readFacts(processes: Processes): Promise<ProcessFacts> {
    known = await processes.facts();
    return known;
  }

  return {
    get yieldMs() {
      return opened?.yieldMs;
    },
    async start(request) {
      const processes = await load();
      const [run] = await Promise.all([
        processes.start(sender === undefined ? request : { ...request, sender }),
        // The start itself tells what is wrong, should there be nothing to read.
        known ?? readFacts(processes).catch(() => undefined),
      ]);
      return run;
    },
    list: (scope) => opened?.list(scope) ?? [],
    find: (sessionId, scope) => opened?.find(sessionId, scope),
    forget: async (sessionId, scope) => (await opened?.forget(sessionId, scope)) ?? false,
    recover: async () => (await load()).recover?.(),
    facts: async () => readFacts(await load()),
    knownFacts: () => known,
    async close() {
      isClosed = true;
      const processes = await opening?.catch(() => undefined);
      await processes?.close();
    },
  };
}

function closed(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}
