// What the model sees of `subagents`: the runs that this session started.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const MAX_WAIT_SECONDS = 60;

const parameters = t.object({
  action: t.optional(
    t.choice(["list", "wait", "steer", "kill", "log", "info"], {
      description:
        "wait: until a run ends; steer: send message into a run; kill: stop a run; log: its last messages; info: task, times, usage, result.",
      default: "list",
    }),
  ),
  target: t.optional(
    t.string({
      description:
        "Number from list, label, runId or session key; last; or all, for wait and kill. Needed but for list.",
      minLength: 1,
    }),
  ),
  message: t.optional(t.string({ description: "steer: text for the sub-agent.", minLength: 1 })),
  timeoutSeconds: t.optional(
    t.number({
      description: "wait: longest wait; default 30.",
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
    }),
  ),
  recentMinutes: t.optional(
    t.number({
      description: "list: finished runs this recent are shown too; default 30.",
      minimum: 1,
    }),
  ),
});

const needs = ["sessions"] as const;

export type SubagentsCall = ToolCall<typeof parameters, typeof needs>;

export const subagents = defineBuiltIn({
  name: "subagents",
  description:
    "List, wait for, steer or stop the sub-agents this session started, and theirs. Shows number, label, status, runtime and session key of each.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: false },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { taskId: "target", runId: "target", sessionKey: "target" },
  guidance: [
    "Results of sub-agents arrive by themselves: use subagents wait only when you cannot go on without one, and never list in a loop.",
  ],
  load: () => import("./execute.js"),
});
