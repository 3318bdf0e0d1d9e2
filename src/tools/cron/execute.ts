// Schedules jobs on the gateway and wakes sessions. Jobs are checked where they are kept.

import { jsonResult, ToolInputError, type ToolResult } from "../../core/index.js";
import { type CallerSessions, sessionsOf } from "../../core/server.js";
import { readField, readText } from "../../lib/read-field.js";
import type { CronCall } from "./index.js";

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_CHARS = 220;
const MAX_CONTEXT_CHARS = 700;
const CONTEXT_HEAD = "\n\nRecent context:\n";

type Action = CronCall["params"]["action"];

export async function execute(call: CronCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const { gatewayUrl: url, gatewayToken: token, timeoutMs = DEFAULT_TIMEOUT_MS } = params;
  if (url !== undefined && token === undefined) {
    throw new ToolInputError("gatewayUrl needs gatewayToken.", { reason: "gateway_token_missing" });
  }
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
