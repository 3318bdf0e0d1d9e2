// The language models of a toolkit, from its config or from keys in the environment.
import type { ClawtoolsConfig } from "../../config/index.js";
import {
  createBuiltinConnectors,
  createModels,
  listModels,
  noModelError,
  resolveAuthFrom,
  resolveModels,
} from "../../connectors/index.js";
import type { Connector, ModelDescriptor, ResolvedAuth } from "../../core/connector.js";
import type { Environment, Models, Net, ToolError } from "../../core/index.js";
import { createEnvironment, readEnvironment } from "../../drivers/environment.js";
import { lazy } from "../../lib/lazy.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import { createLazyNet } from "./net.js";

interface ModelsSource {
  readonly options: Pick<ToolkitOptions, "agentId" | "provider" | "model" | "models">;
  readonly config: ClawtoolsConfig;
  readonly net: Net;
  readonly environment: Environment | undefined;
}

/** Nothing when no model can be used, so that tools which need one say so. */
export function findModels(source: ModelsSource): { readonly models?: Models } {
  const { options, config, net, environment = { read: () => undefined } } = source;
  if (options.models !== undefined) return { models: options.models };
  const { agentId, provider, model } = options;
  const sessionModel = provider && model ? `${provider}/${model}` : undefined;
  const models = createModels({ config, net, environment, agentId, sessionModel });
  const isUsable = models.list("text").length + models.list("image").length > 0;
  return isUsable ? { models } : {};
}

interface ListedModel {
  readonly ref: string;
  readonly model: ModelDescriptor;
  readonly isUsable: boolean;
}

interface AgentModels extends Pick<Models, "complete"> {
  list(): ListedModel[];
  /** Why this agent has no model; undefined when it has one. `no_model`: none is configured. */
  problem(): ToolError | undefined;
  close(): Promise<void>;
}

export function createAgentModels(source: {
  readonly config: ClawtoolsConfig;
  readonly agentId: string | undefined;
}): AgentModels {
  const net = createLazyNet(() => source.config);
  const sources = { ...source, net, environment: createEnvironment() };
  return {
    complete: createModels(sources).complete,
    list: () =>
      listModels(sources).map((model) => {
        const ref = `${model.provider}/${model.id}`;
        const { usable } = resolveModels({ ...sources, model: ref });
        return { ref, model, isUsable: usable.length > 0 };
      }),
    problem() {
      const found = resolveModels(sources);
      return found.usable.length > 0 ? undefined : noModelError(found);
    },
    close: net.close,
  };
}

/** The documented function: the same connectors at each call. */
export const discoverBuiltinConnectors: () => Promise<Connector[]> = lazy(async () =>
  createBuiltinConnectors({ net: createLazyNet(() => ({})) }),
);

/** Never throws; undefined means that no key was found. */
export function resolveAuth(
  provider: string,
  envVars?: readonly string[],
  explicitKey?: string,
): ResolvedAuth | undefined {
  return resolveAuthFrom({ provider, envVars, explicitKey, env: readEnvironment() });
}
