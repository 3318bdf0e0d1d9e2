// The methods that clients may call.

import type { CallerToolkit, Toolkit } from "../../../core/index.js";
import { readField, readText } from "../../../lib/read-field.js";
import { RPC_CODES, RpcError } from "../json-rpc.js";
import { negotiateVersion, traitsOf, type VersionTraits } from "../versions.js";
import { callTool } from "./call-tool.js";
import { listResources, listResourceTemplates, readResource } from "./resources.js";
import { LOG_LEVELS, type RequestContext, type SessionParts } from "./session-parts.js";

/** Slower plugins are announced by tools/list_changed. */
const MAX_READY_MS = 5_000;
const PROVIDER = "mcp";
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const NAME = "clawtools";
const TITLE = "clawtools";

type Method = (
  params: Readonly<Record<string, unknown>>,
  context: RequestContext,
) => Promise<object> | object;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["initialize", (params, { parts }) => initialize(params, parts)],
  ["ping", () => ({})],
  ["tools/list", listTools],
  ["tools/call", callTool],
  ["resources/list", (_, context) => listResources(context)],
  ["resources/templates/list", () => listResourceTemplates()],
  ["resources/read", readResource],
  ["logging/setLevel", setLevel],
]);

/** Allowed before initialize. */
const FIRST: ReadonlySet<string> = new Set(["initialize", "ping"]);

export function findMethod(name: string, context: RequestContext): Method {
  const method = METHODS.get(name);
  if (method === undefined) {
    throw new RpcError(RPC_CODES.methodNotFound, `Unknown method "${name.slice(0, 80)}".`);
  }
  if (context.parts.state.version === undefined && !FIRST.has(name)) {
    throw new RpcError(RPC_CODES.invalidRequest, "The first request must be initialize.");
  }
  return method;
}

function setLevel(params: Readonly<Record<string, unknown>>, { parts }: RequestContext): object {
  const asked = readText(params, "level");
  const level = LOG_LEVELS.find((one) => one === asked);
  if (level === undefined) {
    const known = LOG_LEVELS.join(", ");
    throw new RpcError(RPC_CODES.invalidParams, `level must be one of ${known}.`);
  }
  parts.state.logLevel = level;
  return {};
}

async function initialize(
  params: Readonly<Record<string, unknown>>,
  { settings, state, caller }: SessionParts,
): Promise<object> {
  if (state.version !== undefined) {
    throw new RpcError(RPC_CODES.invalidRequest, "This session is initialized already.");
  }
  const version = negotiateVersion(params.protocolVersion);
  const traits = traitsOf(version);
  state.version = version;
  state.canElicit = traits.hasLinks && canElicit(params.capabilities);
  await waitForTools(settings.toolkit);
  return {
    protocolVersion: version,
    capabilities: { tools: { listChanged: true }, resources: {}, logging: {} },
    serverInfo: {
      name: NAME,
      ...(traits.hasTitles ? { title: TITLE } : {}),
      version: settings.version,
    },
    instructions: caller.prompt({ provider: "mcp" }),
  };
}

/** A client that only opens URLs cannot show a form. */
function canElicit(capabilities: unknown): boolean {
  const elicitation = readField(capabilities, "elicitation");
  if (typeof elicitation !== "object" || elicitation === null) return false;
  const modes = Object.keys(elicitation);
  return modes.length === 0 || modes.includes("form");
}

/** There is only one page. */
async function listTools(
  params: Readonly<Record<string, unknown>>,
  { parts }: RequestContext,
): Promise<object> {
  if (params.cursor !== undefined) {
    throw new RpcError(RPC_CODES.invalidParams, "The list of tools has only one page.");
  }
  await waitForTools(parts.settings.toolkit);
  return { tools: describeTools(parts.caller, traitsOf(parts.state.version)) };
}

/** Agents wait for their servers when they start. */
async function waitForTools(toolkit: Toolkit): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_READY_MS);
  });
  try {
    await Promise.race([toolkit.ready, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describeTools(toolkit: CallerToolkit, traits: VersionTraits): object[] {
  // Other tools could not be called.
  const offered = new Map(toolkit.tools.map((tool) => [tool.name, tool]));
  return toolkit
    .schemas({ provider: PROVIDER })
    .filter(({ name }) => offered.has(name))
    .map(({ name, description, input_schema: schema }) => ({
      name,
      ...(traits.hasTitles ? { title: toolkit.annotations(name).title } : {}),
      description,
      inputSchema: { ...readDialect(offered.get(name)?.parameters), ...schema },
      ...(traits.hasAnnotations ? { annotations: toHints(toolkit, name) } : {}),
    }));
}

/** All schemas have this dialect; it is named only where the tool names one. */
function readDialect(parameters: unknown): object {
  return readText(parameters, "$schema") === undefined ? {} : { $schema: DIALECT };
}

function toHints(toolkit: CallerToolkit, name: string): object {
  const { title, readOnly, destructive, idempotent, openWorld } = toolkit.annotations(name);
  return {
    title,
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}
