// What every method of the gateway works with, and `defineMethod` for them. Rooms that add methods
// add the service they need here.

import type { Agent } from "../agent/index.js";
import type { Clock, Images, RandomSource, Store } from "../core/index.js";
import { type Method, methodDefiner } from "../protocol/index.js";
import type { GatewayModels } from "./agent/models.js";
import type { Agents } from "./agents.js";
import type { ApprovalDesk } from "./approval-desk.js";
import type { ConfigFile } from "./config/config-file.js";
import type { Reloader } from "./config/reload.js";
import type { Connections } from "./connections/connections.js";
import type { Cron } from "./cron/engine.js";
import type { Devices } from "./devices/devices.js";
import type { GatewayEvents } from "./events.js";
import type { Heartbeat } from "./heartbeat.js";
import type { HttpRoutes } from "./http/routes.js";
import type { GatewayLog } from "./log/log-file.js";
import type { Restarts } from "./restarts.js";

export interface GatewayServices {
  readonly version: string;
  readonly startedAtMs: number;
  readonly stateDir: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly images: Images;
  readonly log: GatewayLog;
  readonly config: ConfigFile;
  readonly agents: Agents;
  readonly models: GatewayModels;
  /** Runs conversations of all agents. */
  readonly agent: Agent;
  readonly cron: Cron;
  readonly heartbeat: Heartbeat;
  readonly events: GatewayEvents;
  readonly connections: Connections;
  readonly devices: Devices;
  readonly approvals: ApprovalDesk;
  readonly restarts: Restarts;
  /** Applies changes of the config. */
  readonly reload: Reloader;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  /** For rooms that serve HTTP of their own. */
  readonly routes: HttpRoutes;
}

export type GatewayMethod = Method<GatewayServices>;

export const defineMethod = methodDefiner<GatewayServices>();
