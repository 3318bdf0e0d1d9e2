// Calls the gateway for its configuration, restart and update. The gateway validates and applies; here
// it is decided what an agent may ask for.

import { jsonResult, ToolError, ToolInputError, type ToolResult } from "../../core/index.js";
import { readField, readText } from "../../lib/read-field.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { GatewayToolCall } from "./index.js";

const DEFAULT_DELAY_MS = 2_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** As long as a call of a tool may take: an update installs things. */
const UPDATE_TIMEOUT_MS = 10 * 60_000;

type Action = GatewayToolCall["params"]["action"];
type Params = Readonly<Record<string, unknown>>;

const ACTIONS = {
  restart,
  "config.get": getConfig,
  "config.schema": (call) => ask(call, "config.schema", {}),
  "config.apply": changeConfig,
  "config.patch": changeConfig,
  "update.run": (call) => ask(call, "update.run", wakeParams(call)),
} as const satisfies Record<Action, (call: GatewayToolCall) => Promise<unknown>>;

export async function execute(call: GatewayToolCall): Promise<ToolResult> {
  const { action, gatewayUrl, gatewayToken } = call.params;
  if (gatewayUrl !== undefined && gatewayToken === undefined) {
    throw new ToolInputError(
      "gatewayUrl needs gatewayToken: the token of this gateway is never sent to another one.",
      { reason: "gateway_token_missing" },
    );
  }
  const result = await ACTIONS[action](call);
  return jsonResult(action === "restart" ? result : { ok: true, result });
}

async function ask(call: GatewayToolCall, method: string, params: Params): Promise<unknown> {
  const { gatewayUrl, gatewayToken } = call.params;
  const usualMs = method === "update.run" ? UPDATE_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
  const { timeoutMs = usualMs } = call.params;
  return await call.ctx.gateway.call({
    ...{ method, params, timeoutMs, signal: call.signal },
    ...(gatewayUrl === undefined ? {} : { url: gatewayUrl, token: gatewayToken }),
  });
}

async function restart(call: GatewayToolCall): Promise<unknown> {
  const { delayMs = DEFAULT_DELAY_MS, reason, note } = call.params;
  if (readField(readField(call.ctx.config, "commands"), "restart") !== true) {
    throw new ToolError(
      "denied",
      "Restart is disabled. The owner can enable it with `clawtools config set commands.restart true`.",
      { reason: "restart_disabled" },
    );
  }
  const params = withoutUndefined({ delayMs, reason, note, ...sessionOf(call) });
  return await ask(call, "gateway.restart", params);
}

async function getConfig(call: GatewayToolCall): Promise<unknown> {
  const result = await ask(call, "config.get", {});
  const hash = readText(result, "hash");
  if (hash !== undefined) call.ctx.gateway.configHashes?.set(hashKey(call), hash);
  return result;
}

/** Refuses keys that an agent may not write before the gateway hears of the change. */
async function changeConfig(call: GatewayToolCall): Promise<unknown> {
  const { action, raw } = call.params;
  if (raw === undefined) throw new ToolInputError(`${action} needs raw, the config as JSON5.`);
  const baseHash = call.params.baseHash ?? call.ctx.gateway.configHashes?.get(hashKey(call));
  if (baseHash === undefined) {
    throw new ToolInputError(
      `${action} needs the baseHash of a config.get. Read the config first, then send the change.`,
      { reason: "base_hash_missing" },
    );
  }
  const current = readField(await ask(call, "config.get", {}), "parsed") ?? {};
  const wanted = await parseRaw(raw);
  const after = action === "config.apply" ? wanted : merge(current, wanted);
  const changes = listChanges([], { before: current, after });
  const forbidden = changes.filter(({ path }) => !isWritable(path)).map(({ path }) => show(path));
  if (forbidden.length > 0) {
    throw new ToolError(
      "denied",
      `An agent may not change ${forbidden.slice(0, 5).join(", ")}. Ask the owner to run \`clawtools config set\`.`,
      { reason: "config_key_denied", details: { keys: forbidden } },
    );
  }
  assertNoReferences(changes, after);
  return await ask(call, action, { raw, baseHash, ...wakeParams(call) });
}

function wakeParams(call: GatewayToolCall): Params {
  const { note, restartDelayMs } = call.params;
  return withoutUndefined({ note, restartDelayMs, ...sessionOf(call) });
}

function sessionOf({ params, ctx }: GatewayToolCall): Params {
  return { sessionKey: params.sessionKey ?? ctx.sessionKey };
}

/** A hash of one gateway is not one of another. */
function hashKey({ params, ctx }: GatewayToolCall): string {
  return JSON.stringify([params.gatewayUrl ?? "", ctx.sessionKey ?? ""]);
}

async function parseRaw(raw: string): Promise<unknown> {
  const { parse } = (await import("json5")).default;
  try {
    const value: unknown = parse(raw);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace("JSON5: ", "") : String(cause);
    throw new ToolInputError(`raw is not valid JSON5: ${why}.`, { cause });
  }
  throw new ToolInputError("raw must be a JSON5 object.");
}

/** RFC 7396. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const base =
    typeof target === "object" && target !== null && !Array.isArray(target) ? target : {};
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** `*` matches one key or list index; a key allows everything below it. */
const WRITABLE_KEYS = [
  "agents.defaults.model",
  "agents.defaults.imageModel",
  "agents.defaults.heartbeat",
  "agents.defaults.compaction",
  "agents.defaults.userTimezone",
  "agents.list.*.name",
  "agents.list.*.identity",
  "agents.list.*.model",
  "agents.list.*.heartbeat",
  "cron.enabled",
  "cron.maxConcurrentRuns",
  "memory.citations",
  "messages",
  "session.reset",
  "session.idleMinutes",
] as const;

const PATTERNS = WRITABLE_KEYS.map((key) => key.split("."));

type Path = readonly string[];

interface Change {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

/** `${NAME}`, but not `$${NAME}`, which is the text itself. */
const VARIABLE = /(?<!\$)\$\{[A-Z_][A-Z0-9_]*\}/;

const SECRET_SOURCES: readonly unknown[] = ["env", "file", "exec", "store"];

/** What the gateway fills in could be read back: the environment, secrets, other files. */
function assertNoReferences(changes: readonly Change[], whole: unknown): void {
  const texts = changes.filter(({ before, after }) => {
    const old = new Set(listTexts(before));
    return listTexts(after).some((text) => VARIABLE.test(text) && !old.has(text));
  });
  // config.get shows none of the others, so that one in the new config is new.
  const places = [...texts.map(({ path }) => path), ...listReferences(whole)];
  if (places.length === 0) return;
  throw new ToolError(
    "denied",
    `An agent may not write references to variables, secrets or files (${places.slice(0, 5).map(show).join(", ")}). Write the text itself, or ask the owner to run \`clawtools config set\`.`,
    { reason: "config_reference_denied", details: { keys: places.map(show) } },
  );
}

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** `$include`, and objects of the form `{ source, provider, id }`. */
function listReferences(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const { source, provider: _, id, ...rest } = Object(value);
  const isSecret = SECRET_SOURCES.includes(source) && typeof id === "string";
  if (Object.hasOwn(value, "$include")) return [path];
  if (isSecret && Object.keys(rest).length === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) => listReferences(inner, [...path, key]));
}

function isWritable(path: Path): boolean {
  return PATTERNS.some((pattern) =>
    pattern.every((step, index) => step === path[index] || (step === "*" && index < path.length)),
  );
}

/** The deepest keys whose values differ. */
function listChanges(
  path: Path,
  { before, after }: { readonly before: unknown; readonly after: unknown },
): Change[] {
  const [old, next] = [toEntries(before), toEntries(after)];
  if (old === undefined || next === undefined) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
  }
  const keys = [...new Set([...old.keys(), ...next.keys()])];
  return keys.flatMap((key) =>
    listChanges([...path, key], { before: old.get(key), after: next.get(key) }),
  );
}

/** Objects, and lists whose entries all have an id, which is their key. */
function toEntries(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const ids = value.map((item: unknown) =>
    typeof item === "object" && item !== null ? Reflect.get(item, "id") : undefined,
  );
  if (ids.length === 0 || !ids.every((id) => typeof id === "string")) return undefined;
  return new Map(ids.map((id, index) => [id, value[index]]));
}

function show(path: Path): string {
  return path.length === 0 ? "the whole config" : path.join(".");
}
