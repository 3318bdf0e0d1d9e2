// Conversations: `session`, `messages`, `channels`.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { choice, either, flag, integer, number, openSection, text, texts } from "./section.js";
import { toolLists, toolsBySender } from "./tools.js";

const MAX_PING_PONG_TURNS = 5;

const idleMinutes = () => number("Idle time before a reset.", { minimum: 1 });

const reset = lazy(() =>
  openSection("When a session resets.", {
    mode: choice("Reset mode.", ["none", "daily", "idle"]),
    atHour: integer("Hour of the daily reset.", { minimum: 0, maximum: 23, default: 4 }),
    idleMinutes: idleMinutes(),
  }),
);

const verdict = (description: string) => choice(description, ["allow", "deny"]);

const sendPolicy = () =>
  openSection("Which sessions may send messages.", {
    default: verdict("Action when no rule matches."),
    rules: t.array(
      openSection("The first matching rule applies.", {
        action: verdict("Action of the rule."),
        match: openSection("What the rule matches.", {
          channel: text("Channel."),
          chatType: text("Chat type to match."),
          keyPrefix: text("Session key prefix to match."),
        }),
      }),
      { description: "Rules, in order." },
    ),
  });

export const session = () =>
  openSection("Sessions.", {
    scope: choice("One session per sender, or one for all.", ["per-sender", "global"]),
    dmScope: choice(
      "Which direct chats share a session.",
      ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"],
      { default: "main" },
    ),
    mainKey: text("Key of the main session.", { minLength: 1 }),
    store: text("Session store; `{agentId}` is replaced."),
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
    retentionDays: integer("Delete sessions unused for this many days, except main sessions.", {
      minimum: 1,
    }),
    sendPolicy: sendPolicy(),
    agentToAgent: openSection("Conversations between agents.", {
      maxPingPongTurns: integer("Maximum replies back and forth after `sessions_send`.", {
        minimum: 0,
        maximum: MAX_PING_PONG_TURNS,
        default: MAX_PING_PONG_TURNS,
      }),
    }),
  });

const modelOverrides = () =>
  openSection("Settings the agent may override.", {
    enabled: flag("Allow overrides.", { default: true }),
    allowText: flag("Allow other text."),
    allowProvider: flag("Allow another provider."),
    allowVoice: flag("Allow another voice."),
    allowModelId: flag("Allow another model."),
    allowVoiceSettings: flag("Allow other voice settings."),
    allowNormalization: flag("Allow other text normalization."),
    allowSeed: flag("Allow another seed."),
  });

const provider = (name: string) =>
  openSection(`The \`${name}\` provider.`, {
    apiKey: text("API key."),
    voice: text("Voice."),
    model: text("Model."),
  });

const tts = () =>
  openSection("Speech.", {
    auto: choice("Which replies are spoken.", ["off", "always", "inbound", "tagged"]),
    mode: choice("Speak the final reply, or every part.", ["final", "all"]),
    provider: text("Provider."),
    summaryModel: text("Model that summarizes long replies."),
    modelOverrides: modelOverrides(),
    maxTextLength: integer("Maximum characters.", { minimum: 1, default: 4_000 }),
    timeoutMs: integer("Timeout.", { minimum: 1, default: 30_000 }),
    prefsPath: text("User preferences file."),
    openai: provider("openai"),
    elevenlabs: provider("elevenlabs"),
    edge: provider("edge"),
  });

const queue = () =>
  openSection("Messages that arrive during a run.", {
    mode: choice(
      "How messages that arrive during a run are handled; `steer-backlog` and `queue` mean `steer`.",
      ["steer", "followup", "collect", "steer-backlog", "interrupt", "queue"],
    ),
    debounceMs: integer("How long `collect` waits for more messages.", { minimum: 0 }),
    cap: integer("Maximum messages that one run takes at once.", { minimum: 1, default: 20 }),
    drop: choice(
      "When more wait: drop the oldest and quote them, drop the oldest, or refuse new ones.",
      ["summarize", "old", "new"],
    ),
  });

export const messages = () =>
  openSection("Messages.", {
    responsePrefix: text("Prefix of every reply."),
    ackReaction: text("Acknowledgement reaction."),
    groupChat: openSection("Groups.", {
      mentionPatterns: texts("Patterns that count as a mention."),
      historyLimit: integer("Messages of history to include.", { minimum: 0 }),
    }),
    queue: queue(),
    tts: tts(),
  });

const senders = () =>
  t.array(either([t.string(), t.number()]), {
    description: "Allowed senders; `*` means anyone.",
  });

const group = () =>
  openSection("One group.", {
    enabled: flag("Enable the group."),
    requireMention: flag("Reply only when mentioned."),
    tools: toolLists(),
    toolsBySender: toolsBySender(),
  });

const channel = () =>
  openSection("One channel; it may add keys.", {
    enabled: flag("Enable the channel."),
    botToken: text("Bot token."),
    apiRoot: text("Base URL."),
    httpUrl: text("Daemon URL."),
    cliPath: text("CLI executable."),
    dmPolicy: choice("Who may send direct messages.", ["pairing", "allowlist", "open", "disabled"]),
    groupPolicy: choice("Which groups are enabled.", ["allowlist", "open", "disabled"]),
    allowFrom: senders(),
    actions: t.record(t.boolean(), { description: "Actions to enable or disable." }),
    groups: t.record(group(), { description: "Groups by id; `*` means all." }),
  });

export const channels = () =>
  t.record(channel(), { description: "Channels by name, such as `slack`." });
