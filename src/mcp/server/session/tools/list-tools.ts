// The tools as MCP lists them: schemas compiled for it, hints from what each tool says of itself.

import type { Toolkit } from "../../../../core/index.js";
import { readText } from "../../../../lib/read-field.js";
import { RPC_CODES, RpcError } from "../../protocol/json-rpc.js";
import { traitsOf, type VersionTraits } from "../../protocol/versions.js";
import type { RequestContext } from "../session-parts.js";

/** Plugins that load longer are told of by tools/list_changed. */
const MAX_READY_MS = 5_000;
const PROVIDER = "mcp";
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** All on one page, so a cursor can only be a mistake. */
export async function listTools(
  params: Readonly<Record<string, unknown>>,
  { parts }: RequestContext,
): Promise<object> {
  if (params.cursor !== undefined) {
    throw new RpcError(RPC_CODES.invalidParams, "There is no further page of tools.");
  }
  const { toolkit } = parts.settings;
  await waitForTools(toolkit);
  const traits = traitsOf(parts.state.version ?? "2024-11-05");
  return { tools: describeTools(toolkit, traits) };
}

/** Never longer than some seconds: an agent does not start without its servers. */
export async function waitForTools(toolkit: Toolkit): Promise<void> {
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

function describeTools(toolkit: Toolkit, traits: VersionTraits): object[] {
  // What the toolkit's own provider is not offered could not be called.
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

/** Named only for a tool that names one; what is sent is of this dialect either way. */
function readDialect(parameters: unknown): object {
  return readText(parameters, "$schema") === undefined ? {} : { $schema: DIALECT };
}

function toHints(toolkit: Toolkit, name: string): object {
  const { title, readOnly, destructive, idempotent, openWorld } = toolkit.annotations(name);
  return {
    title,
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}
