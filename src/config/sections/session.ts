// `session`: how conversations become sessions, and when they start afresh.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

const MAX_PING_PONG_TURNS = 5;

const idleMinutes = lazy(() => t.number({ description: "Idle time before a reset.", minimum: 1 }));

const reset = lazy(() =>
  openSection("When a session resets.", {
    mode: t.choice(["none", "daily", "idle"], { description: "Reset mode." }),
    atHour: t.integer({
      description: "Hour of the daily reset.",
      minimum: 0,
      maximum: 23,
      default: 4,
    }),
    idleMinutes: idleMinutes(),
  }),
);

const verdict = (description: string) => t.choice(["allow", "deny"], { description });

const sendPolicy = lazy(() =>
  openSection("Which sessions may send messages.", {
    default: verdict("Action when no rule matches."),
    rules: t.array(
      openSection("The first matching rule applies.", {
        action: verdict("Action of the rule."),
        match: openSection("What the rule matches.", {
          channel: t.string({ description: "Channel." }),
          chatType: t.string({ description: "Chat type to match." }),
          keyPrefix: t.string({ description: "Session key prefix to match." }),
        }),
      }),
      { description: "Rules, in order." },
    ),
  }),
);

export const session = lazy(() =>
  openSection("Sessions.", {
    scope: t.choice(["per-sender", "global"], {
      description: "One session per sender, or one for all.",
    }),
    dmScope: t.choice(["main", "per-peer", "per-channel-peer", "per-account-channel-peer"], {
      description: "Which direct chats share a session.",
      default: "main",
    }),
    mainKey: t.string({ description: "Key of the main session.", minLength: 1 }),
    store: t.string({ description: "Session store; `{agentId}` is replaced." }),
    identityLinks: t.record(texts("Ids such as `telegram:123`."), {
      description: "Ids that belong to one person, by name.",
    }),
    resetTriggers: texts("Messages that reset a session."),
    idleMinutes: idleMinutes(),
    reset: reset(),
    resetByType: t.record(reset(), {
      description: "Reset rules per chat type: `dm`, `group`, `thread`.",
    }),
    resetByChannel: t.record(reset(), { description: "Reset rules per channel." }),
    retentionDays: t.integer({
      description: "Delete sessions unused for this many days, except main sessions.",
      minimum: 1,
    }),
    sendPolicy: sendPolicy(),
    agentToAgent: openSection("Conversations between agents.", {
      maxPingPongTurns: t.integer({
        description: "Maximum replies back and forth after `sessions_send`.",
        minimum: 0,
        maximum: MAX_PING_PONG_TURNS,
        default: MAX_PING_PONG_TURNS,
      }),
    }),
  }),
);
