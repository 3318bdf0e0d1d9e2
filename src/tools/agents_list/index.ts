// What the model sees of `agents_list`: the agents that this one may start.

import {
  type DetailsOf,
  defineBuiltIn,
  foldName,
  jsonResult,
  type ToolCall,
  t,
} from "../../core/index.js";
import { readField, readText } from "../../lib/read-field.js";

const MAIN_AGENT = "main";
const EVERY_AGENT = "*";
const parameters = t.object({});

export type AgentsListCall = ToolCall<typeof parameters>;

/** `details` of a result of `agents_list`. */
export type AgentsListDetails = DetailsOf<typeof execute>;

export const agentsList = defineBuiltIn({
  name: "agents_list",
  description:
    "List the agent ids you may give to sessions_spawn, your own first; allowAny says that every configured agent may be used.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  guidance: ["Call agents_list before sessions_spawn with an agentId you have not seen there."],
  execute,
});

async function execute({ ctx }: AgentsListCall) {
  const agents = readField(ctx.config, "agents");
  const found: unknown = readField(agents, "list");
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  const names = new Map(
    list.flatMap((agent) => {
      const id = readText(agent, "id");
      return id === undefined ? [] : [[foldName(id), readText(agent, "name")] as const];
    }),
  );
  const requester = foldName(ctx.agentId ?? readDefault(list) ?? MAIN_AGENT);
  const own = list.find((agent) => foldName(readText(agent, "id") ?? "") === requester);
  const allowed = readAllowed(own) ?? readAllowed(readField(agents, "defaults")) ?? [];
  const allowAny = allowed.includes(EVERY_AGENT);
  const others = (allowAny ? [...names.keys()] : allowed.map(foldName)).filter(
    (id) => id !== requester && id !== EVERY_AGENT,
  );
  return jsonResult({
    requester,
    allowAny,
    agents: [requester, ...[...new Set(others)].sort()].map((id) => {
      const name = names.get(id);
      return { id, ...(name === undefined ? {} : { name }), configured: names.has(id) };
    }),
  });
}

function readDefault(list: readonly unknown[]): string | undefined {
  return readText(
    list.find((agent) => readField(agent, "default") === true),
    "id",
  );
}

function readAllowed(agent: unknown): string[] | undefined {
  const allowed = readField(readField(agent, "subagents"), "allowAgents");
  return Array.isArray(allowed) ? allowed.filter((id) => typeof id === "string") : undefined;
}
