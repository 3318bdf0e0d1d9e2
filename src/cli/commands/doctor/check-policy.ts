// Surprises of the policy: allowed tools that are not offered, agents without any tool.

import { type ClawtoolsConfig, readAgents } from "../../../config/index.js";
import type { ExplainRow, Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { createToolkit } from "../../../toolkit/index.js";
import { useAndClose } from "../../use-and-close.js";
import { type Finding, findingsOf } from "./finding.js";

const policy = findingsOf("policy");
const MAX_AGENTS = 50;
const MAX_REASON_CHARS = 400;
/** Such names stand for several tools. */
const MANY = /[*:]/;

export async function checkPolicy(options: {
  readonly toolkit: Toolkit;
  readonly config: ClawtoolsConfig;
  readonly root: string;
}): Promise<Finding[]> {
  const { toolkit, config, root } = options;
  const agents = readAgents(config).slice(0, MAX_AGENTS);
  const ofAgents: Finding[] = [];
  for (const { id, tools } of agents) {
    const [who, flag] = [`agent ${toPrintable(id, 80)}`, ` --agent ${id}`];
    const asked = [...(tools?.allow ?? []), ...(tools?.alsoAllow ?? [])];
    const opened = createToolkit({ root, config, agentId: id, stateDir: false });
    const found = await useAndClose(opened, async (own) =>
      judge({ toolkit: own, asked, who, flag }),
    );
    ofAgents.push(...found);
  }
  const asked = [...(config.tools?.allow ?? []), ...(config.tools?.alsoAllow ?? [])];
  const found = [...judge({ toolkit, asked, who: "an agent", flag: "" }), ...ofAgents];
  if (found.length > 0) return found;
  const count = toolkit.tools.length;
  return policy.ok({ what: `${count} tools are offered; the rules have no surprises.` });
}

interface Judged {
  readonly toolkit: Toolkit;
  readonly asked: readonly string[];
  readonly who: string;
  readonly flag: string;
}

function judge({ toolkit, asked, who, flag }: Judged): Finding[] {
  const rows = toolkit.explain();
  if (!rows.some(({ status }) => status === "present")) return nothingLeft({ rows, who, flag });
  return [...new Set(asked)]
    .filter((name) => !MANY.test(name))
    .map((name) => toolkit.explain(name))
    .filter(({ status }) => status === "absent")
    .flatMap(({ id, reason }) =>
      policy.warning({
        what: `${toPrintable(id, 80)} is on an allow list for ${who}, and yet not offered.`,
        why: `${capital(toPrintable(reason, MAX_REASON_CHARS))}.`,
        remedy: `clawtools tools explain ${toPrintable(id, 80)}${flag}`,
      }),
    );
}

/** Names the rule that removes most tools. */
function nothingLeft(options: {
  readonly rows: readonly ExplainRow[];
  readonly who: string;
  readonly flag: string;
}): Finding[] {
  const { rows, who, flag } = options;
  const denied = rows.filter(({ code, rule }) => code === "denied" && rule !== undefined);
  const counts = new Map<string, number>();
  for (const { rule = "" } of denied) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  const why = first === undefined ? "" : ` Most are taken away by ${toPrintable(first[0], 200)}.`;
  return policy.broken({
    what: `Not one tool is offered to ${who}.`,
    why: `The rules leave nothing that runs in this version.${why}`,
    remedy: `clawtools tools explain${flag}`,
  });
}

function capital(text: string): string {
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\.$/, "");
}
