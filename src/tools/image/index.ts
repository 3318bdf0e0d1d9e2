// What the model sees of `image`: asking a vision model about one picture.

import { type DetailsOf, defineBuiltIn, type ToolCall, t } from "../../core/index.js";

/** A data: URL carries the whole picture in the arguments. */
const MAX_ARGUMENT_CHARS = 32 * 1024 * 1024;

const parameters = t.object({
  image: t.string({
    description: "Path, MEDIA: line, http(s) URL or data: URL of the image.",
    minLength: 1,
  }),
  prompt: t.optional(
    t.string({ description: "What to find out.", default: "Describe the image." }),
  ),
  model: t.optional(
    t.string({ description: "Vision model, as provider/model; default as configured." }),
  ),
  maxBytesMb: t.optional(t.number({ description: "Refuse larger files, in MB.", minimum: 0 })),
});

export type ImageCall = ToolCall<typeof parameters>;

/** `details` of a result of `image`. */
export type ImageDetails = DetailsOf<typeof import("./execute.js").execute>;

export const image = defineBuiltIn({
  name: "image",
  description:
    "Look at an image with the configured vision model, whatever model runs this chat. Returns the model's answer to prompt as text.",
  parameters,
  readOnly: true,
  effects: { openWorld: true },
  aliases: { path: "image", file_path: "image", url: "image" },
  maxArgumentChars: MAX_ARGUMENT_CHARS,
  guidance: [
    "Ask image a precise question; an image already in this chat needs no call if you can see it.",
  ],
  load: () => import("./execute.js"),
});
