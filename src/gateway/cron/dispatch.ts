// What a scheduled job does: an event for the main session, or a run in a session of its own whose
// result is reported to the main one.

import type { Agent } from "../../agent/index.js";
import type { CronDispatch } from "./engine.js";
import type { Job } from "./job.js";
import type { CronOutcome } from "./run-records.js";

const MAX_REPORT_CHARS = 8_000;
const SILENT = new Set(["", "HEARTBEAT_OK", "NO_REPLY"]);

type Runner = Pick<Agent, "agentId" | "prepare" | "prepareNotice" | "wake" | "wait" | "run">;

export interface DispatchSource {
  readonly agent: Runner;
  /** Starts a turn in which the waiting events are read. */
  wakeNow(agentId: string): Promise<void>;
}

export function createCronDispatch({ agent, wakeNow }: DispatchSource): CronDispatch {
  const mainOf = ({ agentId = agent.agentId }: Job) => `agent:${agentId}:main`;

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
        return { status: "error", error, ...report(job, `failed: ${error}`) };
      }
      if (SILENT.has(reply.trim())) return { status: "ok", deliveryStatus: "nothing to deliver" };
      return { status: "ok", summary: reply, ...report(job, reply) };
    },
  };

  /** Queues a notice for the main session in the transaction that ends the run. */
  function report(job: Job, text: string) {
    if (job.payload.kind === "agentTurn" && job.payload.deliver === false) {
      return { deliveryStatus: "off" };
    }
    const notice = `Cron job "${job.name}": ${text.slice(0, MAX_REPORT_CHARS)}`;
    return { operations: agent.prepareNotice(mainOf(job), notice), deliveryStatus: "delivered" };
  }
}

function sessionOf({ id, agentId }: Job, defaultId: string): string {
  return `agent:${agentId ?? defaultId}:cron:${id}`;
}
