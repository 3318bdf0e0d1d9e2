// What the model sees of `cron`: the gateway's scheduled jobs, and wake events for a session.
// `job` and `patch` are free here; the gateway checks them against the job's own schema.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const MAX_CONTEXT_MESSAGES = 10;

const JOB_SHAPE =
  'add: {name, schedule, sessionTarget, payload, agentId?, description?, enabled?, deleteAfterRun?, wakeMode?: "now"|"next-heartbeat"}. ' +
  'schedule: {kind:"at", at: ISO time, UTC unless it has a zone} | {kind:"every", everyMs} | {kind:"cron", expr, tz?}. ' +
  'sessionTarget "main" takes payload {kind:"systemEvent", text}; ' +
  '"isolated" takes {kind:"agentTurn", message, model?, timeoutSeconds?, deliver?, channel?, to?}.';

const parameters = t.object({
  action: t.choice(["status", "list", "add", "update", "remove", "run", "runs", "wake"], {
    description: "run: start the job now. runs: its past runs. wake: send text to the session.",
  }),
  includeDisabled: t.optional(t.boolean({ description: "list: disabled jobs too." })),
  job: t.optional(t.record(t.unknown(), { description: JOB_SHAPE })),
  jobId: t.optional(t.string({ description: "For update, remove, run, runs." })),
  patch: t.optional(t.record(t.unknown(), { description: "update: job fields to change." })),
  text: t.optional(t.string({ description: "wake: message for the session." })),
  mode: t.optional(
    t.choice(["now", "next-heartbeat"], { description: "wake: when (default next-heartbeat)." }),
  ),
  contextMessages: t.optional(
    t.integer({
      description: "add: recent messages to append to a systemEvent text (default 0).",
      minimum: 0,
      maximum: MAX_CONTEXT_MESSAGES,
    }),
  ),
  gatewayUrl: t.optional(t.string({ description: "Another gateway than ws://127.0.0.1:18789." })),
  gatewayToken: t.optional(t.string({ description: "Required with gatewayUrl." })),
  timeoutMs: t.optional(t.integer({ description: "Limit of the gateway call.", minimum: 1 })),
});

const needs = ["gateway"] as const;

export type CronCall = ToolCall<typeof parameters, typeof needs>;

export const cron = defineBuiltIn({
  name: "cron",
  description:
    "Schedule jobs on the gateway (reminders, repeated work) and wake a session. add answers with the job id and the next run.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: true },
  aliases: { id: "jobId" },
  guidance: [
    'Use cron for reminders and repeated work instead of waiting. A reminder is a job with schedule kind "at" and sessionTarget "main"; write its text so that it makes sense when it fires, with the context needed then.',
    "Give a time zone (tz, or an offset in the ISO time) whenever the user speaks of local time.",
  ],
  ownerOnly: true,
  needs,
  load: () => import("./execute.js"),
});
