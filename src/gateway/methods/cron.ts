// Methods about scheduled jobs, and waking a session.

import { ToolError, ToolInputError, t } from "../../core/index.js";
import { readText } from "../../lib/read-field.js";
import type { MethodContext } from "../../protocol/index.js";
import {
  findAgentRefusal,
  mainSessionKey,
  parseSessionKey,
  readVisibilityRules,
  toAgentId,
} from "../../sessions/index.js";
import { findSessionKey } from "../agents.js";
import type { Job } from "../cron/job.js";
import { createSlots } from "../cron/schedule.js";
import { defineMethod, type GatewayServices } from "../services.js";

const MAX_JOBS = 200;
const DEFAULT_RUNS = 50;
const MAX_RUNS = 1_000;
const MAX_EVENT_CHARS = 100_000;
const PREVIEWED = 3;

const page = (usual: number, most: number) => ({
  limit: t.optional(
    t.integer({ description: `Rows (default ${usual}, at most ${most}).`, minimum: 1 }),
  ),
  offset: t.optional(t.integer({ description: "Rows to leave out.", minimum: 0 })),
});
function cutPage<Row>(all: readonly Row[], { offset, limit }: { offset: number; limit: number }) {
  const rows = all.slice(offset, offset + limit);
  const end = offset + rows.length;
  const hasMore = end < all.length;
  return { rows, total: all.length, offset, limit, hasMore, nextOffset: hasMore ? end : null };
}

const idParams = {
  id: t.optional(t.string({ description: "Of the job." })),
  jobId: t.optional(t.string({ description: "The same." })),
};

const status = defineMethod({
  name: "cron.status",
  params: t.object({}),
  scope: "operator.read",
  help: "Whether the scheduler runs, how many jobs it has, and when the next one is due.",
  run: ({ services }) => ({ ...services.cron.status(), storePath: services.stateDir }),
});

const list = defineMethod({
  name: "cron.list",
  params: t.object({
    includeDisabled: t.optional(t.boolean({ description: "Disabled jobs too." })),
    ...page(MAX_JOBS, MAX_JOBS),
  }),
  scope: "operator.read",
  help: "The jobs, next one first, in pages.",
  run(ctx, { includeDisabled = false, limit = MAX_JOBS, offset = 0 }) {
    const all = ctx.services.cron
      .list()
      .filter(({ enabled }) => enabled || includeDisabled)
      .filter(({ agentId }) => findJobRefusal(ctx, agentId) === undefined);
    const { rows, ...place } = cutPage(all, { offset, limit: Math.min(limit, MAX_JOBS) });
    const jobs = rows.map(toShown);
    return {
      jobs,
      snapshotRevision: `${all.length}:${Math.max(0, ...all.map(({ updatedAtMs }) => updatedAtMs))}`,
      ...place,
      deliveryPreviews: Object.fromEntries(
        jobs.map(({ id, deliveryPreview }) => [id, deliveryPreview]),
      ),
    };
  },
});

const get = defineMethod({
  name: "cron.get",
  params: t.object(idParams),
  scope: "operator.read",
  help: "One job.",
  run: (ctx, params) => toShown(ctx.services.cron.get(reachId(ctx, params))),
});

const add = defineMethod({
  name: "cron.add",
  params: t.record(t.unknown(), { description: "The job: name, schedule, payload and more." }),
  scope: "operator.admin",
  idempotent: true,
  help: "Add a job.",
  async run(ctx, { idempotencyKey: _key, ...job }) {
    assertAgent(ctx, readText(job, "agentId"));
    return toShown(await ctx.services.cron.add(job));
  },
});

const update = defineMethod({
  name: "cron.update",
  params: t.object({
    ...idParams,
    patch: t.record(t.unknown(), { description: "Fields to change; null removes one." }),
  }),
  scope: "operator.admin",
  help: "Change a job.",
  async run(ctx, { patch, ...params }) {
    const id = reachId(ctx, params);
    if ("agentId" in patch) assertAgent(ctx, readText(patch, "agentId"));
    return toShown(await ctx.services.cron.update(id, patch));
  },
});

const remove = defineMethod({
  name: "cron.remove",
  params: t.object(idParams),
  scope: "operator.admin",
  help: "Remove a job.",
  async run(ctx, params) {
    return { ok: true, removed: await ctx.services.cron.remove(reachId(ctx, params)) };
  },
});

const run = defineMethod({
  name: "cron.run",
  params: t.object({
    ...idParams,
    mode: t.optional(t.choice(["force", "due"], { description: "due: only if it is due." })),
  }),
  scope: "operator.admin",
  help: "Run a job now; its schedule stays as it is.",
  async run(ctx, { mode = "force", ...params }) {
    const { runId } = await ctx.services.cron.run(reachId(ctx, params), mode);
    if (runId === undefined) return { ok: true, ran: false, reason: "not-due" };
    return { ok: true, ran: true, enqueued: true, runId };
  },
});

const runs = defineMethod({
  name: "cron.runs",
  params: t.object({ ...idParams, ...page(DEFAULT_RUNS, MAX_RUNS) }),
  scope: "operator.read",
  help: "Past runs of a job, newest first.",
  async run(ctx, { limit = DEFAULT_RUNS, offset = 0, ...params }) {
    const all = await ctx.services.cron.runs(reachId(ctx, params), MAX_RUNS);
    const { rows, ...place } = cutPage(all, { offset, limit: Math.min(limit, MAX_RUNS) });
    return { entries: rows, ...place };
  },
});

const wake = defineMethod({
  name: "wake",
  params: t.object({
    text: t.string({
      description: "Message for the session.",
      minLength: 1,
      maxLength: MAX_EVENT_CHARS,
    }),
    mode: t.optional(t.choice(["now", "next-heartbeat"], { description: "When." })),
    agentId: t.optional(
      t.string({ description: "Whose main session; default: the default agent." }),
    ),
    sessionKey: t.optional(t.string({ description: "Another session." })),
  }),
  scope: "operator.write",
  help: "Tell a session something, at once or at its next heartbeat.",
  async run({ services }, { text, mode = "next-heartbeat", agentId, sessionKey }) {
    const { agent, heartbeat, agents } = services;
    const key = findSessionKey(agents, { sessionKey, agentId });
    await agent.notify(key, text);
    if (mode === "now") await heartbeat.wakeNow(parseSessionKey(key).agentId, key);
    return { ok: true, mode };
  },
});

export const CRON_METHODS = [...[status, list, get, add, update, remove, run, runs], wake] as const;

type Context = MethodContext<GatewayServices>;

/** Clients reach all jobs; the tool of an agent reaches its own and those that agentToAgent allows. */
function findJobRefusal({ services, principal }: Context, agentId = services.agents.defaultId) {
  const owner = toAgentId(agentId);
  const caller = principal.agentId;
  if (caller === undefined || owner === toAgentId(caller)) return undefined;
  const target = { agentId: owner, key: mainSessionKey(owner) };
  const rules = readVisibilityRules(services.config.current());
  return findAgentRefusal(rules, { caller: { agentId: caller }, target, action: "scheduling" });
}

function assertReach(ctx: Context, agentId: string | undefined): void {
  const refusal = findJobRefusal(ctx, agentId);
  if (refusal) throw new ToolError("denied", refusal.message, { reason: refusal.reason });
}

/** Throws for an agent that the caller may not reach, or that does not exist. */
function assertAgent(ctx: Context, agentId: string | undefined): void {
  assertReach(ctx, agentId);
  ctx.services.agents.toolkit(agentId);
}

function reachId(ctx: Context, params: unknown): string {
  const id = needId(params);
  if (ctx.principal.agentId !== undefined) assertReach(ctx, ctx.services.cron.get(id).agentId);
  return id;
}

function needId(params: unknown): string {
  const id = readText(params, "id") ?? readText(params, "jobId");
  if (id !== undefined) return id;
  throw new ToolInputError("Give the id of a job; cron.list has them.", {
    reason: "invalid_params",
  });
}

/** The next three, for people. */
function listNext({ schedule, state }: Job): number[] {
  const slots = createSlots(schedule);
  const next: number[] = [];
  for (let time = state.nextRunAtMs; time !== undefined && next.length < PREVIEWED; ) {
    next.push(time);
    time = slots.after(time);
  }
  return next;
}

function toShown(job: Job) {
  const { nextRunAtMs } = job.state;
  const { channel } = job.payload.kind === "agentTurn" ? job.payload : {};
  const chat = channel === undefined ? "" : `, and to ${channel} where that is connected`;
  const turn = job.wakeMode === "now" ? "at once" : "at its next turn";
  const label =
    job.sessionTarget === "main"
      ? `read by the main session ${turn}`
      : `own session, reported to main${chat}`;
  return {
    ...job,
    ...(nextRunAtMs === undefined ? {} : { nextRunAtMs }),
    nextRunsMs: listNext(job),
    configRevision: String(job.updatedAtMs),
    deliveryPreview: { label, detail: job.wakeMode },
  };
}
