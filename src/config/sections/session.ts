// `session`: how conversations become sessions, and when they start afresh.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

const MAX_PING_PONG_TURNS = 5;

const idleMinutes = lazy(() => t.number({ description: "Minutes without a word.", minimum: 1 }));

const reset = lazy(() =>
  openSection("When a session starts afresh.", {
    mode: t.choice(["none", "daily", "idle"], { description: "Every day, or after some quiet." }),
    atHour: t.integer({ description: "Hour of the day.", minimum: 0, maximum: 23, default: 4 }),
    idleMinutes: idleMinutes(),
  }),
);

const verdict = (description: string) => t.choice(["allow", "deny"], { description });

const sendPolicy = lazy(() =>
  openSection("Which sessions may send.", {
    default: verdict("When no rule fits."),
    rules: t.array(
      openSection("The first rule that fits decides.", {
        action: verdict("What the rule says."),
        match: openSection("What it fits.", {
          channel: t.string({ description: "Channel." }),
          chatType: t.string({ description: "Kind of chat." }),
          keyPrefix: t.string({ description: "Beginning of the session key." }),
        }),
      }),
      { description: "Rules, in order." },
    ),
  }),
);

export const session = lazy(() =>
  openSection("Sessions.", {
    scope: t.choice(["per-sender", "global"], { description: "One session for each, or for all." }),
    dmScope: t.choice(["main", "per-peer", "per-channel-peer", "per-account-channel-peer"], {
      description: "Which direct chats share a session.",
      default: "main",
    }),
    mainKey: t.string({ description: "Name of the main session.", minLength: 1 }),
    store: t.string({ description: "Place of the sessions; `{agentId}` is the agent." }),
    identityLinks: t.record(texts("Ids such as `telegram:123`."), {
      description: "Ids that are one person; the key is a name.",
    }),
    resetTriggers: texts("Messages that start a session afresh."),
    idleMinutes: idleMinutes(),
    reset: reset(),
    resetByType: t.record(reset(), { description: "The same for `dm`, `group`, `thread`." }),
    resetByChannel: t.record(reset(), { description: "The same for one channel." }),
    retentionDays: t.integer({
      description: "Days without use after which a session is deleted; main sessions stay.",
      minimum: 1,
    }),
    sendPolicy: sendPolicy(),
    agentToAgent: openSection("Agents that write to each other.", {
      maxPingPongTurns: t.integer({
        description: "Answers that go back and forth after `sessions_send`.",
        minimum: 0,
        maximum: MAX_PING_PONG_TURNS,
        default: MAX_PING_PONG_TURNS,
      }),
    }),
  }),
);
