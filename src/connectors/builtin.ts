// The connectors that come with this package: one for each known provider, and the debug models.

import type { Connector } from "../core/connector.js";
import type { Net } from "../core/index.js";
import { createDebugConnector } from "./debug/debug-models.js";
import { KNOWN_PROVIDERS, toDescriptor } from "./models.js";
import { createProviderConnector } from "./provider-connector.js";

export function createBuiltinConnectors({ net }: { readonly net: Net }): Connector[] {
  const providers = KNOWN_PROVIDERS.map((provider) => {
    const { id, label, api, envVars } = provider;
    const models = provider.models.map((row) => toDescriptor(provider, row));
    return createProviderConnector({ id, label, api, envVars, models }, { net });
  });
  return [...providers, createDebugConnector("debug"), createDebugConnector("clawfice-debug")];
}
