// What the model sees of `nodes`: paired devices and what they can do. `command` is a list for both
// `run` and `invoke`: a single string becomes a list of one, so no second type is needed.

import { defineBuiltIn, t } from "../../core/index.js";

const MAX_COMMAND_MS = 30 * 60_000;
const DEADLINE_MS = MAX_COMMAND_MS + 60_000;
const MIN_CLIP_MS = 250;
const MAX_CLIP_MS = 300_000;
const MAX_DELAY_MS = 10_000;
const MAX_FRAMES_PER_SECOND = 60;

const text = (description: string) => t.optional(t.string({ description }));
const flag = (description: string) => t.optional(t.boolean({ description }));
const whole = (description: string, limits: { minimum?: number; maximum?: number }) =>
  t.optional(t.integer({ description, ...limits }));

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
  node: text("Node id or name."),
  requestId: text("From pending."),
  command: t.optional(
    t.array(t.string(), {
      description: "run: program and arguments, no shell. invoke: one node command.",
    }),
  ),
  params: t.optional(t.record(t.unknown(), { description: "invoke: parameters." })),
  cwd: text("run: folder on the node."),
  env: t.optional(t.array(t.string(), { description: "run: KEY=VAL each." })),
  commandTimeoutMs: whole("run: limit.", { minimum: 1, maximum: MAX_COMMAND_MS }),
  invokeTimeoutMs: whole("Limit on the node's answer (default 30000).", {
    minimum: 1,
    maximum: MAX_COMMAND_MS,
  }),
  needsScreenRecording: flag("run: needs that permission."),
  title: text("notify: heading."),
  body: text("notify: text."),
  facing: t.optional(
    t.choice(["front", "back", "both"], { description: "Camera; both: camera_snap only." }),
  ),
  deviceId: text("Camera from invoke camera.list."),
  maxWidth: whole("camera_snap: pixels.", { minimum: 1 }),
  quality: t.optional(
    t.number({ description: "camera_snap: JPEG quality.", minimum: 0, maximum: 1 }),
  ),
  delayMs: whole("camera_snap: wait first.", { minimum: 0, maximum: MAX_DELAY_MS }),
  durationMs: whole("Default: clip 3000, screen 10000.", {
    minimum: MIN_CLIP_MS,
    maximum: MAX_CLIP_MS,
  }),
  includeAudio: flag("Default true."),
  fps: whole("screen_record (default 10).", { minimum: 1, maximum: MAX_FRAMES_PER_SECOND }),
  screenIndex: whole("screen_record, from 0.", { minimum: 0 }),
  gatewayUrl: text("Another gateway than ws://127.0.0.1:18789."),
  gatewayToken: text("Required with gatewayUrl."),
  timeoutMs: whole("Limit of the gateway call.", { minimum: 1 }),
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
