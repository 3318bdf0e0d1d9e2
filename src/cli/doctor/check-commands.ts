// What contains commands here, tried for real.

import type { ProcessFacts, Toolkit } from "../../core/index.js";
import type { Finding } from "./finding.js";

const PLACES: Readonly<Record<string, string>> = {
  bwrap: "in a sandbox (bubblewrap)",
  namespace: "on this machine, in a process namespace",
  group: "on this machine, in a process group",
};

export async function checkCommands(toolkit: Toolkit): Promise<Finding[]> {
  if (toolkit.explain("exec").status === "absent") {
    return [
      {
        area: "commands",
        level: "note",
        what: "No command can run: the policy keeps `exec` away.",
      },
    ];
  }
  return toFindings(await toolkit.commandFacts());
}

function toFindings(facts: ProcessFacts): Finding[] {
  const { containment, isSandboxed, hasNetwork, security, ask, warnings } = facts;
  if (containment === "none") {
    return [
      {
        area: "commands",
        level: "broken",
        what: "No command can run here.",
        why: warnings.join(" "),
        mend: "clawtools tools explain exec",
      },
    ];
  }
  const network = isSandboxed ? `, ${hasNetwork ? "with" : "without"} network` : "";
  const what = `Commands run ${PLACES[containment] ?? containment}${network}; security is "${security}", ask is "${ask}".`;
  if (isSandboxed) return [{ area: "commands", level: "ok", what }];
  return [
    {
      area: "commands",
      level: "warning",
      what,
      why: [
        "Files and network of this machine are open to a command that may run.",
        ...warnings,
      ].join(" "),
      mend: "clawtools tools explain exec",
    },
  ];
}
