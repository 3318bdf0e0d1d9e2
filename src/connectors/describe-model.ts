// One model by its name: what is known of it, which connector speaks to it, and its key.

import type { ClawtoolsConfig } from "../config/index.js";
import type { Connector, ModelDescriptor } from "../core/connector.js";
import { type Environment, type Net, ToolError } from "../core/index.js";
import { findBaseUrlFault } from "../lib/base-url.js";
import { nearestName } from "../lib/nearest-name.js";
import { resolveAuthFrom, toConventionalName } from "./auth.js";
import { createDebugConnector } from "./debug/debug-models.js";
import { KNOWN_PROVIDERS, type KnownProvider } from "./models.js";
import { createProviderConnector, isWireApi, WIRE_APIS } from "./provider-connector.js";
import type { ConnectorRegistry } from "./registry.js";

export interface ModelSources {
  readonly config: ClawtoolsConfig;
  readonly net: Net;
  readonly environment: Environment;
  /** Connectors of the program and of plugins; they come before ours. */
  readonly connectors?: ConnectorRegistry | undefined;
}

export interface ResolvedModel {
  /** `provider/model`. */
  readonly ref: string;
  readonly model: ModelDescriptor;
  readonly connector: Connector;
  readonly apiKey: string | undefined;
}

type Providers = NonNullable<NonNullable<ClawtoolsConfig["models"]>["providers"]>;
type ProviderSection = Providers[string];

/** With its key, or the error that says what is missing. */
export function resolveModel(ref: string, sources: ModelSources): ResolvedModel | ToolError {
  const found = describeModel(ref, sources);
  if (found instanceof ToolError) return found;
  const { model, connector, section, isKeyless } = found;
  const apiKey = readKey({ model, connector, section }, sources.environment);
  if (apiKey === undefined && !isKeyless) return noKeyError(model, connector);
  return { ref: `${model.provider}/${model.id}`, model, connector, apiKey };
}

interface DescribedModel {
  readonly model: ModelDescriptor;
  readonly connector: Connector;
  readonly section: ProviderSection | undefined;
  readonly isKeyless: boolean;
}

/** Also without a key. */
export function describeModel(ref: string, sources: ModelSources): DescribedModel | ToolError {
  const { config, connectors } = sources;
  const slash = ref.indexOf("/");
  const [provider, id] = [ref.slice(0, slash), ref.slice(slash + 1)];
  if (slash < 1 || id === "") {
    return failure(`"${ref}" is not a model. Write it as provider/model.`, "model_invalid");
  }
  const registered = connectors?.getByProvider(provider) ?? findDebug(provider);
  if (registered !== undefined) {
    const model = registered.models.find((one) => one.id === id);
    if (model === undefined && registered.models.length > 0)
      return unknownModel(ref, registered.models);
    const isKeyless = (registered.envVars ?? []).length === 0;
    const described = model ?? { id, provider, api: registered.api };
    return { model: described, connector: registered, section: undefined, isKeyless };
  }
  const section = readProviders(config)[provider];
  const known = KNOWN_PROVIDERS.find((one) => one.id === provider);
  if (section === undefined && known === undefined) return unknownProvider(ref, config);
  const model = toModel({ provider, id, section, known });
  const fault = findModelFault(model);
  if (fault !== undefined) return failure(fault, "model_invalid");
  const { label = provider, envVars = [] } = known ?? {};
  const connector = createProviderConnector(
    { ...{ id: provider, label, envVars }, api: model.api, models: [model] },
    { net: sources.net },
  );
  return { model, connector, section, isKeyless: isKeyless(known, section) };
}

/** A server of one's own needs no key; a service that is known by name does. */
function isKeyless(
  known: KnownProvider | undefined,
  section: ProviderSection | undefined,
): boolean {
  if (known === undefined) return true;
  return known.envVars.length === 0 || (section?.baseUrl ?? known.baseUrl) !== known.baseUrl;
}

interface ModelParts {
  readonly provider: string;
  readonly id: string;
  readonly section: ProviderSection | undefined;
  readonly known: KnownProvider | undefined;
}

/** What the config says of the model, then of its provider, then what is known by name. */
function toModel({ provider, id, section, known }: ModelParts): ModelDescriptor {
  const base = known?.models.find((one) => one.id === id);
  const written = section?.models?.find((one) => one.id === id);
  const { cost, compat: _compat, headers: _headers, ...own } = written ?? {};
  const baseUrl = section?.baseUrl ?? known?.baseUrl;
  const headers = { ...section?.headers, ...written?.headers };
  const compat = { ...known?.compat, ...base?.compat, ...section?.compat, ...written?.compat };
  return {
    ...base,
    api: section?.api ?? known?.api ?? "openai-completions",
    ...own,
    ...{ id, provider },
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, "") }),
    ...(cost && {
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...base?.cost, ...cost },
    }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

function findModelFault({ provider, api, baseUrl }: ModelDescriptor): string | undefined {
  const place = `models.providers.${provider}`;
  if (!isWireApi(api))
    return `${place}.api: "${api}" is not supported. Use ${WIRE_APIS.join(", ")}.`;
  if (baseUrl === undefined) return `${place}.baseUrl is missing. Set the address of the service.`;
  const fault = findBaseUrlFault(baseUrl, "https://host/v1");
  return fault === undefined ? undefined : `${place}.baseUrl: "${baseUrl}" ${fault}`;
}

/** A key of the environment goes only to the address it is meant for. */
function readKey(
  { model, connector, section }: Pick<DescribedModel, "model" | "connector" | "section">,
  environment: Environment,
): string | undefined {
  const known = KNOWN_PROVIDERS.find(({ id }) => id === model.provider);
  const isElsewhere = known !== undefined && section?.baseUrl !== undefined;
  if (isElsewhere && section.baseUrl !== known.baseUrl) return section.apiKey;
  const names = [...(connector.envVars ?? []), toConventionalName(model.provider)];
  const env = Object.fromEntries(names.map((name) => [name, environment.read(name)]));
  const { provider } = model;
  return resolveAuthFrom({ provider, envVars: names, explicitKey: section?.apiKey, env })?.apiKey;
}

function findDebug(provider: string): Connector | undefined {
  return provider === "debug" || provider === "clawfice-debug"
    ? createDebugConnector(provider)
    : undefined;
}

export function readProviders(config: ClawtoolsConfig): Providers {
  return config.models?.providers ?? {};
}

function noKeyError({ provider, id }: ModelDescriptor, { envVars = [] }: Connector): ToolError {
  const variable =
    envVars.find((name) => name.endsWith("_API_KEY")) ?? toConventionalName(provider);
  return new ToolError(
    "unavailable",
    `No API key for ${provider}/${id}. Set ${variable} or models.providers.${provider}.apiKey.`,
    { reason: "no_key" },
  );
}

function unknownModel(ref: string, models: readonly ModelDescriptor[]): ToolError {
  const near = nearestName(
    ref,
    models.map(({ provider, id }) => `${provider}/${id}`),
  );
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return failure(`Unknown model "${ref}".${hint}`, "model_unknown");
}

function unknownProvider(ref: string, config: ClawtoolsConfig): ToolError {
  const provider = ref.slice(0, ref.indexOf("/"));
  const names = [...Object.keys(readProviders(config)), ...KNOWN_PROVIDERS.map(({ id }) => id)];
  const near = nearestName(provider, names);
  const hint = near === undefined ? `Set models.providers.${provider}` : `Did you mean "${near}"`;
  return failure(
    `Unknown provider "${provider}" in "${ref}". ${hint}${near ? "?" : "."}`,
    "model_unknown",
  );
}

function failure(message: string, reason: string): ToolError {
  return new ToolError("unavailable", message, { reason });
}
