// What the model sees of `canvas`: a page shown on a connected device, and A2UI surfaces on it.

import { defineBuiltIn, t } from "../../core/index.js";

const MAX_DELAY_MS = 10_000;

const text = (description: string) => t.optional(t.string({ description }));

const parameters = t.object({
  action: t.choice(["present", "hide", "navigate", "eval", "snapshot", "a2ui_push", "a2ui_reset"], {
    description: "What to do.",
  }),
  node: text("Node id or name (default: the only one with a canvas)."),
  target: text("present: URL or canvas path to show."),
  x: t.optional(t.number({ description: "present: left edge, pixels." })),
  y: t.optional(t.number({ description: "present: top edge, pixels." })),
  width: t.optional(t.number({ description: "present: pixels.", minimum: 1 })),
  height: t.optional(t.number({ description: "present: pixels.", minimum: 1 })),
  url: text("navigate: URL or canvas path."),
  javaScript: text("eval: code; its value comes back."),
  outputFormat: t.optional(
    t.choice(["png", "jpg", "jpeg"], { description: "snapshot: image type (default png)." }),
  ),
  maxWidth: t.optional(t.integer({ description: "snapshot: pixels.", minimum: 1 })),
  quality: t.optional(t.number({ description: "snapshot: JPEG quality.", minimum: 0, maximum: 1 })),
  delayMs: t.optional(
    t.integer({ description: "snapshot: wait first.", minimum: 0, maximum: MAX_DELAY_MS }),
  ),
  jsonl: text(
    "a2ui_push: A2UI v0.8, one JSON object a line: surfaceUpdate, dataModelUpdate, beginRendering or deleteSurface.",
  ),
  jsonlPath: text("a2ui_push: workspace file with the lines."),
  gatewayUrl: text("Another gateway than ws://127.0.0.1:18789."),
  gatewayToken: text("Required with gatewayUrl."),
  timeoutMs: t.optional(t.integer({ description: "Limit of the gateway call.", minimum: 1 })),
});

export const canvas = defineBuiltIn({
  name: "canvas",
  description:
    "Show pages and A2UI surfaces on the canvas of a connected node. snapshot gives an image and MEDIA:<path>; a push with wrong lines is refused with the line numbers.",
  parameters,
  effects: { destructive: false, idempotent: false, openWorld: true },
  aliases: { javascript: "javaScript", format: "outputFormat" },
  guidance: [
    "Order of canvas work: present, a2ui_push if a surface is wanted, snapshot to see it.",
    "A2UI here is v0.8: send surfaceUpdate lines, then beginRendering. createSurface belongs to v0.9 and is refused.",
  ],
  awaits: "the gateway with its nodes and the canvas host",
});
