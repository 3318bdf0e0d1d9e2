// Methods about sessions and models, for operators: they see every session.

import { ToolError, t } from "../../core/index.js";
import type { SessionRow } from "../../core/server.js";
import {
  type FoundEntry,
  matchSessions,
  parseSessionKey,
  toSessionRow,
} from "../../sessions/index.js";
import { findSessionKey } from "../agents.js";
import { defineMethod, type GatewayServices } from "../services.js";

const DEFAULT_LIST = 100;
const MAX_LIST = 10_000;
const MAX_PREVIEW_KEYS = 100;
const DEFAULT_PREVIEW = 12;
const DEFAULT_PREVIEW_CHARS = 240;

const text = (description: string) => t.string({ description, minLength: 1 });
const keyed = () => ({ key: text("Session."), agentId: t.optional(text("Agent.")) });
const count = (description: string, maximum: number) =>
  t.optional(t.integer({ description, minimum: 1, maximum }));

const list = defineMethod({
  name: "sessions.list",
  params: t.object({
    limit: count("Default 100.", MAX_LIST),
    offset: t.optional(t.integer({ description: "Rows to leave out.", minimum: 0 })),
    activeMinutes: count("Active within these minutes.", 1_000_000),
    label: t.optional(text("With this label.")),
    spawnedBy: t.optional(text("Started by this session.")),
    agentId: t.optional(text("Of this agent.")),
    search: t.optional(t.string({ description: "Part of key, label or name." })),
  }),
  scope: "operator.read",
  help: "Sessions, newest first.",
  async run({ services }, { limit = DEFAULT_LIST, offset = 0, ...request }) {
    const all = await services.agent.sessionStore.entries.all();
    const nowMs = services.clock.now();
    const found = matchSessions(all.values(), { request, nowMs });
    const page = found.slice(offset, offset + limit);
    return {
      ...{ ts: Math.floor(nowMs), path: "", count: page.length, totalCount: found.length },
      ...{ limitApplied: limit, hasMore: offset + limit < found.length },
      defaults: { modelConfigured: services.models.usual(services.agents.defaultId) !== undefined },
      sessions: page.map((one) => toWireRow(services, one)),
    };
  },
});

const describe = defineMethod({
  name: "sessions.describe",
  params: t.object(keyed()),
  scope: "operator.read",
  help: "One session.",
  async run({ services }, params) {
    const found = await services.agent.sessionStore.entries.get(toKey(services, params));
    return { session: found ? toWireRow(services, found) : null };
  },
});

const resolve = defineMethod({
  name: "sessions.resolve",
  params: t.object({
    key: t.optional(text("Session key.")),
    sessionId: t.optional(text("Session id.")),
    label: t.optional(text("Label.")),
    agentId: t.optional(text("Agent.")),
    allowMissing: t.optional(t.boolean({ description: "No error when there is none." })),
  }),
  scope: "operator.read",
  help: "The key of a session by key, id or label.",
  async run({ services }, { key, sessionId, label, agentId, allowMissing = false }) {
    const { entries } = services.agent.sessionStore;
    try {
      const found =
        key === undefined
          ? await entries.find({
              ...(sessionId ? { id: sessionId } : { label: label ?? "" }),
              ...(agentId && { agentId }),
            })
          : await entries.get(toKey(services, { key, ...(agentId && { agentId }) }));
      if (found) return { ok: true, key: found.key, sessionId: found.entry.sessionId };
    } catch (error) {
      if (!allowMissing) throw error;
    }
    if (allowMissing) return { ok: false };
    const name = key ?? sessionId ?? label ?? "";
    throw new ToolError("not_found", `No session found: ${name.slice(0, 100)}`, {
      reason: "session_unknown",
    });
  },
});

const patch = defineMethod({
  name: "sessions.patch",
  params: t.object({
    ...keyed(),
    label: t.optional(t.unknown({ description: "Text, or null to clear." })),
    model: t.optional(t.unknown({ description: "`provider/model`, or null to clear." })),
    thinkingLevel: t.optional(t.unknown({ description: "Level, or null to clear." })),
  }),
  scope: "operator.admin",
  help: "Changes label, model or thinking of a session.",
  async run({ services }, params) {
    const key = toKey(services, params);
    const change = {
      label: readPatch(params.label, "label"),
      model: readPatch(params.model, "model"),
      thinking: readPatch(params.thinkingLevel, "thinkingLevel"),
    };
    await services.agent.sessionStore.entries.open(key);
    const caller = services.agent.sessions.as({ sessionKey: key });
    const row = await caller.patch({ session: key }, change);
    announce(services, key, "patch");
    return { ok: true, path: "", key, entry: toEntry(row) };
  },
});

const reset = defineMethod({
  name: "sessions.reset",
  params: t.object(keyed()),
  scope: "operator.admin",
  help: "Begins an empty transcript under the same key.",
  async run({ services }, params) {
    const key = toKey(services, params);
    await services.agent.reset(key);
    announce(services, key, "reset");
    const found = await services.agent.sessionStore.entries.open(key);
    return {
      ok: true,
      key,
      entry: { sessionId: found.entry.sessionId, updatedAt: Math.floor(found.entry.updatedAtMs) },
    };
  },
});

const remove = defineMethod({
  name: "sessions.delete",
  params: t.object(keyed()),
  scope: "operator.admin",
  help: "Deletes a session and its transcript.",
  async run({ services }, params) {
    const key = toKey(services, params);
    if (parseSessionKey(key).rest === "main") {
      throw new ToolError(
        "invalid_input",
        `Cannot delete the main session (${key}). Use sessions.reset.`,
        { reason: "main_session" },
      );
    }
    const deleted = await services.agent.delete(key);
    if (deleted) announce(services, key, "delete");
    return { ok: true, key, deleted, archived: [] };
  },
});

const compact = defineMethod({
  name: "sessions.compact",
  params: t.object(keyed()),
  scope: "operator.admin",
  help: "Replaces older messages of the context by a summary.",
  async run({ services }, params) {
    const key = toKey(services, params);
    const compacted = await services.agent.compact(key);
    if (compacted) announce(services, key, "compact");
    return { ok: true, key, compacted };
  },
});

const preview = defineMethod({
  name: "sessions.preview",
  params: t.object({
    keys: t.array(text("Session."), { description: "Sessions.", maxItems: MAX_PREVIEW_KEYS }),
    limit: count("Messages of each; default 12.", 50),
    maxChars: count("Characters of each; default 240.", 2_000),
  }),
  scope: "operator.read",
  help: "The last messages of several sessions.",
  async run({ services }, { keys, limit = DEFAULT_PREVIEW, maxChars = DEFAULT_PREVIEW_CHARS }) {
    const { sessionStore } = services.agent;
    const previews = keys.map(async (key) => {
      const found = await sessionStore.entries.get(toKey(services, { key }));
      if (found === undefined) return { key, status: "missing", items: [] };
      const { messages } = await sessionStore.history(found, { limit, maxChars });
      const items = messages.map(({ role, content }) => ({
        role,
        text: content.map((part) => part.text).join("\n"),
      }));
      return { key, status: items.length === 0 ? "empty" : "ok", items };
    });
    return { ts: Math.floor(services.clock.now()), previews: await Promise.all(previews) };
  },
});

/** Events reach every connection that may read; there is nothing to switch on. */
const subscription = (name: string, help: string) =>
  defineMethod({
    name,
    params: t.object({ key: t.optional(text("Session.")) }),
    scope: "operator.read",
    help,
    run: (_ctx, { key }) => ({ ok: true, subscribed: true, ...(key && { key }) }),
  });

const models = defineMethod({
  name: "models.list",
  params: t.object({
    view: t.optional(text("`configured`: only those that need no key, or have one.")),
  }),
  scope: "operator.read",
  help: "Models that are known.",
  run: ({ services }, { view }) => ({
    models: services.models
      .list({ isUsable: view === "configured" })
      .map(({ id, name = id, provider, contextWindow, reasoning, input }) => ({
        ...{ id, name, provider },
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(reasoning === undefined ? {} : { reasoning }),
        ...(input === undefined ? {} : { input }),
      })),
  }),
});

export const SESSION_METHODS = [
  ...[list, describe, resolve, patch, reset, remove, compact, preview],
  subscription("sessions.subscribe", "Events about all sessions."),
  subscription("sessions.unsubscribe", "Ends sessions.subscribe."),
  subscription("sessions.messages.subscribe", "Events about the messages of a session."),
  subscription("sessions.messages.unsubscribe", "Ends sessions.messages.subscribe."),
  models,
] as const;

function toKey(
  { agents }: GatewayServices,
  { key, agentId }: { key: string; agentId?: string },
): string {
  return findSessionKey(agents, { sessionKey: key, agentId });
}

function toWireRow({ agent }: GatewayServices, found: FoundEntry) {
  const running = agent.running(found.key) !== undefined;
  return toEntry(toSessionRow(found, { running }));
}

function toEntry(row: SessionRow) {
  const { updatedAtMs, modelOverride, thinking, kind, running, ...shown } = row;
  const [modelProvider, ...name] = (modelOverride ?? row.model ?? "").split("/");
  return {
    ...shown,
    kind: kind === "group" ? "group" : "direct",
    updatedAt: Math.floor(updatedAtMs),
    totalTokens: row.contextTokens,
    ...(name.length === 0 ? {} : { modelProvider, model: name.join("/") }),
    ...(thinking === undefined ? {} : { thinkingLevel: thinking }),
    hasActiveRun: running,
  };
}

export function announce({ events, clock }: GatewayServices, key: string, reason: string): void {
  events.emit("sessions.changed", { sessionKey: key, reason, ts: Math.floor(clock.now()) });
}

function readPatch(value: unknown, name: string): string | null | undefined {
  if (value === undefined || value === null || typeof value === "string") return value;
  throw new ToolError("invalid_input", `${name} must be a text or null.`, {
    reason: "patch_invalid",
  });
}
