// The answer to a client that was let in: what this gateway is, offers, and allows.

import { MAX_AUTHENTICATED_BYTES, type MethodTable } from "../protocol/index.js";
import type { Admission } from "./auth/authenticate.js";
import type { SharedSecret } from "./auth/shared-secret.js";
import { MAX_BUFFERED_BYTES, TICK_INTERVAL_MS } from "./connections/connections.js";
import { readHealth, readUptimeMs } from "./methods/health.js";
import type { GatewayServices } from "./services.js";

/** Events that any connection may get; others add theirs to the list when they come. */
const EVENTS = [
  "agent",
  "chat",
  "config.changed",
  "connect.challenge",
  "cron",
  "device.pair.requested",
  "device.pair.resolved",
  "exec.approval.requested",
  "exec.approval.resolved",
  "health",
  "heartbeat",
  "node.invoke.request",
  "node.pair.requested",
  "node.pair.resolved",
  "presence",
  "session.message",
  "sessions.changed",
  "shutdown",
  "tick",
] as const;

/** Makes the payload of `hello-ok`. */
export type Greet = (admission: Admission, connId: string) => unknown;

export function createGreeting(parts: {
  readonly services: GatewayServices;
  readonly table: MethodTable<GatewayServices>;
  readonly auth: SharedSecret;
}) {
  const { services, table, auth } = parts;
  const methods = table.methods.map(({ name }) => name);
  return async (): Promise<Greet> => {
    const health = await readHealth(services);
    return (admission, connId) => greet(admission, connId, health);
  };

  function greet(admission: Admission, connId: string, health: unknown) {
    const { connections, config, agents, models } = services;
    const presence = connections.presence();
    const { role, scopes, deviceToken, issuedAtMs } = admission;
    const device = deviceToken === undefined ? {} : { deviceToken, issuedAtMs };
    return {
      type: "hello-ok",
      protocol: admission.protocol,
      server: { version: services.version, connId },
      features: { methods, events: EVENTS },
      snapshot: {
        presence: presence.entries,
        health,
        stateVersion: { presence: presence.version, health: 0 },
        uptimeMs: readUptimeMs(services),
        appliedConfigHash: config.appliedHash === "" ? null : config.appliedHash,
        stateDir: services.stateDir,
        sessionDefaults: {
          defaultAgentId: agents.defaultId,
          mainKey: "main",
          mainSessionKey: `agent:${agents.defaultId}:main`,
          modelConfigured: models.usual(agents.defaultId) !== undefined,
        },
        authMode: auth.mode,
      },
      auth: { role, scopes, ...device },
      policy: {
        maxPayload: MAX_AUTHENTICATED_BYTES,
        maxBufferedBytes: MAX_BUFFERED_BYTES,
        tickIntervalMs: TICK_INTERVAL_MS,
      },
    };
  }
}
