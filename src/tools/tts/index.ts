// What the model sees of `tts`: text to a spoken audio file.

import { defineBuiltIn, t } from "../../core/index.js";

const parameters = t.object({
  text: t.string({ description: "Text to speak.", minLength: 1 }),
  channel: t.optional(
    t.string({
      description: "Channel id it is meant for, such as telegram; picks the audio format.",
    }),
  ),
});

export const tts = defineBuiltIn({
  name: "tts",
  description:
    "Turn text into speech. Returns MEDIA:<path> of the audio file; text longer than the configured limit is refused with that limit.",
  parameters,
  effects: { destructive: false, idempotent: false, openWorld: true },
  aliases: { input: "text" },
  guidance: [
    "Use tts only when the user asks for a voice answer; write numbers and symbols as they are spoken.",
  ],
  awaits: "the speech driver",
});
