// The HTTP that every gateway serves: probes, metrics, one tool call, MCP, the agents, hooks.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { isToolError, normalizeToolName } from "../../core/index.js";
import { readProcessUse } from "../../drivers/environment.js";
import { readField, readText } from "../../lib/read-field.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { MountedMcp } from "../../mcp/server/index.js";
import type { GatewayServices } from "../services.js";
import { listControlUiRoutes } from "./control-ui.js";
import { listHookRoutes } from "./hooks.js";
import { listOpenAiRoutes } from "./openai/openai-routes.js";
import {
  type HttpCall,
  type HttpRoute,
  type HttpRoutes,
  type RouteParts,
  readJsonBody,
  sendError,
  sendJson,
} from "./routes.js";

const MAX_INVOKE_BYTES = 2 * 1024 * 1024;
const NANOSECONDS = 1e6;
/** Too strong for a plain HTTP call; `gateway.tools` changes the list. */
const HTTP_DENIED = [
  "exec",
  "process",
  "write",
  "edit",
  "apply_patch",
  "sessions_spawn",
  "sessions_send",
  "cron",
  "gateway",
  "nodes",
];

interface OwnRouteParts extends RouteParts {
  readonly routes: HttpRoutes;
  readonly counts: { readonly ok: number; readonly error: number };
}

/** The returned function ends what they opened. */
export function addOwnRoutes({ routes, services, counts, call }: OwnRouteParts): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const uptimeMs = () => Math.max(0, Math.floor(services.clock.now() - services.startedAtMs));
  const probe = (path: string, body: () => unknown): HttpRoute => ({
    path,
    methods: ["GET"],
    auth: "open",
    anyHost: true,
    handle: ({ response }) => sendJson(response, { body: body() }),
  });
  let mcp: Promise<MountedMcp> | undefined;
  const own: HttpRoute[] = [
    probe("/healthz", () => ({ ok: true, status: "live" })),
    probe("/health", () => ({ ok: true, status: "live" })),
    probe("/startupz", () => ({
      ok: true,
      status: "started",
      version: services.version,
      uptimeMs: uptimeMs(),
    })),
    probe("/readyz", () => ({
      ready: true,
      failing: [],
      uptimeMs: uptimeMs(),
      eventLoop: { delayP99Ms: toMs(delay.percentile(99)), delayMaxMs: toMs(delay.max) },
    })),
    {
      path: "/metrics",
      methods: ["GET"],
      auth: "operator.read",
      handle({ response }) {
        const lines = toMetrics({
          uptime_seconds: uptimeMs() / 1_000,
          connections: services.connections.count,
          requests_ok_total: counts.ok,
          requests_failed_total: counts.error,
          resident_memory_bytes: readProcessUse().rssBytes,
          event_loop_delay_p99_seconds: toMs(delay.percentile(99)) / 1_000,
        });
        response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
        response.end(lines);
      },
    },
    {
      path: "/tools/invoke",
      methods: ["POST"],
      auth: "operator.write",
      handle: (http) => invokeTool(http, { services, call }),
    },
    {
      // Its clients call every tool, as the owner does.
      path: "/mcp",
      methods: ["GET", "POST", "DELETE"],
      auth: "operator.admin",
      async handle({ request, response }) {
        mcp ??= mount(services);
        (await mcp).handle(request, response);
      },
    },
    ...listOpenAiRoutes({ services, call }),
    ...listHookRoutes({ services, call }),
    ...listControlUiRoutes(services),
  ];
  for (const route of own) routes.add(route);
  return () => {
    delay.disable();
    void mcp?.then((mounted) => mounted.close());
  };
}

async function mount({ agents, log }: GatewayServices): Promise<MountedMcp> {
  const { mountMcp } = await import("../../mcp/server/index.js");
  const toolkit = agents.toolkit();
  await toolkit.ready;
  return await mountMcp(toolkit, {
    onProblem: (problem) => log.write("warn", `MCP: ${String(problem)}`),
  });
}

function toMs(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.round(nanoseconds / NANOSECONDS) : 0;
}

function toMetrics(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => {
      const kind = name.endsWith("_total") ? "counter" : "gauge";
      return `# TYPE clawtools_gateway_${name} ${kind}\nclawtools_gateway_${name} ${value}\n`;
    })
    .join("");
}

async function invokeTool(
  { request, response, principal }: HttpCall,
  { services, call }: RouteParts,
): Promise<void> {
  const body = await readJsonBody(request, MAX_INVOKE_BYTES);
  const tool = readText(body, "tool") ?? readText(body, "name");
  if (tool === undefined || principal === undefined) {
    const message = "Name a tool: { tool, args }.";
    return sendError(response, { status: 400, type: "invalid_request", message });
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const toolkit = services.agents.toolkit(readText(body, "agentId"));
    await toolkit.ready;
    // By the tool that would run: a name may come in other letters or be an alias.
    if (isDenied(toolkit.explain(tool).id, services)) {
      return sendError(response, notAvailable(tool));
    }
    const params = {
      name: tool,
      args: readArguments(body),
      agentId: readText(body, "agentId"),
      sessionKey: readText(body, "sessionKey"),
      idempotencyKey: readText(body, "idempotencyKey"),
    };
    const outcome = await call("tools.invoke", withoutUndefined(params), {
      principal,
      signal: gone.signal,
    });
    answerInvoke(response, { tool, outcome });
  } catch (error) {
    if (!isToolError(error)) throw error;
    sendError(response, { status: error.status, type: error.code, message: error.message });
  }
}

function isDenied(id: string, { config }: GatewayServices): boolean {
  const { allow = [], deny = [] } = config.current().gateway?.tools ?? {};
  const isIn = (list: readonly string[]) => list.some((name) => normalizeToolName(name) === id);
  return isIn(deny) || (HTTP_DENIED.includes(id) && !isIn(allow));
}

function answerInvoke(
  response: HttpCall["response"],
  { tool, outcome }: { readonly tool: string; readonly outcome: unknown },
) {
  if (readField(outcome, "ok") === true) {
    return sendJson(response, { body: { ok: true, result: readField(outcome, "output") } });
  }
  const error = readField(outcome, "error");
  const code = readText(error, "code") ?? "tool_error";
  if (code === "tool_unknown") return sendError(response, notAvailable(tool));
  sendJson(response, {
    status: code === "tool_denied" ? 403 : 400,
    body: {
      ok: false,
      error: { type: "tool_error", code, message: readText(error, "message") ?? "" },
    },
  });
}

function notAvailable(tool: string) {
  return { status: 404, type: "not_found", message: `Tool not available: ${tool.slice(0, 120)}` };
}

/** `action` next to the arguments means the same as in them. */
function readArguments(body: unknown): Record<string, unknown> {
  const given = readField(body, "args") ?? {};
  const args = typeof given === "object" && given !== null ? { ...given } : {};
  const action = readText(body, "action");
  return action === undefined ? args : { action, ...args };
}
