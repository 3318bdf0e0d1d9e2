// Methods about the gateway itself: health, status, presence, log.

import { hostname } from "node:os";
import { t } from "../../core/index.js";
import { readProcessUse } from "../../drivers/environment.js";
import type { FoundEntry } from "../../sessions/index.js";
import { MAX_LOG_BYTES, tailLog } from "../log/log-file.js";
import { defineMethod, type GatewayServices } from "../services.js";

const DEFAULT_LINES = 500;
const MAX_LINES = 5_000;
const DEFAULT_LOG_BYTES = 250_000;
const MAX_RECENT = 5;

const health = defineMethod({
  name: "health",
  params: t.object({}),
  scope: "none",
  help: "Whether the gateway works, for how long, and with which agents.",
  run: ({ services }) => readHealth(services),
});

const status = defineMethod({
  name: "status",
  params: t.object({}),
  scope: "operator.read",
  help: "Version, connections, agents, memory and config of the gateway.",
  async run({ services }) {
    const { version, connections, config, stateDir, log, models } = services;
    const health = await readHealth(services);
    const { sessions, agents } = health;
    const { pid, rssBytes, heapUsedBytes } = readProcessUse();
    return {
      ...health,
      uptimeMs: readUptimeMs(services),
      version,
      runtimeVersion: version,
      host: hostname(),
      pid,
      memory: { rssBytes, heapUsedBytes },
      stateDir,
      logFile: log.path,
      configHash: config.appliedHash,
      configProblem: config.problem ?? null,
      connections: connections.count,
      heartbeat: {
        defaultAgentId: health.defaultAgentId,
        agents: agents.map(({ agentId, heartbeat }) => ({ agentId, ...heartbeat })),
      },
      channelSummary: [],
      queuedSystemEvents: [],
      sessions: {
        ...sessions,
        paths: [sessions.path],
        defaults: { model: models.usual(health.defaultAgentId) ?? null, contextTokens: null },
      },
    };
  },
});

const presence = defineMethod({
  name: "system-presence",
  params: t.object({}),
  scope: "operator.read",
  help: "Clients and nodes that are connected.",
  run: ({ services }) => services.connections.presence().entries,
});

const lastHeartbeat = defineMethod({
  name: "last-heartbeat",
  params: t.object({}),
  scope: "operator.read",
  help: "The last heartbeat of an agent, or null.",
  run: ({ services }) => services.heartbeat.last(),
});

const logsTail = defineMethod({
  name: "logs.tail",
  params: t.object({
    cursor: t.optional(t.integer({ description: "Only what came after.", minimum: 0 })),
    limit: t.optional(t.integer({ description: "Lines.", minimum: 1, maximum: MAX_LINES })),
    maxBytes: t.optional(t.integer({ description: "Bytes.", minimum: 1, maximum: MAX_LOG_BYTES })),
  }),
  scope: "operator.read",
  help: "The end of the log, or what came after a cursor.",
  async run({ services }, { cursor, limit = DEFAULT_LINES, maxBytes = DEFAULT_LOG_BYTES }) {
    await services.log.flush();
    return await tailLog(services.log.path, {
      limit,
      maxBytes,
      ...(cursor === undefined ? {} : { cursor }),
    });
  },
});

export const HEALTH_METHODS = [health, status, presence, lastHeartbeat, logsTail] as const;

/** Also the snapshot of `hello-ok`. */
export async function readHealth({ clock, agent, agents, heartbeat, stateDir }: GatewayServices) {
  const nowMs = Math.floor(clock.now());
  const all = [...(await agent.sessionStore.entries.all()).values()];
  /** How many there are, and the newest. */
  const summarize = (found: readonly FoundEntry[]) => ({
    path: stateDir,
    count: found.length,
    recent: found
      .toSorted((one, other) => other.entry.updatedAtMs - one.entry.updatedAtMs)
      .slice(0, MAX_RECENT)
      .map(({ key, entry }) => {
        const updatedAt = Math.floor(entry.updatedAtMs);
        return { key, updatedAt, age: Math.max(0, nowMs - updatedAt) };
      }),
  });
  return {
    ok: true,
    ts: nowMs,
    durationMs: 0,
    channels: {},
    channelOrder: [],
    channelLabels: {},
    heartbeatSeconds: Math.floor((heartbeat.describe(agents.defaultId).everyMs ?? 0) / 1_000),
    defaultAgentId: agents.defaultId,
    agents: agents.list().map(({ id, name, isDefault }) => ({
      agentId: id,
      ...(name === undefined ? {} : { name }),
      isDefault,
      heartbeat: heartbeat.describe(id),
      sessions: summarize(all.filter(({ key }) => key.startsWith(`agent:${id}:`))),
    })),
    sessions: summarize(all),
  };
}

export function readUptimeMs({ clock, startedAtMs }: GatewayServices): number {
  return Math.max(0, Math.floor(clock.now()) - startedAtMs);
}
