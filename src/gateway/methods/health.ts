// Methods about the gateway itself: health, status, presence, log.

import { hostname } from "node:os";
import { t } from "../../core/index.js";
import { readProcessUse } from "../../drivers/environment/index.js";
import { tailLog } from "../log/log-file.js";
import { defineMethod, type GatewayServices } from "../services.js";

const DEFAULT_LINES = 500;
const MAX_LINES = 5_000;
const DEFAULT_LOG_BYTES = 250_000;
const MAX_LOG_BYTES = 1_000_000;

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
  run({ services }) {
    const { version, connections, config, agents, stateDir, log } = services;
    const { pid, rssBytes, heapUsedBytes } = readProcessUse();
    return {
      ...readHealth(services),
      uptimeMs: readUptimeMs(services),
      version,
      runtimeVersion: version,
      host: hostname(),
      pid,
      memory: { rssBytes, heapUsedBytes },
      stateDir,
      logFile: log.path,
      configHash: config.appliedHash,
      connections: connections.count,
      heartbeat: { defaultAgentId: agents.defaultId, agents: [] },
      channelSummary: [],
      queuedSystemEvents: [],
      sessions: { count: 0, recent: [], paths: [], defaults: { model: null, contextTokens: null } },
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

/** What the command line of OpenClaw reads; agents have no heartbeat of their own yet. */
const NO_HEARTBEAT = {
  enabled: false,
  every: "0m",
  everyMs: null,
  prompt: "",
  target: "none",
  ackMaxChars: 0,
} as const;

/** Also the snapshot of `hello-ok`. */
export function readHealth({ clock, agents, stateDir }: GatewayServices) {
  const sessions = { path: stateDir, count: 0, recent: [] };
  return {
    ok: true,
    ts: Math.floor(clock.now()),
    durationMs: 0,
    channels: {},
    channelOrder: [],
    channelLabels: {},
    heartbeatSeconds: 0,
    defaultAgentId: agents.defaultId,
    agents: agents.list().map(({ id, name, isDefault }) => ({
      agentId: id,
      ...(name === undefined ? {} : { name }),
      isDefault,
      heartbeat: NO_HEARTBEAT,
      sessions,
    })),
    sessions,
  };
}

export function readUptimeMs({ clock, startedAtMs }: GatewayServices): number {
  return Math.max(0, Math.floor(clock.now()) - startedAtMs);
}
