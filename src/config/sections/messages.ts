// `messages`: what happens to messages on their way in and out, and speech.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

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
