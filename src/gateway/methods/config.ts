// Methods about the config and the life of the gateway: read, change, restart, update.

import { configJsonSchema } from "../../config/index.js";
import { ToolError, t } from "../../core/index.js";
import { runUpdate } from "../../drivers/run-update.js";
import type { ConfigWrite } from "../config/config-file.js";
import { defineMethod, type GatewayServices } from "../services.js";

const MAX_RAW_CHARS = 1024 * 1024;
const MAX_NOTE_CHARS = 2_000;
const DEFAULT_UPDATE_SECONDS = 600;

const raw = () =>
  t.string({ description: "JSON or JSON5.", minLength: 1, maxLength: MAX_RAW_CHARS });
const baseHash = () => t.optional(t.string({ description: "`hash` of the last config.get." }));
const asking = () => ({
  sessionKey: t.optional(t.string({ description: "Session to notify of the outcome." })),
  note: t.optional(t.string({ description: "For that session.", maxLength: MAX_NOTE_CHARS })),
  restartDelayMs: t.optional(t.integer({ description: "Before a restart.", minimum: 0 })),
});

const get = defineMethod({
  name: "config.get",
  params: t.object({}),
  scope: "operator.read",
  help: "The config without secrets, and its hash.",
  run: ({ services }) => services.config.read(),
});

const schema = defineMethod({
  name: "config.schema",
  params: t.object({}),
  scope: "operator.read",
  help: "The JSON Schema of the config.",
  run: ({ services }) => ({
    schema: configJsonSchema(),
    uiHints: {},
    version: services.version,
    generatedAt: new Date(services.startedAtMs).toISOString(),
  }),
});

const set = defineMethod({
  name: "config.set",
  params: t.object({ raw: raw(), baseHash: baseHash() }),
  scope: "operator.admin",
  help: "Replaces the config file.",
  run: ({ services }, params) => change(services, { ...params, kind: "set" }),
});

const apply = defineMethod({
  name: "config.apply",
  params: t.object({ raw: raw(), baseHash: baseHash(), ...asking() }),
  scope: "operator.admin",
  help: "Replaces the config and applies it, with a restart where it needs one.",
  run: ({ services }, params) => change(services, { ...params, kind: "apply" }),
});

const patch = defineMethod({
  name: "config.patch",
  params: t.object({ raw: raw(), baseHash: baseHash(), ...asking() }),
  scope: "operator.admin",
  help: "Merges a patch (RFC 7396) into the config and applies it.",
  run: ({ services }, params) => change(services, { ...params, kind: "patch" }),
});

const restart = defineMethod({
  name: "gateway.restart",
  params: t.object({
    reason: t.optional(t.string({ description: "For the log.", maxLength: 200 })),
    delayMs: t.optional(t.integer({ description: "Default 2000.", minimum: 0, maximum: 60_000 })),
    sessionKey: t.optional(t.string({ description: "Session to notify of the outcome." })),
    note: t.optional(t.string({ description: "For that session.", maxLength: MAX_NOTE_CHARS })),
  }),
  scope: "operator.admin",
  help: "Restarts the gateway in its own process.",
  run: ({ services }, { reason = "restart requested", ...rest }) =>
    services.restarts.request({ kind: "restart", reason, ...rest }),
});

const update = defineMethod({
  name: "update.run",
  params: t.object({
    ...asking(),
    timeoutMs: t.optional(
      t.integer({ description: "Default: update.timeoutSeconds.", minimum: 1 }),
    ),
  }),
  scope: "operator.admin",
  help: "Runs update.command, and restarts when it succeeded.",
  async run({ services, signal }, { sessionKey, note, restartDelayMs, timeoutMs }) {
    const { command, timeoutSeconds = DEFAULT_UPDATE_SECONDS } =
      services.config.current().update ?? {};
    if (command === undefined) {
      throw new ToolError("unavailable", "No update command is configured. Set update.command.", {
        reason: "update_not_configured",
      });
    }
    const result = await runUpdate({
      command,
      timeoutMs: timeoutMs ?? timeoutSeconds * 1_000,
      signal,
    });
    if (result.status !== "ok") {
      const message = `The update failed: ${result.reason}`;
      await services.restarts.wake({ kind: "update", status: "error", sessionKey, note, message });
      return { ok: false, result, restart: null };
    }
    const request = { kind: "update", reason: "updated", sessionKey, note } as const;
    return {
      ok: true,
      result,
      restart: await services.restarts.request({ ...request, delayMs: restartDelayMs }),
    };
  },
});

export const CONFIG_METHODS = [get, schema, set, apply, patch, restart, update] as const;

interface Change extends ConfigWrite {
  readonly sessionKey?: string | undefined;
  readonly note?: string | undefined;
  readonly restartDelayMs?: number | undefined;
}

async function change(services: GatewayServices, request: Change) {
  const { sessionKey, note, restartDelayMs, ...write } = request;
  const written = await services.config.write(write);
  const kind = `config-${write.kind}` as const;
  const applied = await services.reload.apply({ kind, sessionKey, note, delayMs: restartDelayMs });
  if (applied.applied !== "restart") {
    const message =
      applied.applied === "restart-needed"
        ? `The config was changed; restart the gateway for ${applied.restartPaths.join(", ")}.`
        : "The config was changed and is in force.";
    await services.restarts.wake({ kind, status: "ok", sessionKey, note, message });
  }
  return {
    ok: true,
    ...written,
    applied: applied.applied,
    restartPaths: applied.restartPaths,
  };
}
