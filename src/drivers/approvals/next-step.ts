// How a command that was refused could be allowed, in words that can be typed as they stand.

import type { CommandGrant } from "../../core/index.js";
import { shellQuote } from "../../lib/system/shell-quote.js";

/** Where the list lies, and whether anybody else can reach it. */
export interface AnswerPlace {
  /** `file`: the command line can change it. `program`: it is in the memory of the program. */
  readonly list: "file" | "program";
  /** Other processes can be asked through the state folder. */
  readonly isShared: boolean;
  /** What the command line needs as `--state-dir`; absent for the usual folder. */
  readonly stateDir?: string | undefined;
}

export interface NextStep {
  /** The commands to type; none where the list is the program's. */
  readonly commands: readonly string[];
  /** Begins with a blank where it has words. */
  readonly text: string;
}

export function allowForGood(
  grants: readonly CommandGrant[],
  { place, agentId }: { readonly place: AnswerPlace; readonly agentId: string | undefined },
): NextStep {
  if (grants.length === 0) return { commands: [], text: "" };
  if (place.list === "program") {
    const entries = grants.map(({ pattern, argPattern }) =>
      JSON.stringify({ pattern, argPattern }),
    );
    return {
      commands: [],
      text: ` allow it for good with ${entries.join(", ")} in an allowlist of createToolkit({ approvals })`,
    };
  }
  const flags = showFlags({ agent: agentId, "state-dir": place.stateDir });
  const commands = grants.map(({ pattern, argPattern }) => {
    const args = argPattern === undefined ? "" : ` --args=${shellQuote(argPattern)}`;
    return `clawtools approvals grants add ${shellQuote(pattern)}${args}${flags}`;
  });
  return { commands, text: ` allow it for good with \`${commands.join("; ")}\`` };
}

/** Begins with a blank where it has words. */
export function watchCommand({ isShared, stateDir }: AnswerPlace): string {
  if (!isShared) return "";
  const flags = showFlags({ "state-dir": stateDir });
  return ` keep \`clawtools approvals watch${flags}\` open in a terminal and call again`;
}

function showFlags(flags: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(flags)
    .flatMap(([name, value]) => (value === undefined ? [] : [` --${name} ${shellQuote(value)}`]))
    .join("");
}
