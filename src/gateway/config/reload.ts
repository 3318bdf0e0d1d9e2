// Applies a changed config to a running gateway: at once where it can be, else by a restart.

import { isToolError, type Toolkit } from "../../core/index.js";
import { type Agents, forToolkits } from "../agents.js";
import type { GatewayEvents } from "../events.js";
import type { GatewayLog } from "../log/log-file.js";
import type { RestartRequest, Restarts } from "../restarts.js";
import type { ConfigFile } from "./config-file.js";

/** Read once, when the port is opened. */
const RESTART_PATHS = [
  "gateway.port",
  "gateway.bind",
  "gateway.customBindHost",
  "gateway.auth",
  "gateway.tls",
  "gateway.allowedHosts",
  "gateway.allowedOrigins",
];

interface Reloaded {
  readonly changedPaths: readonly string[];
  /** `hot`: in force. `restart`: in force after a restart that is on its way. */
  readonly applied: "none" | "hot" | "restart" | "restart-needed";
  /** The paths that made a restart necessary. */
  readonly restartPaths: readonly string[];
}

/** Whom to tell after a restart. */
interface ReloadRequest extends Partial<Omit<RestartRequest, "reason">> {
  /** Of a write, which is in force already. */
  readonly reloaded?: readonly string[];
}

export type Reloader = ReturnType<typeof createReloader>;

export function createReloader(options: {
  readonly config: ConfigFile;
  readonly agents: Agents;
  readonly log: GatewayLog;
  readonly events: GatewayEvents;
  readonly restarts: Restarts;
}) {
  const { config, agents, log, events, restarts } = options;

  /** The sections that are in force after a restart only. */
  function applyTo(toolkit: Toolkit, changedPaths: readonly string[]): readonly string[] {
    try {
      return toolkit.setPolicy({ ...forToolkits(config.current()) });
    } catch (error) {
      // Another default agent than the one it was made for: it keeps its rules until the restart.
      if (!isToolError(error)) throw error;
      log.write("warn", `A changed config waits for a restart: ${error.message}`);
      return changedPaths;
    }
  }

  async function apply({ reloaded, ...request }: ReloadRequest = {}): Promise<Reloaded> {
    const changedPaths = reloaded ?? (await config.reload());
    if (changedPaths.length === 0) return { changedPaths, applied: "none", restartPaths: [] };
    const { mode = "hybrid" } = config.current().gateway?.reload ?? {};
    const sections = new Set(agents.open().flatMap((toolkit) => applyTo(toolkit, changedPaths)));
    const restartPaths = changedPaths.filter(
      (path) =>
        RESTART_PATHS.some((one) => isWithin(path, one)) ||
        [...sections].some((one) => isWithin(path, one)),
    );
    events.emit("config.changed", {
      path: config.files()[0],
      hash: config.appliedHash,
      changedPaths,
    });
    log.write("info", `config changed: ${changedPaths.slice(0, 20).join(", ")}`);
    const wantsRestart = mode === "restart" || restartPaths.length > 0;
    if (!wantsRestart) return { changedPaths, applied: "hot", restartPaths };
    if (mode === "off" || mode === "hot" || !restarts.isPossible) {
      return { changedPaths, applied: "restart-needed", restartPaths };
    }
    const { kind = "config-apply", ...rest } = request;
    const reason = `config changed: ${restartPaths.slice(0, 5).join(", ") || "gateway.reload.mode is restart"}`;
    await restarts.request({ ...rest, kind, reason });
    return { changedPaths, applied: "restart", restartPaths };
  }

  return {
    apply,
    /** After a change by another program. Never rejects: on failure the old config stays in force. */
    async fromFile(): Promise<void> {
      try {
        if (config.current().gateway?.reload?.mode !== "off") await apply();
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        log.write("error", `The changed config is not used; the one before stays in force. ${why}`);
      }
    },
  };
}

function isWithin(path: string, section: string): boolean {
  return path === section || path.startsWith(`${section}.`) || section.startsWith(`${path}.`);
}
