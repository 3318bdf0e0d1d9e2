// What the model sees of `gateway`: its configuration, restart and update. Which keys an agent may
// write, and whether restart is on, the gateway decides.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const MAX_DELAY_MS = 60_000;
const MAX_REASON_CHARS = 200;

const text = (description: string) => t.optional(t.string({ description }));
const whole = (description: string, limits: { minimum?: number; maximum?: number }) =>
  t.optional(t.integer({ description, ...limits }));

const parameters = t.object({
  action: t.choice(
    ["restart", "config.get", "config.schema", "config.apply", "config.patch", "update.run"],
    {
      description:
        "config.apply replaces the configuration, config.patch merges into it; these and update.run restart the gateway if needed and wake the session.",
    },
  ),
  raw: text(
    "config.apply: the whole configuration as JSON5. config.patch: a JSON5 object to merge; null deletes a key, lists are replaced.",
  ),
  baseHash: text("config.apply, config.patch: hash from your last config.get."),
  delayMs: whole("restart: delay, so that this answer gets out (default 2000).", {
    minimum: 0,
    maximum: MAX_DELAY_MS,
  }),
  restartDelayMs: whole("Same for config.apply, config.patch, update.run.", {
    minimum: 0,
    maximum: MAX_DELAY_MS,
  }),
  reason: t.optional(t.string({ description: "restart: why.", maxLength: MAX_REASON_CHARS })),
  note: text("Text for the session when it is woken."),
  sessionKey: text("Session to wake (default: this one)."),
  gatewayUrl: text("Another gateway than ws://127.0.0.1:18789."),
  gatewayToken: text("Required with gatewayUrl."),
  timeoutMs: whole("Limit of the gateway call.", { minimum: 1 }),
});

const needs = ["gateway"] as const;

export type GatewayToolCall = ToolCall<typeof parameters, typeof needs>;

export const gateway = defineBuiltIn({
  name: "gateway",
  description:
    "Read or change the gateway's configuration, restart or update it in place. A change is checked before it is written; a refused one names the key.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: false },
  guidance: [
    "Before changing the configuration, read it with config.get, look keys up in config.schema, and pass the baseHash. Prefer config.patch to config.apply.",
    "Restart, update or change the configuration only when the user asked for it. restart works only with commands.restart: true.",
  ],
  ownerOnly: true,
  needs,
  load: () => import("./execute.js"),
});
