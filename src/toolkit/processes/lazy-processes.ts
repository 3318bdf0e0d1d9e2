// The process port before anything is loaded: the first command loads its drivers, and whoever asks
// before that is told that nothing runs.

import type { Processes, ProcessFacts, StartRequest } from "../../core/index.js";
import { createLazyPort } from "../lazy-port.js";

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
  const { load, loaded, close } = createLazyPort(open);
  let known: ProcessFacts | undefined;

  async function readFacts(processes: Processes): Promise<ProcessFacts> {
    known = await processes.facts();
    return known;
  }

  return {
    get yieldMs() {
      return loaded()?.yieldMs;
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
    list: (scope) => loaded()?.list(scope) ?? [],
    find: (sessionId, scope) => loaded()?.find(sessionId, scope),
    forget: async (sessionId, scope) => (await loaded()?.forget(sessionId, scope)) ?? false,
    recover: async () => (await load()).recover?.(),
    facts: async () => readFacts(await load()),
    knownFacts: () => known,
    close,
  };
}
