// Conversations: `session`, `messages`, `channels`.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { either, openSection, texts } from "./section.js";
import { toolLists, toolsBySender } from "./tools.js";

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

const flag = (description: string) => t.boolean({ description });

const modelOverrides = lazy(() =>
  openSection("Settings the agent may override.", {
    enabled: t.boolean({ description: "Allow overrides.", default: true }),
    allowText: flag("Allow other text."),
    allowProvider: flag("Allow another provider."),
    allowVoice: flag("Allow another voice."),
    allowModelId: flag("Allow another model."),
    allowVoiceSettings: flag("Allow other voice settings."),
    allowNormalization: flag("Allow other text normalization."),
    allowSeed: flag("Allow another seed."),
  }),
);

const provider = (name: string) =>
  openSection(`The \`${name}\` provider.`, {
    apiKey: t.string({ description: "API key." }),
    voice: t.string({ description: "Voice." }),
    model: t.string({ description: "Model." }),
  });

const tts = lazy(() =>
  openSection("Speech.", {
    auto: t.choice(["off", "always", "inbound", "tagged"], {
      description: "Which replies are spoken.",
    }),
    mode: t.choice(["final", "all"], { description: "Speak the final reply, or every part." }),
    provider: t.string({ description: "Provider." }),
    summaryModel: t.string({ description: "Model that summarizes long replies." }),
    modelOverrides: modelOverrides(),
    maxTextLength: t.integer({
      description: "Maximum characters.",
      minimum: 1,
      default: 4_000,
    }),
    timeoutMs: t.integer({
      description: "Timeout.",
      minimum: 1,
      default: 30_000,
    }),
    prefsPath: t.string({ description: "User preferences file." }),
    openai: provider("openai"),
    elevenlabs: provider("elevenlabs"),
    edge: provider("edge"),
  }),
);

const queue = lazy(() =>
  openSection("Messages that arrive during a run.", {
    mode: t.choice(["steer", "followup", "collect", "steer-backlog", "interrupt", "queue"], {
      description:
        "How messages that arrive during a run are handled; `steer-backlog` and `queue` mean `steer`.",
    }),
    debounceMs: t.integer({
      description: "How long `collect` waits for more messages.",
      minimum: 0,
    }),
    cap: t.integer({
      description: "Maximum messages that one run takes at once.",
      minimum: 1,
      default: 20,
    }),
    drop: t.choice(["summarize", "old", "new"], {
      description:
        "When more wait: drop the oldest and quote them, drop the oldest, or refuse new ones.",
    }),
  }),
);

export const messages = lazy(() =>
  openSection("Messages.", {
    responsePrefix: t.string({ description: "Prefix of every reply." }),
    ackReaction: t.string({ description: "Acknowledgement reaction." }),
    groupChat: openSection("Groups.", {
      mentionPatterns: texts("Patterns that count as a mention."),
      historyLimit: t.integer({ description: "Messages of history to include.", minimum: 0 }),
    }),
    queue: queue(),
    tts: tts(),
  }),
);

const senders = lazy(() =>
  t.array(either([t.string(), t.number()]), {
    description: "Allowed senders; `*` means anyone.",
  }),
);

const group = lazy(() =>
  openSection("One group.", {
    enabled: t.boolean({ description: "Enable the group." }),
    requireMention: t.boolean({ description: "Reply only when mentioned." }),
    tools: toolLists(),
    toolsBySender: toolsBySender(),
  }),
);

const channel = lazy(() =>
  openSection("One channel; it may add keys.", {
    enabled: t.boolean({ description: "Enable the channel." }),
    botToken: t.string({ description: "Bot token." }),
    apiRoot: t.string({ description: "Base URL." }),
    httpUrl: t.string({ description: "Daemon URL." }),
    cliPath: t.string({ description: "CLI executable." }),
    dmPolicy: t.choice(["pairing", "allowlist", "open", "disabled"], {
      description: "Who may send direct messages.",
    }),
    groupPolicy: t.choice(["allowlist", "open", "disabled"], {
      description: "Which groups are enabled.",
    }),
    allowFrom: senders(),
    actions: t.record(t.boolean(), { description: "Actions to enable or disable." }),
    groups: t.record(group(), { description: "Groups by id; `*` means all." }),
  }),
);

export const channels = lazy(() =>
  t.record(channel(), { description: "Channels by name, such as `slack`." }),
);
