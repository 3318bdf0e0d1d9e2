// What the model sees of `cron`: the gateway's scheduled jobs, and wake events for a session.
// `job` and `patch` are free here; the gateway checks them against the job's own schema.

import {
  defineBuiltIn,
  jsonResult,
  type ToolCall,
  ToolInputError,
  type ToolResult,
  t,
} from "../../core/index.js";
import { type CallerSessions, sessionsOf } from "../../core/server.js";
import { readField, readText } from "../../lib/read-field.js";

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_CHARS = 220;
const MAX_CONTEXT_CHARS = 700;
const CONTEXT_HEAD = "\n\nRecent context:\n";
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
  execute,
});

type Action = CronCall["params"]["action"];

async function execute(call: CronCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const { gatewayUrl: url, gatewayToken: token, timeoutMs = DEFAULT_TIMEOUT_MS } = params;
  const { method, more } = await REQUESTS[params.action](call);
  const answer = await ctx.gateway.call({ method, params: more, url, token, timeoutMs, signal });
  return jsonResult(answer);
}

interface Request {
  readonly method: string;
  readonly more: Readonly<Record<string, unknown>>;
}

const REQUESTS = {
  status: () => ({ method: "cron.status", more: {} }),
  list: ({ params: { includeDisabled } }) => ({
    method: "cron.list",
    more: includeDisabled === undefined ? {} : { includeDisabled },
  }),
  add: async (call) => ({ method: "cron.add", more: await toJob(call) }),
  update: ({ params }) => ({
    method: "cron.update",
    more: { id: needId(params.jobId), patch: needObject(params.patch, "patch") },
  }),
  remove: ({ params }) => ({ method: "cron.remove", more: { id: needId(params.jobId) } }),
  run: ({ params }) => ({ method: "cron.run", more: { id: needId(params.jobId), mode: "force" } }),
  runs: ({ params }) => ({ method: "cron.runs", more: { id: needId(params.jobId) } }),
  wake: ({ params: { text, mode }, ctx: { agentId } }) => {
    if (text === undefined) throw new ToolInputError("wake needs text.");
    return {
      method: "wake",
      more: { text, mode: mode ?? "next-heartbeat", ...(agentId ? { agentId } : {}) },
    };
  },
} satisfies Record<Action, (call: CronCall) => Request | Promise<Request>>;

/** The agent of this session unless the job names one; with recent messages when asked for. */
async function toJob(call: CronCall): Promise<Record<string, unknown>> {
  const { params, ctx } = call;
  const given = needObject(params.job, "job");
  // Models wrap the job once more.
  const inner = [given.job, given.data].find((one) => readField(one, "schedule") !== undefined);
  const job = inner === undefined ? given : needObject(inner, "job");
  const own =
    job.agentId === undefined && ctx.agentId !== undefined ? { agentId: ctx.agentId } : {};
  const text = readText(job.payload, "text");
  const count = params.contextMessages ?? 0;
  if (count === 0 || text === undefined || ctx.sessions === undefined) return { ...job, ...own };
  const { sessions } = ctx;
  const lines = await readContext(sessionsOf({ id: call.id, ctx: { ...ctx, sessions } }), count);
  const [plain = ""] = text.split(CONTEXT_HEAD);
  const payload = { ...needObject(job.payload, "payload"), text: `${plain}${lines}` };
  return { ...job, ...own, payload };
}

async function readContext(sessions: CallerSessions, limit: number): Promise<string> {
  const { messages } = await sessions.history({ session: sessions.self.key, limit });
  const lines: string[] = [];
  let chars = 0;
  for (const { role, content } of messages.toReversed()) {
    const text = content
      .map((block) => block.text)
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
    const line = `- ${role === "user" ? "User" : "Assistant"}: ${text.slice(0, MAX_MESSAGE_CHARS)}`;
    chars += line.length;
    if (chars > MAX_CONTEXT_CHARS) break;
    lines.unshift(line);
  }
  return lines.length === 0 ? "" : `${CONTEXT_HEAD}${lines.join("\n")}`;
}

function needId(id: string | undefined): string {
  if (id !== undefined) return id;
  throw new ToolInputError("Give jobId; action list has the ids.");
}

function needObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new ToolInputError(`Give ${name} as an object.`);
}
