// Limits and records of calls: `limits`, `budgets`, `undo`, `audit`, `approvals`, `hooks`, `secrets`.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

export const limits = lazy(() =>
  section("Characters of results that reach the model.", {
    resultChars: t.integer({
      description: "Characters of one result; the rest can be read later.",
      minimum: 1,
      default: 50_000,
    }),
    turnChars: t.integer({
      description: "Characters of all results in one turn.",
      minimum: 1,
      default: 150_000,
    }),
  }),
);

export const budgets = lazy(() =>
  section("Limits for one run. Default: none.", {
    calls: t.integer({ description: "Tool calls.", minimum: 0 }),
    wallMs: t.integer({ description: "Total duration of calls.", minimum: 0 }),
    resultChars: t.integer({ description: "Total characters of results.", minimum: 0 }),
    tokens: t.integer({ description: "Tokens, as reported by the caller.", minimum: 0 }),
    usd: t.number({ description: "US dollars, as reported by the caller.", minimum: 0 }),
  }),
);

const MAX_AGE_HOURS = 10 * 365 * 24;

export const undo = lazy(() =>
  section("Undo for file changes.", {
    enabled: t.boolean({ description: "Record undo data.", default: true }),
    required: t.boolean({
      description: "Refuse a change that cannot be undone.",
      default: false,
    }),
    maxBytes: t.integer({
      description: "Maximum undo data; the oldest calls are deleted first.",
      minimum: 1,
      default: 512 * 1024 * 1024,
    }),
    maxAgeHours: t.integer({
      description: "How long a call can be undone.",
      minimum: 1,
      maximum: MAX_AGE_HOURS,
      default: 7 * 24,
    }),
  }),
);

export const audit = lazy(() =>
  section("The audit log in the state folder.", {
    enabled: t.boolean({ description: "Write the audit log.", default: true }),
    maxBytes: t.integer({
      description: "Rotate the log at this size.",
      minimum: 64 * 1024,
      default: 32 * 1024 * 1024,
    }),
    keepFiles: t.integer({
      description: "Rotated files to keep.",
      minimum: 0,
      maximum: 10_000,
      default: 9,
    }),
  }),
);

const target = lazy(() =>
  t.object(
    {
      channel: t.string({ description: "Channel.", minLength: 1 }),
      to: t.string({ description: "Recipient.", minLength: 1 }),
      accountId: t.optional(t.string({ description: "Sending account." })),
      threadId: t.optional(t.string({ description: "Thread." })),
    },
    { description: "One target." },
  ),
);

export const approvals = lazy(() =>
  openSection("Approval requests.", {
    timeoutMs: t.integer({
      description: "How long to wait for an answer before denying the call.",
      minimum: 1,
      default: 300_000,
    }),
    exec: section("Approval requests for commands, sent to chats.", {
      enabled: t.boolean({ description: "Send approval requests to chats.", default: false }),
      mode: t.choice(["session", "targets", "both"], {
        description: "Send to the session's chat, to `targets`, or both.",
        default: "session",
      }),
      agentFilter: texts("Only for these agents."),
      sessionFilter: texts("Only for session keys that contain one of these."),
      targets: t.array(target(), { description: "Chats that receive approval requests." }),
    }),
  }),
);

const mapping = lazy(() =>
  openSection("One mapping.", {
    id: t.string({ description: "Mapping id." }),
    match: openSection("Which requests match.", {
      path: t.string({ description: "Path suffix to match." }),
      source: t.string({ description: "`source` field to match." }),
    }),
    action: t.choice(["wake", "agent"], { description: "Wake the agent, or start a run." }),
    wakeMode: t.choice(["now", "next-heartbeat"], { description: "When to wake the agent." }),
    messageTemplate: t.string({
      description: "Message template; `{{a.b[0]}}` is a request field.",
    }),
  }),
);

export const hooks = lazy(() =>
  openSection("Incoming webhooks.", {
    enabled: t.boolean({ description: "Accept webhooks; requires `token`.", default: false }),
    token: t.string({ description: "Token that callers must send." }),
    path: t.string({ description: "Base path.", pattern: "^/.+", default: "/hooks" }),
    maxBodyBytes: t.integer({
      description: "Maximum request body in bytes.",
      minimum: 1,
      default: 262_144,
    }),
    allowedAgentIds: texts("Agents that a request may select."),
    allowRequestSessionKey: t.boolean({
      description: "Let a request choose its session.",
      default: false,
    }),
    allowedSessionKeyPrefixes: texts("Required prefixes of such session keys; `hook:` if unset."),
    mappings: t.array(mapping(), { description: "Request mappings." }),
  }),
);

const provider = lazy(() =>
  openSection("One secret provider.", {
    source: t.choice(["env", "file", "exec", "store"], {
      description: "Secret source. `exec` and `store` are not supported.",
    }),
    path: t.string({ description: "Secrets file, relative to the config." }),
    mode: t.choice(["json", "singleValue"], {
      description: "`json`: `id` is a JSON pointer. `singleValue`: the whole file.",
    }),
    allowlist: texts("Environment variables that may be read. Default: all."),
  }),
);

export const secrets = lazy(() =>
  section("Secret providers.", {
    providers: t.record(provider(), { description: "Providers by name." }),
    defaults: t.record(t.string(), {
      description: "Default provider per source.",
    }),
  }),
);
