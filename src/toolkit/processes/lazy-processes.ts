// The process port before its drivers are loaded: the first command loads them, and until then
// nothing runs.

import type { Processes, ProcessFacts, StartRequest } from "../../core/index.js";
import { createLazyPort } from "../lazy-port.js";
import type { ProcessesSource } from "./open-processes.js";

export interface LazyProcessesSource {
  /** May throw a ToolError: a config that cannot be used. */
  readonly readSource: () => ProcessesSource | Promise<ProcessesSource>;
  /** Author of the message that led to the calls. */
  readonly sender: StartRequest["sender"];
}

export interface LazyProcesses extends Processes {
  /** The last facts that were read; the first command reads them. */
  knownFacts(): ProcessFacts | undefined;
}

export function createLazyProcesses({ readSource, sender }: LazyProcessesSource): LazyProcesses {
  const { load, loaded, close } = createLazyPort(async () => {
    const source = await readSource();
    const { openProcesses } = await import("./open-processes.js");
    return openProcesses(source);
  });
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
