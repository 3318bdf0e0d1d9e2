// What the model sees of `sessions_spawn`: starting a sub-agent. Its run and its announcement are
// left to the agent loop.

import { type DetailsOf, defineBuiltIn, jsonResult, type ToolCall, t } from "../../core/index.js";
import { sessionsOf } from "../../core/server.js";

const parameters = t.object({
  task: t.string({
    description: "The whole task; the sub-agent does not see this conversation.",
    minLength: 1,
  }),
  label: t.optional(
    t.string({ description: "Short name of the session.", minLength: 1, maxLength: 64 }),
  ),
  agentId: t.optional(
    t.string({ description: "Agent to run it, from agents_list; default this one." }),
  ),
  model: t.optional(t.string({ description: "Model for it, as provider/model." })),
  thinking: t.optional(
    t.string({ description: "Thinking level, such as off, low, medium, high." }),
  ),
  runTimeoutSeconds: t.optional(
    t.number({
      description: "Stop it after N seconds; 0 = no limit; default as configured.",
      minimum: 0,
    }),
  ),
  cleanup: t.optional(
    t.choice(["delete", "keep"], { description: "Its session, once it is done.", default: "keep" }),
  ),
});

const needs = ["sessions"] as const;

export type SessionsSpawnCall = ToolCall<typeof parameters, typeof needs>;

/** `details` of a result of `sessions_spawn`. */
export type SessionsSpawnDetails = DetailsOf<typeof execute>;

export const sessionsSpawn = defineBuiltIn({
  name: "sessions_spawn",
  description:
    "Start a sub-agent on a task in a session of its own. Returns accepted with childSessionKey and runId at once; the result is announced in this chat when the run ends.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: true },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { timeoutSeconds: "runTimeoutSeconds" },
  guidance: [
    "Use sessions_spawn for long or independent work; put every fact it needs into task.",
    "Do not poll for the result: it arrives by itself. Use `subagents` to look at, steer or stop a run.",
  ],
  execute,
});

async function execute(call: SessionsSpawnCall) {
  const { runTimeoutSeconds, ...rest } = call.params;
  const spawned = await sessionsOf(call).spawn({
    ...rest,
    ...(runTimeoutSeconds === undefined ? {} : { runTimeoutMs: runTimeoutSeconds * 1_000 }),
  });
  return jsonResult({ status: "accepted", ...spawned });
}
