// Heartbeats: a turn of an agent's main session now and then, in which it reads what waits and what
// HEARTBEAT.md asks for. A reply of only HEARTBEAT_OK is not delivered.

import { type Agent, readHeartbeat } from "../agent/index.js";
import type { ClawtoolsConfig } from "../config/index.js";
import type { Clock } from "../core/index.js";
import { parseSpanMs } from "../lib/time-span.js";
import { mainSessionKey } from "../sessions/index.js";
import type { Agents } from "./agents.js";

const DEFAULT_PROMPT =
  "Heartbeat. Read HEARTBEAT.md if it exists and do what it asks for now; handle waiting system events. If nothing needs attention, reply exactly HEARTBEAT_OK.";
/** Settings are read again at least this often. */
const MAX_TIMER_MS = 60_000;

export interface HeartbeatSource {
  readonly agent: Pick<Agent, "start" | "running">;
  readonly agents: Pick<Agents, "list">;
  readonly config: () => ClawtoolsConfig;
  readonly clock: Clock;
  readonly report: (message: string) => void;
}

interface LastHeartbeat {
  readonly ts: number;
  readonly agentId: string;
  readonly status: string;
  /** What became of its reply. */
  readonly delivery?: string;
}

export type Heartbeat = ReturnType<typeof createHeartbeat>;

export function createHeartbeat(source: HeartbeatSource) {
  const { agent, agents, config, clock, report } = source;
  /** When each agent is due next. */
  const due = new Map<string, number>();
  let last: LastHeartbeat | null = null;
  let cancel: (() => void) | undefined;

  /** A turn of this session now, or after the run that is under way; several that wait are one turn. */
  async function wakeNow(agentId: string, sessionKey = mainSessionKey(agentId)): Promise<void> {
    const message = readHeartbeat(config(), agentId).prompt ?? DEFAULT_PROMPT;
    const { ended } = await agent.start({ message, sessionKey, kind: "heartbeat" });
    void ended
      .then(({ state, reply, delivery }) => {
        const isSilent = reply?.trim() === "HEARTBEAT_OK";
        const status = isSilent ? "ok-token" : state;
        last = { ts: clock.now(), agentId, status, ...(delivery && { delivery }) };
      })
      .catch((error) => report(`heartbeat of ${agentId}: ${String(error)}`));
  }

  function tick(): void {
    const nowMs = clock.now();
    let nextMs = nowMs + MAX_TIMER_MS;
    for (const { id } of agents.list()) {
      const everyMs = readEvery(readHeartbeat(config(), id).every);
      if (everyMs === undefined) {
        due.delete(id);
        continue;
      }
      // The interval may be shorter now, and the clock may have been set back.
      const at = Math.min(due.get(id) ?? Number.POSITIVE_INFINITY, nowMs + everyMs);
      const isDue = at <= nowMs;
      if (isDue && agent.running(mainSessionKey(id)) === undefined)
        void wakeNow(id).catch((error) => report(`heartbeat of ${id}: ${String(error)}`));
      due.set(id, isDue ? nowMs + everyMs : at);
      nextMs = Math.min(nextMs, due.get(id) ?? nextMs);
    }
    cancel = clock.after(Math.max(0, nextMs - nowMs), tick);
  }
  tick();

  return {
    wakeNow,
    /** When and how the last one ended. */
    last: () => last,
    /** As clients show it. */
    describe(agentId: string) {
      const {
        every = "0m",
        prompt = DEFAULT_PROMPT,
        target = "last",
      } = readHeartbeat(config(), agentId);
      const everyMs = readEvery(every) ?? null;
      return { enabled: everyMs !== null, every, everyMs, prompt, target, ackMaxChars: 0 };
    },
    close: () => cancel?.(),
  };
}

/** Undefined when heartbeats are off, which is the default. */
function readEvery(every: string | undefined): number | undefined {
  const text = every?.trim() ?? "";
  return parseSpanMs(/^\d+$/.test(text) ? `${text}ms` : text);
}
