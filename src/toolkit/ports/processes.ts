// The process port before its drivers are loaded, which the first command does.
import type { Processes, ProcessFacts, StartRequest } from "../../core/index.js";
import type { ProcessesSource } from "./open-processes.js";
import { createLazyPort } from "./ports.js";

type CommandCaller = Pick<StartRequest, "sender" | "sandboxed"> & {
  /** Receives what allowed a command to run; the command does not start when this throws. */
  readonly onPass?: (toolCallId: string, pass: Passed) => void;
};
type Passed = Parameters<NonNullable<StartRequest["onPass"]>>[0];

export interface LazyProcesses extends Processes {
  as(caller: CommandCaller): Processes;
  /** The last facts that were read; the first command reads them. */
  knownFacts(): ProcessFacts | undefined;
}

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

const RUNS_COMMANDS = "exec";
const FOLLOWS_COMMANDS = "process";
const FOLLOWED = "It follows the commands of exec, whose row says what is in force for them.";

const UNKNOWN =
  "What contains commands here is not known yet: it is tried at the first command, or when commandFacts() is called.";

const PLACES: Readonly<Record<string, string>> = {
  bwrap: "in a sandbox (bwrap)",
  namespace:
    "on this machine, in a process namespace (namespace): their processes are contained, files and network are not",
  group:
    "on this machine, in a process group (group): neither files nor network nor processes are contained",
};

export function factsOfTool(
  id: string,
  known: () => ProcessFacts | undefined,
): readonly string[] | undefined {
  if (id === FOLLOWS_COMMANDS) return [FOLLOWED];
  return id === RUNS_COMMANDS ? describeFacts(known()) : undefined;
}

function describeFacts(facts: ProcessFacts | undefined): readonly string[] {
  if (facts === undefined) return [UNKNOWN];
  const { containment, security, ask, warnings } = facts;
  if (containment === "none") return ["No command can run here.", ...warnings];
  return [
    `Commands run ${PLACES[containment] ?? containment}${networkOf(facts)}.`,
    `security is "${security}", ask is "${ask}".`,
    limitsOf(facts),
    ...warnings,
  ];
}

function limitsOf({ isSandboxed, limits }: ProcessFacts): string {
  if (isSandboxed) return `In force: ${limits.join("; ")}.`;
  return "Memory, processes, file sizes and processor time are not limited; the time limit of a call is.";
}

function networkOf({ isSandboxed, hasNetwork, allowedHosts }: ProcessFacts): string {
  if (!isSandboxed) return "";
  if (allowedHosts) return `, which reaches only ${allowedHosts.join(", ")}`;
  return hasNetwork ? ", with the network of this machine" : ", without network";
}
