// The process port before its drivers are loaded: the first command loads them, and until then
// nothing runs.

import type { Processes, ProcessFacts, StartRequest } from "../../core/index.js";
import { createLazyPort } from "../lazy-port.js";
import type { ProcessesSource } from "./open-processes.js";

/** What the commands of one caller carry. */
export type CommandCaller = Pick<StartRequest, "sender" | "sandboxed"> & {
  /** Receives what allowed a command to run; the command does not start when this throws. */
  readonly onPass?: (toolCallId: string, pass: Passed) => void;
};
type Passed = Parameters<NonNullable<StartRequest["onPass"]>>[0];

export interface LazyProcesses extends Processes {
  /** The same port for one caller. */
  as(caller: CommandCaller): Processes;
  /** The last facts that were read; the first command reads them. */
  knownFacts(): ProcessFacts | undefined;
}

/** `readSource` may throw a ToolError: a config that cannot be used. */
export function createLazyProcesses(
  readSource: () => ProcessesSource | Promise<ProcessesSource>,
): LazyProcesses {
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

  const as = ({ sender, sandboxed, onPass }: CommandCaller): Processes => ({
    get yieldMs() {
      return loaded()?.yieldMs;
    },
    async start(request) {
      const processes = await load();
      const notePass = (pass: Passed) => onPass?.(request.toolCallId, pass);
      const [run] = await Promise.all([
        processes.start({ ...request, sender, sandboxed, onPass: notePass }),
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
    close,
  });

  return { ...as({}), as, knownFacts: () => known };
}
