// What a scheduled job does: an event for the main session, or a run in a session of its own whose
// result is reported to the main one.

import { type Agent, isSilent } from "../../agent/index.js";
import { mainSessionKey } from "../../sessions/index.js";
import type { CronDispatch } from "./engine.js";
import type { Job } from "./job.js";
import type { CronOutcome, CronRun } from "./run-records.js";

const MAX_REPORT_CHARS = 8_000;

type Runner = Pick<
  Agent,
  "agentId" | "prepare" | "prepareNotice" | "preparePost" | "sessionStore" | "wake" | "wait" | "run"
>;

export interface DispatchSource {
  readonly agent: Runner;
  /** Starts a turn in which the waiting events are read. */
  wakeNow(agentId: string): Promise<void>;
}

export function createCronDispatch({ agent, wakeNow }: DispatchSource): CronDispatch {
  const mainOf = ({ agentId = agent.agentId }: Job) => mainSessionKey(agentId);

  return {
    async prepare(job, run) {
      if (job.payload.kind === "systemEvent") {
        return agent.prepareNotice(mainOf(job), job.payload.text);
      }
      const { message, model = null, thinking = null, timeoutSeconds } = job.payload;
      const { operations } = await agent.prepare({
        message: `[cron:${job.id} ${job.name}] ${message}`,
        sessionKey: sessionOf(job, agent.agentId),
        ...{ runId: run.runId, model, thinking },
        ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1_000 }),
      });
      return operations;
    },
    async outcome(job, run, signal): Promise<CronOutcome> {
      if (job.payload.kind === "systemEvent") {
        if (job.wakeMode === "now") await wakeNow(job.agentId ?? agent.agentId);
        return { status: "ok", deliveryStatus: "delivered" };
      }
      agent.wake(sessionOf(job, agent.agentId));
      if ((await agent.run(run.runId)) === undefined) {
        return { status: "error", error: "The run is not known: its session was deleted." };
      }
      const ended = await agent.wait(run.runId, { signal });
      const reply = ended.reply ?? "";
      if (ended.state !== "done" && ended.state !== "limit") {
        const error = ended.error ?? `The run ended as ${ended.state}.`;
        return { status: "error", error, ...(await report(job, run, `failed: ${error}`)) };
      }
      if (isSilent(reply)) return { status: "ok", deliveryStatus: "nothing to deliver" };
      return { status: "ok", summary: reply, ...(await report(job, run, reply)) };
    },
  };

  /** For the main session, and for the chat that the job names, in the transaction that ends the run. */
  async function report(job: Job, { runId: id }: CronRun, reply: string) {
    const { deliver, channel = "last", to } = job.payload.kind === "agentTurn" ? job.payload : {};
    if (deliver === false) return { deliveryStatus: "off" };
    const sessionKey = mainOf(job);
    const text = `Cron job "${job.name}": ${reply.slice(0, MAX_REPORT_CHARS)}`;
    const operations = agent.prepareNotice(sessionKey, text);
    if (deliver !== true && channel === "last" && to === undefined) {
      return { operations, deliveryStatus: "delivered" };
    }
    const last = (await agent.sessionStore.entries.get(sessionKey))?.entry.route;
    const route = {
      ...(channel === "last" ? last : { channel }),
      ...(to === undefined ? {} : { to }),
    };
    const post = agent.preparePost({ id, sessionKey, route, text });
    return {
      operations: [...operations, ...post.operations],
      deliveryStatus: `${post.status}; reported to the main session`,
    };
  }
}

function sessionOf({ id, agentId }: Job, defaultId: string): string {
  return `agent:${agentId ?? defaultId}:cron:${id}`;
}
