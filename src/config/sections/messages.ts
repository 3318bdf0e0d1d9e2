// `messages`: what happens to messages on their way in and out, and speech.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

const flag = (description: string) => t.boolean({ description });

const modelOverrides = lazy(() =>
  openSection("What the agent may choose for itself.", {
    enabled: t.boolean({ description: "Anything at all.", default: true }),
    allowText: flag("Other words."),
    allowProvider: flag("Another provider."),
    allowVoice: flag("Another voice."),
    allowModelId: flag("Another model."),
    allowVoiceSettings: flag("Another tone."),
    allowNormalization: flag("How numbers are read."),
    allowSeed: flag("The seed."),
  }),
);

const provider = (name: string) =>
  openSection(`For the provider \`${name}\`.`, {
    apiKey: t.string({ description: "Key of the provider." }),
    voice: t.string({ description: "Voice." }),
    model: t.string({ description: "Model." }),
  });

const tts = lazy(() =>
  openSection("Speech.", {
    auto: t.choice(["off", "always", "inbound", "tagged"], {
      description: "Which answers are spoken.",
    }),
    mode: t.choice(["final", "all"], { description: "The last answer, or every part." }),
    provider: t.string({ description: "Who speaks." }),
    summaryModel: t.string({ description: "Model that shortens long answers." }),
    modelOverrides: modelOverrides(),
    maxTextLength: t.integer({
      description: "Characters of one speech.",
      minimum: 1,
      default: 4_000,
    }),
    timeoutMs: t.integer({
      description: "Milliseconds that one speech may take.",
      minimum: 1,
      default: 30_000,
    }),
    prefsPath: t.string({ description: "File of each person's choices." }),
    openai: provider("openai"),
    elevenlabs: provider("elevenlabs"),
    edge: provider("edge"),
  }),
);

const queue = lazy(() =>
  openSection("Messages that arrive during a run.", {
    mode: t.choice(["steer", "followup", "collect", "steer-backlog", "interrupt", "queue"], {
      description: "What happens to them; `steer-backlog` and `queue` mean `steer`.",
    }),
    debounceMs: t.integer({
      description: "Milliseconds that `collect` waits for further messages.",
      minimum: 0,
    }),
    cap: t.integer({
      description: "Messages that one run takes at once.",
      minimum: 1,
      default: 20,
    }),
    drop: t.choice(["summarize", "old", "new"], {
      description:
        "With more: drop the oldest, drop them and quote their beginnings, or refuse new ones.",
    }),
  }),
);

export const messages = lazy(() =>
  openSection("Messages.", {
    responsePrefix: t.string({ description: "Put before every answer." }),
    ackReaction: t.string({ description: "Sign that a message was seen." }),
    groupChat: openSection("Groups.", {
      mentionPatterns: texts("Patterns that speak to the agent."),
      historyLimit: t.integer({ description: "Messages that it is shown.", minimum: 0 }),
    }),
    queue: queue(),
    tts: tts(),
  }),
);
