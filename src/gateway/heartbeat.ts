// Heartbeats: a turn of an agent's main session now and then, in which it reads what waits and what
// HEARTBEAT.md asks for. A reply of only HEARTBEAT_OK is not delivered.

import type { Agent } from "../agent/index.js";
import { type ClawtoolsConfig, findAgent } from "../config/index.js";
import type { Clock } from "../core/index.js";
import { parseSpanMs } from "../lib/time-span.js";
import type { Agents } from "./agents.js";

const DEFAULT_PROMPT =
  "Heartbeat. Read HEARTBEAT.md if it exists and do what it asks for now; handle waiting system events. If nothing needs attention, reply exactly HEARTBEAT_OK.";
/** Settings are read again at least this often. */
const MAX_TIMER_MS = 60_000;

export interface HeartbeatSource {
  readonly agent: Pick<Agent, "start" | "running" | "on">;
  readonly agents: Agents;
  readonly config: () => ClawtoolsConfig;
  readonly clock: Clock;
  readonly report: (message: string) => void;
}

export interface Heartbeat {
  /** A turn of this session now; by default the agent's main one. */
  wakeNow(agentId: string, sessionKey?: string): Promise<void>;
  /** When and how the last one ended. */
  last(): { readonly ts: number; readonly agentId: string; readonly status: string } | null;
  /** As clients show it. */
  describe(agentId: string): {
    readonly enabled: boolean;
    readonly every: string;
    readonly everyMs: number | null;
    readonly prompt: string;
    readonly target: string;
    readonly ackMaxChars: number;
  };
  close(): void;
}

export function createHeartbeat(source: HeartbeatSource): Heartbeat {
  const { agent, agents, config, clock, report } = source;
  /** When each agent is due next. */
  const due = new Map<string, number>();
  const open = new Map<string, string>();
  let last: ReturnType<Heartbeat["last"]> = null;
  let cancel: (() => void) | undefined;

  async function wakeNow(agentId: string, sessionKey = `agent:${agentId}:main`): Promise<void> {
    // Events that wait are read by the run that is under way.
    if (open.has(sessionKey) || agent.running(sessionKey) !== undefined) return;
    open.set(sessionKey, agentId);
    try {
      const message = settingsOf(config(), agentId).prompt ?? DEFAULT_PROMPT;
      const started = await agent.start({ message, sessionKey, kind: "heartbeat" });
      void started.ended
        .then(({ state, reply }) => {
          const isSilent = reply?.trim() === "HEARTBEAT_OK";
          last = { ts: clock.now(), agentId, status: isSilent ? "ok-token" : state };
        })
        .catch((error) => report(`heartbeat of ${agentId}: ${String(error)}`))
        .finally(() => open.delete(sessionKey));
    } catch (error) {
      open.delete(sessionKey);
      throw error;
    }
  }

  function tick(): void {
    const nowMs = clock.now();
    let nextMs = nowMs + MAX_TIMER_MS;
    for (const { id } of agents.list()) {
      const everyMs = readEvery(settingsOf(config(), id).every);
      if (everyMs === undefined) {
        due.delete(id);
        continue;
      }
      const at = due.get(id) ?? nowMs + everyMs;
      const isDue = at <= nowMs;
      if (isDue) void wakeNow(id).catch((error) => report(`heartbeat of ${id}: ${String(error)}`));
      due.set(id, isDue ? nowMs + everyMs : at);
      nextMs = Math.min(nextMs, due.get(id) ?? nextMs);
    }
    cancel = clock.after(Math.max(0, nextMs - nowMs), tick);
  }
  tick();

  return {
    wakeNow,
    last: () => last,
    describe(agentId) {
      const {
        every = "0m",
        prompt = DEFAULT_PROMPT,
        target = "last",
      } = settingsOf(config(), agentId);
      const everyMs = readEvery(every) ?? null;
      return { enabled: everyMs !== null, every, everyMs, prompt, target, ackMaxChars: 0 };
    },
    close: () => cancel?.(),
  };
}

function settingsOf(config: ClawtoolsConfig, agentId: string) {
  const own = findAgent(config, agentId)?.heartbeat;
  return { ...config.agents?.defaults?.heartbeat, ...own };
}

/** Undefined when heartbeats are off, which is the default. */
function readEvery(every: string | undefined): number | undefined {
  const text = every?.trim() ?? "";
  return parseSpanMs(/^\d+$/.test(text) ? `${text}ms` : text);
}
