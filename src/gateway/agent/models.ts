// The language models of the gateway's agents, by the config in force and the environment.

import { createModelSource } from "../../agent/index.js";
import { listModels, resolveModels } from "../../connectors/index.js";
import type { ModelDescriptor } from "../../core/connector.js";
import { createEnvironment } from "../../drivers/environment.js";
import { createNet } from "../../drivers/net/index.js";
import type { ConfigFile } from "../config/config-file.js";

export type GatewayModels = ReturnType<typeof createGatewayModels>;

export function createGatewayModels(config: Pick<ConfigFile, "current">) {
  const { ssrfPolicy, proxy, noProxy } = config.current().tools?.net ?? {};
  const net = createNet({ policy: ssrfPolicy, proxy: { url: proxy, noProxy } });
  const environment = createEnvironment();
  const sources = () => ({ config: config.current(), net, environment });
  return {
    /** Reads the config at each call. */
    of: (agentId: string) => createModelSource(() => ({ ...sources(), agentId })),
    /** Every model that is known, or those that can be used. */
    list({ isUsable }: { readonly isUsable: boolean }): ModelDescriptor[] {
      const known = listModels(sources());
      if (!isUsable) return known;
      return known.filter(({ provider, id }) => {
        const { usable } = resolveModels({ ...sources(), model: `${provider}/${id}` });
        return usable.length > 0;
      });
    },
    /** `provider/model` of an agent, also when its key is missing; undefined when none is configured. */
    usual(agentId: string): string | undefined {
      const { usable, unusable } = resolveModels({ ...sources(), agentId });
      return usable[0]?.ref ?? unusable[0]?.ref;
    },
    close: () => net.close(),
  };
}
