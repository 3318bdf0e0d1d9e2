// The sub-agents of one caller: its own tree of runs, which it may list, stop and steer.

import { ToolError } from "../../core/index.js";
import type { CallerSessions } from "../../core/server.js";
import type { CallerView } from "./caller-view.js";
import { ENDED, type FoundRun, toRunRow } from "./runs.js";
import { checkText } from "./start-runs.js";

const MINUTE_MS = 60_000;
/** How long `kill` waits for runs to end, so that it can say how they ended. */
const KILL_WAIT_MS = 10_000;

export function createOwnTree({
  source,
  sessionKey,
}: CallerView): Pick<CallerSessions, "subagents" | "kill" | "steer"> {
  const { runs, clock } = source;

  async function ownTree(): Promise<FoundRun[]> {
    const found: FoundRun[] = [];
    const keys = [sessionKey];
    for (let key = keys.shift(); key !== undefined; key = keys.shift()) {
      const spawned = (await runs.childrenOf(key)).filter(({ record }) => record.kind === "spawn");
      for (const run of spawned) {
        if (found.some(({ runId }) => runId === run.runId)) continue;
        found.push(run);
        keys.push(run.record.sessionKey);
      }
    }
    return found;
  }

  async function findOwnRun(runId: string): Promise<FoundRun> {
    const own = (await ownTree()).find((run) => run.runId === runId);
    if (own) return own;
    throw new ToolError(
      "not_found",
      `No sub-agent run "${runId.slice(0, 80)}" belongs to this session.`,
      { reason: "run_unknown" },
    );
  }

  return {
    async subagents({ recentMinutes } = {}) {
      const since = recentMinutes === undefined ? 0 : clock.now() - recentMinutes * MINUTE_MS;
      const own = await ownTree();
      return own
        .filter(({ record }) => !ENDED.has(record.state) || (record.endedAtMs ?? 0) >= since)
        .map(toRunRow)
        .sort((left, right) => right.createdAtMs - left.createdAtMs);
    },
    async kill(runId) {
      const first = await findOwnRun(runId);
      const doomed = [first];
      for (const run of await ownTree()) {
        const parent = run.record.requester?.sessionKey;
        if (doomed.some(({ record }) => record.sessionKey === parent)) doomed.push(run);
      }
      const open = doomed.filter(({ record }) => !ENDED.has(record.state));
      // A completion would start a new run in the session of a parent that ends as well.
      for (const { runId: id } of open) if (id !== runId) await runs.mute(id);
      for (const run of open) await source.cancel(run.runId, "killed by its requester");
      return Promise.all(
        open.map((run) => source.waits.until(run.runId, { timeoutMs: KILL_WAIT_MS })),
      );
    },
    async steer(runId, message) {
      const { record } = await findOwnRun(runId);
      if (ENDED.has(record.state)) {
        throw new ToolError(
          "conflict",
          `The run "${runId}" has already ended. Send to its session instead.`,
          { reason: "run_ended" },
        );
      }
      const content = [{ type: "text" as const, text: checkText(message, "message") }];
      await source.push(record.sessionKey, {
        kind: "session_message",
        content,
        from: sessionKey,
        atMs: clock.now(),
      });
    },
  };
}
