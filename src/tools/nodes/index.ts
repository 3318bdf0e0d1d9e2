// What the model sees of `nodes`: paired devices and what they can do. `command` is a list for both
// `run` and `invoke`: a single string becomes a list of one, so no second type is needed.

import { defineBuiltIn, t } from "../../core/index.js";

const MAX_COMMAND_MS = 30 * 60_000;
const DEADLINE_MS = MAX_COMMAND_MS + 60_000;
const MIN_CLIP_MS = 250;
const MAX_CLIP_MS = 300_000;
const MAX_DELAY_MS = 10_000;
const MAX_FRAMES_PER_SECOND = 60;

const parameters = t.object({
  action: t.choice(
    [
      "status",
      "list",
      "describe",
      "pending",
      "approve",
      "reject",
      "notify",
      "run",
      "invoke",
      "camera_snap",
      "camera_clip",
      "screen_record",
      "location_get",
    ],
    { description: "list equals status. pending, approve, reject: pairing." },
  ),
  node: t.optional(t.string({ description: "Node id or name." })),
  requestId: t.optional(t.string({ description: "From pending." })),
  command: t.optional(
    t.array(t.string(), {
      description: "run: program and arguments, no shell. invoke: one node command.",
    }),
  ),
  params: t.optional(t.record(t.unknown(), { description: "invoke: parameters." })),
  cwd: t.optional(t.string({ description: "run: folder on the node." })),
  env: t.optional(t.array(t.string(), { description: "run: KEY=VAL each." })),
  commandTimeoutMs: t.optional(
    t.integer({ description: "run: limit.", minimum: 1, maximum: MAX_COMMAND_MS }),
  ),
  invokeTimeoutMs: t.optional(
    t.integer({
      description: "Limit on the node's answer (default 30000).",
      minimum: 1,
      maximum: MAX_COMMAND_MS,
    }),
  ),
  needsScreenRecording: t.optional(t.boolean({ description: "run: needs that permission." })),
  title: t.optional(t.string({ description: "notify: heading." })),
  body: t.optional(t.string({ description: "notify: text." })),
  facing: t.optional(
    t.choice(["front", "back", "both"], { description: "Camera; both: camera_snap only." }),
  ),
  deviceId: t.optional(t.string({ description: "Camera from invoke camera.list." })),
  maxWidth: t.optional(t.integer({ description: "camera_snap: pixels.", minimum: 1 })),
  quality: t.optional(
    t.number({ description: "camera_snap: JPEG quality.", minimum: 0, maximum: 1 }),
  ),
  delayMs: t.optional(
    t.integer({ description: "camera_snap: wait first.", minimum: 0, maximum: MAX_DELAY_MS }),
  ),
  durationMs: t.optional(
    t.integer({
      description: "Default: clip 3000, screen 10000.",
      minimum: MIN_CLIP_MS,
      maximum: MAX_CLIP_MS,
    }),
  ),
  includeAudio: t.optional(t.boolean({ description: "Default true." })),
  fps: t.optional(
    t.integer({
      description: "screen_record (default 10).",
      minimum: 1,
      maximum: MAX_FRAMES_PER_SECOND,
    }),
  ),
  screenIndex: t.optional(t.integer({ description: "screen_record, from 0.", minimum: 0 })),
  gatewayUrl: t.optional(t.string({ description: "Another gateway than ws://127.0.0.1:18789." })),
  gatewayToken: t.optional(t.string({ description: "Required with gatewayUrl." })),
  timeoutMs: t.optional(t.integer({ description: "Limit of the gateway call.", minimum: 1 })),
});

export const nodes = defineBuiltIn({
  name: "nodes",
  description:
    "Find paired devices and use them. Photos come as image and MEDIA:<path>, videos as FILE:<path> (mp4), location as JSON.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: true },
  aliases: { nodeId: "node", message: "body" },
  guidance: [
    "Order of node work: status, describe to see commands and permissions, then notify, run or camera.",
    "Use nodes run only with the user's explicit consent, given for that command.",
    "Take photos, clips and screen recordings only with the user's consent; the node app must be in the foreground.",
  ],
  ownerOnly: true,
  deadlineMs: DEADLINE_MS,
  awaits: "the gateway with its nodes",
});
