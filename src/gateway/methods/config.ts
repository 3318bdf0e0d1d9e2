// Methods about the config and the life of the gateway: read, change, restart, update.

import { configJsonSchema } from "../../config/index.js";
import { ToolError, t } from "../../core/index.js";
import { runUpdate } from "../../drivers/run-update.js";
import { findSessionKey } from "../agents.js";
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

const applying = (kind: "apply" | "patch", help: string) =>
  defineMethod({
    name: `config.${kind}`,
    params: t.object({ raw: raw(), baseHash: baseHash(), ...asking() }),
    scope: "operator.admin",
    help,
    run: ({ services }, params) => change(services, { ...params, kind }),
  });
const apply = applying(
  "apply",
  "Replaces the config and applies it, with a restart where it needs one.",
);
const patch = applying("patch", "Merges a patch (RFC 7396) into the config and applies it.");

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
    services.restarts.request({ ...rest, ...askerOf(services, rest), kind: "restart", reason }),
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
  async run({ services }, { restartDelayMs, timeoutMs, ...from }) {
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
      // A client that leaves must not stop it half way.
      signal: services.closing,
    });
    const { restarts } = services;
    const asked = { kind: "update", ...askerOf(services, from) } as const;
    const isOk = result.status === "ok";
    if (isOk && restarts.isPossible) {
      const request = { ...asked, reason: "updated", delayMs: restartDelayMs };
      return { ok: true, result, restart: await restarts.request(request) };
    }
    const message = isOk
      ? "The update succeeded. Restart the program that runs the gateway."
      : `The update failed: ${result.reason}`;
    await restarts.wake({ ...asked, status: result.status, message });
    return { ok: isOk, result, restart: null };
  },
});

export const CONFIG_METHODS = [get, schema, set, apply, patch, restart, update] as const;

interface Asker {
  /** `main` is the main session of the default agent. */
  readonly sessionKey?: string | undefined;
  readonly note?: string | undefined;
}

interface Change extends ConfigWrite, Asker {
  readonly restartDelayMs?: number | undefined;
}

/** Whom to tell of the outcome, by the whole key of the session. */
function askerOf({ agents }: GatewayServices, { sessionKey, note }: Asker): Asker {
  return { note, ...(sessionKey && { sessionKey: findSessionKey(agents, { sessionKey }) }) };
}

async function change(services: GatewayServices, request: Change) {
  const { sessionKey: _key, note: _note, restartDelayMs, ...write } = request;
  const asker = askerOf(services, request);
  const { reloaded, ...written } = await services.config.write(write);
  const kind = `config-${write.kind}` as const;
  const applied = await services.reload.apply({
    ...{ kind, reloaded, ...asker },
    delayMs: restartDelayMs,
  });
  if (applied.applied !== "restart") {
    const message = {
      none: "The config already was like this; nothing changed.",
      hot: "The config was changed and is in force.",
      "restart-needed": `The config was changed; restart the gateway for ${applied.restartPaths.join(", ")}.`,
    }[applied.applied];
    await services.restarts.wake({ kind, status: "ok", ...asker, message });
  }
  return {
    ok: true,
    ...written,
    applied: applied.applied,
    restartPaths: applied.restartPaths,
  };
}
