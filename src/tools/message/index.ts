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

const text = (description: string) => t.optional(t.string({ description }));
const flag = (description: string) => t.optional(t.boolean({ description }));
const whole = (description: string, limits: { minimum?: number; maximum?: number }) =>
  t.optional(t.integer({ description, ...limits }));

const route = {
  channel: text(
    "discord, googlechat, slack, telegram, whatsapp, signal, imessage or msteams (default: current, or the only one).",
  ),
  target: text("Chat, channel or user: id or name (default: the current chat)."),
  targets: t.optional(
    t.array(t.string(), {
      description: "broadcast: recipients. search: channels.",
      maxItems: MAX_TARGETS,
    }),
  ),
  accountId: text("Own account, when several are set up."),
  dryRun: flag("Check only, send nothing."),
};

const content = {
  message: text("Text to send, or new text for edit."),
  media: text("Attachment: URL or workspace path."),
  buffer: text("Attachment: base64 or data: URL."),
  filename: text("Name of the attachment."),
  contentType: text("MIME type of buffer."),
  caption: text("Text under the media."),
  card: t.optional(t.record(t.unknown(), { description: "Adaptive Card (msteams)." })),
  effectId: text("sendWithEffect: effect name."),
  replyTo: text("Id of the message to answer."),
  threadId: text("Thread or topic id."),
  silent: flag("No notification sound."),
};

const existing = {
  messageId: text("For react, reactions, fetch, edit, delete, pin, unpin."),
  emoji: text("Reaction."),
  remove: flag("react: take it back."),
  targetAuthor: text("Author of messageId (signal groups)."),
};

const lists = {
  query: text("search: words."),
  limit: whole("Entries to list.", { minimum: 1, maximum: MAX_ENTRIES }),
  before: text("read: older than this message id."),
  after: text("read: newer than this message id."),
  around: text("read: near this message id."),
  authorIds: t.optional(t.array(t.string(), { description: "search: by these users." })),
};

const poll = {
  pollQuestion: text("poll."),
  pollOption: t.optional(
    t.array(t.string(), { description: "poll: 2 to 12 answers.", maxItems: MAX_POLL_OPTIONS }),
  ),
  pollDurationHours: whole("poll: open for.", { minimum: 1, maximum: MAX_POLL_HOURS }),
  pollMulti: flag("poll: several answers each."),
};

const server = {
  name: text("Of the new thread, event, emoji or sticker."),
  desc: text("Of the new event or sticker."),
  guildId: text("Server or workspace id."),
  userId: text("Member for info, roles, moderation."),
  roleId: text("role-add, role-remove."),
  autoArchiveMin: whole("thread-create: idle minutes to archive.", { minimum: 1 }),
  stickerId: t.optional(t.array(t.string(), { description: "sticker." })),
  stickerTags: text("sticker-upload."),
};

const events = {
  eventType: text("stage, voice or external."),
  startTime: text("event-create: ISO time."),
  endTime: text("event-create: ISO time."),
  location: text("Event place."),
};

const moderation = {
  reason: text("timeout, kick, ban."),
  durationMin: whole("timeout: minutes.", { minimum: 1, maximum: MAX_TIMEOUT_MINUTES }),
  until: text("timeout: ISO time instead."),
  deleteDays: whole("ban: days of messages to delete.", { minimum: 0, maximum: MAX_DELETE_DAYS }),
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
