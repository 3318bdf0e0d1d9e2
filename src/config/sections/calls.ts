// Limits and records of calls: `limits`, `budgets`, `undo`, `audit`, `approvals`, `hooks`, `secrets`.
import { t } from "../../core/index.js";
import { choice, flag, integer, number, openSection, section, text, texts } from "./section.js";

export const limits = () =>
  section("Characters of results that reach the model.", {
    resultChars: integer("Characters of one result; the rest can be read later.", {
      minimum: 1,
      default: 50_000,
    }),
    turnChars: integer("Characters of all results in one turn.", { minimum: 1, default: 150_000 }),
  });

export const budgets = () =>
  section("Limits for one run. Default: none.", {
    calls: integer("Tool calls.", { minimum: 0 }),
    wallMs: integer("Total duration of calls.", { minimum: 0 }),
    resultChars: integer("Total characters of results.", { minimum: 0 }),
    tokens: integer("Tokens, as reported by the caller.", { minimum: 0 }),
    usd: number("US dollars, as reported by the caller.", { minimum: 0 }),
  });

const MAX_AGE_HOURS = 10 * 365 * 24;

export const undo = () =>
  section("Undo for file changes.", {
    enabled: flag("Record undo data.", { default: true }),
    required: flag("Refuse a change that cannot be undone.", { default: false }),
    maxBytes: integer("Maximum undo data; the oldest calls are deleted first.", {
      minimum: 1,
      default: 512 * 1024 * 1024,
    }),
    maxAgeHours: integer("How long a call can be undone.", {
      minimum: 1,
      maximum: MAX_AGE_HOURS,
      default: 7 * 24,
    }),
  });

export const audit = () =>
  section("The audit log in the state folder.", {
    enabled: flag("Write the audit log.", { default: true }),
    maxBytes: integer("Rotate the log at this size.", {
      minimum: 64 * 1024,
      default: 32 * 1024 * 1024,
    }),
    keepFiles: integer("Rotated files to keep.", { minimum: 0, maximum: 10_000, default: 9 }),
  });

const target = () =>
  t.object(
    {
      channel: text("Channel.", { minLength: 1 }),
      to: text("Recipient.", { minLength: 1 }),
      accountId: t.optional(text("Sending account.")),
      threadId: t.optional(text("Thread.")),
    },
    { description: "One target." },
  );

export const approvals = () =>
  openSection("Approval requests.", {
    timeoutMs: integer("How long to wait for an answer before denying the call.", {
      minimum: 1,
      default: 300_000,
    }),
    exec: section("Approval requests for commands, sent to chats.", {
      enabled: flag("Send approval requests to chats.", { default: false }),
      mode: choice(
        "Send to the session's chat, to `targets`, or both.",
        ["session", "targets", "both"],
        { default: "session" },
      ),
      agentFilter: texts("Only for these agents."),
      sessionFilter: texts("Only for session keys that contain one of these."),
      targets: t.array(target(), { description: "Chats that receive approval requests." }),
    }),
  });

const mapping = () =>
  openSection("One mapping.", {
    id: text("Mapping id."),
    match: openSection("Which requests match.", {
      path: text("Path suffix to match."),
      source: text("`source` field to match."),
    }),
    action: choice("Wake the agent, or start a run.", ["wake", "agent"]),
    wakeMode: choice("When to wake the agent.", ["now", "next-heartbeat"]),
    messageTemplate: text("Message template; `{{a.b[0]}}` is a request field."),
  });

export const hooks = () =>
  openSection("Incoming webhooks.", {
    enabled: flag("Accept webhooks; requires `token`.", { default: false }),
    token: text("Token that callers must send."),
    path: text("Base path.", { pattern: "^/.+", default: "/hooks" }),
    maxBodyBytes: integer("Maximum request body in bytes.", { minimum: 1, default: 262_144 }),
    allowedAgentIds: texts("Agents that a request may select."),
    allowRequestSessionKey: flag("Let a request choose its session.", { default: false }),
    allowedSessionKeyPrefixes: texts("Required prefixes of such session keys; `hook:` if unset."),
    mappings: t.array(mapping(), { description: "Request mappings." }),
  });

const provider = () =>
  openSection("One secret provider.", {
    source: choice("Secret source. `exec` and `store` are not supported.", [
      "env",
      "file",
      "exec",
      "store",
    ]),
    path: text("Secrets file, relative to the config."),
    mode: choice("`json`: `id` is a JSON pointer. `singleValue`: the whole file.", [
      "json",
      "singleValue",
    ]),
    allowlist: texts("Environment variables that may be read. Default: all."),
  });

export const secrets = () =>
  section("Secret providers.", {
    providers: t.record(provider(), { description: "Providers by name." }),
    defaults: t.record(t.string(), {
      description: "Default provider per source.",
    }),
  });
