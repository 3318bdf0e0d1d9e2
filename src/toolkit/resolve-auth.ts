// The documented `resolveAuth`: the search for a key, joined to the live environment.

import { resolveAuthFrom } from "../connectors/index.js";
import type { ResolvedAuth } from "../core/connector.js";
import { readEnvironment } from "../drivers/environment.js";

/** Never throws; undefined means that no key was found. */
export function resolveAuth(
  provider: string,
  envVars?: readonly string[],
  explicitKey?: string,
): ResolvedAuth | undefined {
  return resolveAuthFrom({ provider, envVars, explicitKey, env: readEnvironment() });
}
