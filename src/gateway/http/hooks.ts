// Calls from outside that wake an agent or start a run: `POST /hooks/wake`, `POST /hooks/agent`. They
// have a token of their own, which opens nothing else.

import type { IncomingMessage } from "node:http";
import { type ToolError, ToolInputError } from "../../core/index.js";
import { createWrongSecrets } from "../../lib/http/limits.js";
import { bearerToken, isSameSecret } from "../../lib/http/request-guard.js";
import { readNumber, readText } from "../../lib/read-field.js";
import { parseSessionKey } from "../../sessions/index.js";
import type { GatewayServices } from "../services.js";
import {
  type HttpCall,
  type HttpRoute,
  type RouteParts,
  readJsonBody,
  sendError,
  sendJson,
} from "./routes.js";

const DEFAULT_PATH = "/hooks";
const DEFAULT_MAX_BYTES = 262_144;
/** Sessions that a request may name when the config lists no prefixes. */
const HOOK_PREFIX = "hook:";
const SECOND_MS = 1_000;
const TOKEN_HEADERS = ["x-openclaw-token", "x-clawtools-token"];

export function listHookRoutes(parts: RouteParts): HttpRoute[] {
  const settings = () => parts.services.config.current().hooks ?? {};
  const wrongSecrets = createWrongSecrets();
  const isOn = () => settings().enabled === true && (settings().token ?? "") !== "";
  const hook = (name: string, run: (body: unknown, parts: RouteParts) => Promise<object>) => ({
    // Read at each request: the config may change while the gateway runs.
    get path() {
      return `${(settings().path ?? DEFAULT_PATH).replace(/\/+$/, "")}/${name}`;
    },
    methods: ["POST"],
    auth: "open" as const,
    isOn,
    async handle({ request, response, remote }: HttpCall) {
      const { token = "", maxBodyBytes = DEFAULT_MAX_BYTES } = settings();
      if (wrongSecrets.waitSeconds(remote.address) > 0) return sendError(response, TOO_MANY);
      if (!isSameSecret(readToken(request), token)) {
        wrongSecrets.count(remote.address);
        return sendError(response, WRONG_TOKEN);
      }
      const body = await readJsonBody(request, maxBodyBytes);
      sendJson(response, { body: { ok: true, ...(await run(body, parts)) } });
    },
  });
  return [hook("wake", wake), hook("agent", startRun)];
}

const WRONG_TOKEN = {
  status: 401,
  type: "unauthorized",
  message: "Send hooks.token as `Authorization: Bearer …` or `x-openclaw-token`, not in the URL.",
} as const;
const TOO_MANY = {
  status: 429,
  type: "unauthorized",
  message: "Too many wrong tokens came from this address; try again later.",
} as const;

function readToken(request: IncomingMessage): string {
  const named = TOKEN_HEADERS.map((name) => request.headers[name]).find((one) => one !== undefined);
  return named === undefined ? bearerToken(request) : String(named);
}

async function wake(body: unknown, { services, call }: RouteParts): Promise<object> {
  const text = needText(body, "text");
  const mode = readText(body, "mode") ?? "now";
  await call("wake", { text, mode, agentId: findAgentId(body, services) });
  return { mode };
}

/** Answers when the run is accepted; its end is in the session. */
async function startRun(body: unknown, { services }: RouteParts): Promise<object> {
  const { agent } = services;
  const message = needText(body, "message");
  const sessionKey = findSessionKey(body, services);
  const timeoutSeconds = readNumber(body, "timeoutSeconds") ?? 0;
  const channel = readText(body, "channel");
  const { runId } = await agent.start({
    ...{ message, sessionKey },
    ...{ model: readText(body, "model"), thinking: readText(body, "thinking") },
    ...(timeoutSeconds > 0 ? { timeoutMs: timeoutSeconds * SECOND_MS } : {}),
    ...(channel === undefined ? {} : { route: { channel, to: readText(body, "to") } }),
  });
  return { runId, sessionKey };
}

function findAgentId(body: unknown, { agents, config }: GatewayServices): string {
  const wanted = readText(body, "agentId") ?? agents.defaultId;
  const { allowedAgentIds: allowed } = config.current().hooks ?? {};
  const isAllowed = !allowed || allowed.includes("*") || allowed.includes(wanted);
  const known = agents.list().find(({ id }) => id === wanted);
  if (isAllowed && known) return known.id;
  throw wrong(`agentId "${wanted.slice(0, 80)}" may not be used by a hook or does not exist.`);
}

function findSessionKey(body: unknown, services: GatewayServices): string {
  const agentId = findAgentId(body, services);
  const given = readText(body, "sessionKey");
  if (given === undefined) return `agent:${agentId}:hook:${services.random.hex(16)}`;
  const { allowRequestSessionKey, allowedSessionKeyPrefixes: prefixes = [HOOK_PREFIX] } =
    services.config.current().hooks ?? {};
  if (allowRequestSessionKey !== true) {
    throw wrong("sessionKey is off. Leave it out, or set hooks.allowRequestSessionKey to true.");
  }
  const parsed = parseSessionKey(given, { agentId });
  if (parsed.agentId !== agentId) throw wrong("sessionKey names another agent than agentId.");
  const names = [parsed.key, parsed.rest];
  if (!prefixes.some((prefix) => names.some((name) => name.startsWith(prefix)))) {
    throw wrong(`sessionKey must begin with ${prefixes.join(" or ")}.`);
  }
  return parsed.key;
}

function needText(body: unknown, name: string): string {
  const text = readText(body, name)?.trim() ?? "";
  if (text === "") throw wrong(`Send ${name}, a text that is not empty.`);
  return text;
}

function wrong(message: string): ToolError {
  return new ToolInputError(message, { reason: "hook_invalid" });
}
