// What the model sees of `message`: one flat set of parameters for every chat channel. Which
// channels know which action, and what each action needs, is left to the channels.

import { defineBuiltIn, t } from "../../core/index.js";

const MAX_ENTRIES = 100;
const MAX_TARGETS = 100;
const MAX_POLL_OPTIONS = 12;
const MAX_POLL_HOURS = 768;
const MAX_DELETE_DAYS = 7;
const MAX_TIMEOUT_MINUTES = 40_320;
/** About 24 MiB of attachment, as base64 in `buffer`. */
const MAX_ARGUMENT_CHARS = 32 * 1024 * 1024;

const ACTIONS = [
  "send",
  "sendAttachment",
  "sendWithEffect",
  "reply",
  "broadcast",
  "poll",
  "react",
  "reactions",
  "read",
  "fetch",
  "search",
  "edit",
  "delete",
  "pin",
  "unpin",
  "list-pins",
  "permissions",
  "thread-create",
  "thread-list",
  "thread-reply",
  "sticker",
  "sticker-upload",
  "emoji-list",
  "emoji-upload",
  "member-info",
  "role-info",
  "role-add",
  "role-remove",
  "channel-info",
  "channel-list",
  "voice-status",
  "event-list",
  "event-create",
  "timeout",
  "kick",
  "ban",
] as const;

const route = {
  channel: t.optional(
    t.string({
      description:
        "discord, googlechat, slack, telegram, whatsapp, signal, imessage or msteams (default: current, or the only one).",
    }),
  ),
  target: t.optional(
    t.string({ description: "Chat, channel or user: id or name (default: the current chat)." }),
  ),
  targets: t.optional(
    t.array(t.string(), {
      description: "broadcast: recipients. search: channels.",
      maxItems: MAX_TARGETS,
    }),
  ),
  accountId: t.optional(t.string({ description: "Own account, when several are set up." })),
  dryRun: t.optional(t.boolean({ description: "Check only, send nothing." })),
};

const content = {
  message: t.optional(t.string({ description: "Text to send, or new text for edit." })),
  media: t.optional(t.string({ description: "Attachment: URL or workspace path." })),
  buffer: t.optional(t.string({ description: "Attachment: base64 or data: URL." })),
  filename: t.optional(t.string({ description: "Name of the attachment." })),
  contentType: t.optional(t.string({ description: "MIME type of buffer." })),
  caption: t.optional(t.string({ description: "Text under the media." })),
  card: t.optional(t.record(t.unknown(), { description: "Adaptive Card (msteams)." })),
  effectId: t.optional(t.string({ description: "sendWithEffect: effect name." })),
  replyTo: t.optional(t.string({ description: "Id of the message to answer." })),
  threadId: t.optional(t.string({ description: "Thread or topic id." })),
  silent: t.optional(t.boolean({ description: "No notification sound." })),
};

const existing = {
  messageId: t.optional(
    t.string({ description: "For react, reactions, fetch, edit, delete, pin, unpin." }),
  ),
  emoji: t.optional(t.string({ description: "Reaction." })),
  remove: t.optional(t.boolean({ description: "react: take it back." })),
  targetAuthor: t.optional(t.string({ description: "Author of messageId (signal groups)." })),
};

const lists = {
  query: t.optional(t.string({ description: "search: words." })),
  limit: t.optional(
    t.integer({ description: "Entries to list.", minimum: 1, maximum: MAX_ENTRIES }),
  ),
  before: t.optional(t.string({ description: "read: older than this message id." })),
  after: t.optional(t.string({ description: "read: newer than this message id." })),
  around: t.optional(t.string({ description: "read: near this message id." })),
  authorIds: t.optional(t.array(t.string(), { description: "search: by these users." })),
};

const poll = {
  pollQuestion: t.optional(t.string({ description: "poll." })),
  pollOption: t.optional(
    t.array(t.string(), { description: "poll: 2 to 12 answers.", maxItems: MAX_POLL_OPTIONS }),
  ),
  pollDurationHours: t.optional(
    t.integer({ description: "poll: open for.", minimum: 1, maximum: MAX_POLL_HOURS }),
  ),
  pollMulti: t.optional(t.boolean({ description: "poll: several answers each." })),
};

const server = {
  name: t.optional(t.string({ description: "Of the new thread, event, emoji or sticker." })),
  desc: t.optional(t.string({ description: "Of the new event or sticker." })),
  guildId: t.optional(t.string({ description: "Server or workspace id." })),
  userId: t.optional(t.string({ description: "Member for info, roles, moderation." })),
  roleId: t.optional(t.string({ description: "role-add, role-remove." })),
  autoArchiveMin: t.optional(
    t.integer({ description: "thread-create: idle minutes to archive.", minimum: 1 }),
  ),
  stickerId: t.optional(t.array(t.string(), { description: "sticker." })),
  stickerTags: t.optional(t.string({ description: "sticker-upload." })),
};

const events = {
  eventType: t.optional(t.string({ description: "stage, voice or external." })),
  startTime: t.optional(t.string({ description: "event-create: ISO time." })),
  endTime: t.optional(t.string({ description: "event-create: ISO time." })),
  location: t.optional(t.string({ description: "Event place." })),
};

const moderation = {
  reason: t.optional(t.string({ description: "timeout, kick, ban." })),
  durationMin: t.optional(
    t.integer({ description: "timeout: minutes.", minimum: 1, maximum: MAX_TIMEOUT_MINUTES }),
  ),
  until: t.optional(t.string({ description: "timeout: ISO time instead." })),
  deleteDays: t.optional(
    t.integer({
      description: "ban: days of messages to delete.",
      minimum: 0,
      maximum: MAX_DELETE_DAYS,
    }),
  ),
};

const parameters = t.object({
  action: t.choice(ACTIONS, { description: "What to do; not every channel knows every action." }),
  ...route,
  ...content,
  ...existing,
  ...lists,
  ...poll,
  ...server,
  ...events,
  ...moderation,
});

export const message = defineBuiltIn({
  name: "message",
  description:
    "Send messages and use chat channels: media, polls, reactions, threads, moderation. Answers with the message id. In a chat session it reaches that chat only, unless configured.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: true },
  aliases: {
    to: "target",
    channelId: "target",
    channelIds: "targets",
    text: "message",
    content: "message",
    path: "media",
    filePath: "media",
    mediaUrl: "media",
    mimeType: "contentType",
    effect: "effectId",
    replyToId: "replyTo",
    authorId: "authorIds",
    pollOptions: "pollOption",
    threadName: "name",
    eventName: "name",
    emojiName: "name",
    stickerName: "name",
    stickerDesc: "desc",
    description: "desc",
  },
  guidance: [
    "Your answer already goes to the chat you are in. Use message for other targets and for media, polls and reactions; do not say the same thing twice.",
    "Send to others, delete, kick or ban only when the user asked for it; try dryRun when the target is in doubt.",
  ],
  maxArgumentChars: MAX_ARGUMENT_CHARS,
  awaits: "the chat channels",
});
