// What the model sees of `agents_list`: the agents that this one may start.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const parameters = t.object({});

export type AgentsListCall = ToolCall<typeof parameters>;

export const agentsList = defineBuiltIn({
  name: "agents_list",
  description:
    "List the agent ids you may give to sessions_spawn, your own first; allowAny says that every configured agent may be used.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  guidance: ["Call agents_list before sessions_spawn with an agentId you have not seen there."],
  load: () => import("./execute.js"),
});
