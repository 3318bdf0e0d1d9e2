// What the model sees of `session_status`: the state of a session, and its model override.

import { type DetailsOf, defineBuiltIn, type ToolCall, t, textResult } from "../../core/index.js";
import { type SessionRow, sessionsOf } from "../../core/server.js";

const parameters = t.object({
  sessionKey: t.optional(
    t.string({ description: "Session key or id; default this session.", minLength: 1 }),
  ),
  model: t.optional(
    t.string({
      description: 'Set its model, as provider/model; "default" removes the override.',
    }),
  ),
});

const needs = ["sessions"] as const;

export type SessionStatusCall = ToolCall<typeof parameters, typeof needs>;

/** `details` of a result of `session_status`. */
export type SessionStatusDetails = DetailsOf<typeof execute>;

export const sessionStatus = defineBuiltIn({
  name: "session_status",
  description:
    "Show a session's time, model, token use, context fill and settings; with model, change its model first.",
  parameters,
  effects: { destructive: false, idempotent: true, openWorld: false },
  needs,
  needsToCall: ["sessionKey"],
  aliases: { sessionId: "sessionKey" },
  guidance: [
    "Call session_status when you need the current date and time, or are asked about model or usage.",
  ],
  execute,
});

async function execute(call: SessionStatusCall) {
  const { sessionKey, model } = call.params;
  const sessions = sessionsOf(call);
  const target = sessionKey === undefined ? undefined : { session: sessionKey };
  const isChange = model !== undefined;
  const override = model === undefined || model === "" || model === "default" ? null : model;
  const row = isChange
    ? await sessions.patch(target ?? {}, { model: override })
    : await sessions.status(target);
  const statusText = showCard(row, call.ctx.clock.now());
  return textResult(statusText, {
    ok: true,
    sessionKey: row.key,
    changedModel: isChange,
    statusText,
  });
}

function showCard(row: SessionRow, nowMs: number): string {
  const now = new Date(nowMs);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const lines = [
    `Time: ${now.toISOString()} (${now.toLocaleString("en-GB", { timeZone: zone, dateStyle: "full", timeStyle: "short" })}, ${zone})`,
    `Session: ${row.key}${row.label === undefined ? "" : ` "${row.label}"`} · ${row.kind} · active ${ageOf(nowMs - row.updatedAtMs)} ago`,
    `Model: ${row.modelOverride ?? row.model ?? "none chosen"}${row.modelOverride === undefined ? "" : " (override)"}${row.thinking === undefined ? "" : ` · thinking ${row.thinking}`}`,
    `Tokens: ${row.inputTokens} in, ${row.outputTokens} out · cost $${row.usd.toFixed(4)}`,
    `Context: ${row.contextTokens}${row.contextWindow === undefined ? "" : ` of ${row.contextWindow} (${Math.round((100 * row.contextTokens) / row.contextWindow)} %)`} · compactions ${row.compactions}`,
    `State: ${row.running ? "running" : "idle"}${row.abortedLastRun ? " · last run was aborted" : ""}`,
  ];
  return lines.join("\n");
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 1_440)} days`;
}
