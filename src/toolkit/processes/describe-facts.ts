// What is in force for commands, as sentences for the rows of `explain`.

import type { ProcessFacts } from "../../core/index.js";

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

/** Nothing for tools that have to do with no command. */
export function factsOfTool(
  id: string,
  known: () => ProcessFacts | undefined,
): readonly string[] | undefined {
  if (id === FOLLOWS_COMMANDS) return [FOLLOWED];
  return id === RUNS_COMMANDS ? describeFacts(known()) : undefined;
}

/** `undefined`: no one has asked yet. */
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
