// The first request of a session: which version is spoken, and what each side can do.

import { readField } from "../../../lib/read-field.js";
import { RPC_CODES, RpcError } from "../protocol/json-rpc.js";
import { negotiateVersion, traitsOf } from "../protocol/versions.js";
import type { SessionParts } from "./session-parts.js";
import { waitForTools } from "./tools/list-tools.js";

const NAME = "clawtools";
const TITLE = "clawtools";

/** Throws an RpcError the second time. */
export async function initialize(
  params: Readonly<Record<string, unknown>>,
  { settings, state }: SessionParts,
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
    instructions: settings.toolkit.prompt({ provider: "mcp" }),
  };
}

/** A client that can only open pages cannot show our form. */
function canElicit(capabilities: unknown): boolean {
  const elicitation = readField(capabilities, "elicitation");
  if (typeof elicitation !== "object" || elicitation === null) return false;
  const modes = Object.keys(elicitation);
  return modes.length === 0 || modes.includes("form");
}
