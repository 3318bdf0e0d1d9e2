// What is in force for commands, as sentences for the rows of `explain`.

import type { ProcessFacts } from "../../core/index.js";

/** The tools whose rows have these facts. */
export const COMMAND_TOOLS: readonly string[] = ["exec", "process"];

const UNKNOWN =
  "What contains commands here is not known yet: it is tried at the first command, or when commandFacts() is called.";

const PLACES: Readonly<Record<string, string>> = {
  bwrap: "in a sandbox (bwrap)",
  namespace:
    "on this machine, in a process namespace (namespace): their processes are contained, files and network are not",
  group:
    "on this machine, in a process group (group): neither files nor network nor processes are contained",
};

/** `undefined`: nobody has asked yet. */
export function describeFacts(facts: ProcessFacts | undefined): readonly string[] {
  if (facts === undefined) return [UNKNOWN];
  const { containment, security, ask, limits, warnings } = facts;
  if (containment === "none") return ["No command can run here.", ...warnings];
  return [
    `Commands run ${PLACES[containment] ?? containment}${networkOf(facts)}.`,
    `security is "${security}", ask is "${ask}".`,
    `In force: ${limits.join("; ")}.`,
    ...warnings,
  ];
}

function networkOf({ isSandboxed, hasNetwork }: ProcessFacts): string {
  if (!isSandboxed) return "";
  return hasNetwork ? ", with the network of this machine" : ", without network";
}
