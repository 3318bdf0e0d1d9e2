// Which models a request may use, in the order in which they are tried, each with its connector and
// key. Reads the config and the environment; asks no provider.

import { type ClawtoolsConfig, findAgent } from "../config/index.js";
import type { ModelDescriptor } from "../core/connector.js";
import { ToolError } from "../core/index.js";
import { createDebugConnector } from "./debug/debug-models.js";
import {
  describeModel,
  type ModelSources,
  type ResolvedModel,
  readProviders,
  resolveModel,
} from "./describe-model.js";
import { KNOWN_PROVIDERS } from "./models.js";

export interface ModelRequest extends ModelSources {
  readonly agentId?: string | undefined;
  /** `provider/model` that is used alone, without fallbacks. */
  readonly model?: string | undefined;
  /** Default `text`. */
  readonly purpose?: "text" | "image" | undefined;
  /** `image`: the model of the conversation, used when no image model is configured. */
  readonly sessionModel?: string | undefined;
}

export interface ModelResolution {
  readonly usable: readonly ResolvedModel[];
  /** Configured, but without a key or unknown. */
  readonly unusable: readonly { readonly ref: string; readonly error: ToolError }[];
}

type ModelChoice = NonNullable<NonNullable<ClawtoolsConfig["agents"]>["defaults"]>["model"];

export function resolveModels(request: ModelRequest): ModelResolution {
  const usable: ResolvedModel[] = [];
  const unusable: { ref: string; error: ToolError }[] = [];
  for (const ref of new Set(listRefs(request))) {
    const found = resolveModel(ref, request);
    if (found instanceof ToolError) unusable.push({ ref, error: found });
    else usable.push(found);
  }
  return { usable, unusable };
}

/** Every model that is known: configured ones, those of connectors, and the table of a known provider. */
export function listModels(sources: ModelSources): ModelDescriptor[] {
  const configured = Object.entries(readProviders(sources.config)).flatMap(
    ([provider, { models }]) =>
      (models ?? []).flatMap(({ id }) => (id === undefined ? [] : [`${provider}/${id}`])),
  );
  const known = KNOWN_PROVIDERS.flatMap(({ id, models }) => models.map((one) => `${id}/${one.id}`));
  const connected = (sources.connectors?.list() ?? []).flatMap(({ provider, models }) =>
    models.map(({ id }) => `${provider}/${id}`),
  );
  const debug = createDebugConnector("debug").models.map(({ id }) => `debug/${id}`);
  const refs = new Set([...configured, ...connected, ...known, ...debug]);
  return [...refs].flatMap((ref) => {
    const found = describeModel(ref, sources);
    return found instanceof ToolError ? [] : [found.model];
  });
}

/** The error that says what to set when no model can be used. */
export function noModelError({ unusable }: ModelResolution): ToolError {
  const [first] = unusable;
  if (first !== undefined) return first.error;
  return new ToolError(
    "unavailable",
    'No model is configured. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or agents.defaults.model to "provider/model".',
    { reason: "no_model" },
  );
}

function listRefs(request: ModelRequest): string[] {
  const { config, agentId, model, purpose, sessionModel } = request;
  if (model !== undefined) return [model];
  const agent = findAgent(config, agentId);
  const defaults = config.agents?.defaults;
  const chosen = readChoice(agent?.model ?? defaults?.model);
  if (purpose !== "image") return chosen.length > 0 ? chosen : listRefsWithKey(request).slice(0, 1);
  const forImages = readChoice(agent?.imageModel ?? defaults?.imageModel);
  if (forImages.length > 0) return forImages;
  const own = sessionModel === undefined ? [] : [sessionModel];
  const others = [...own, ...chosen, ...listVisionRefs(request)];
  return others.filter((ref) => seesImages(ref, request)).slice(0, 1);
}

function readChoice(choice: ModelChoice): string[] {
  if (choice === undefined) return [];
  if (typeof choice === "string") return [choice];
  const { primary, fallbacks = [] } = choice;
  return primary === undefined ? [...fallbacks] : [primary, ...fallbacks];
}

/** The usual model of each provider that has a key in the config or the environment. */
function listRefsWithKey(sources: ModelSources): string[] {
  const configured = Object.entries(readProviders(sources.config)).flatMap(([id, { models }]) => {
    const [first] = models ?? [];
    return first?.id === undefined ? [] : [`${id}/${first.id}`];
  });
  const known = KNOWN_PROVIDERS.flatMap(({ id, defaultModel }) =>
    defaultModel === undefined ? [] : [`${id}/${defaultModel}`],
  );
  return [...configured, ...known].filter((ref) => hasKey(ref, sources));
}

function listVisionRefs(sources: ModelSources): string[] {
  const refs = listModels(sources).map(({ provider, id }) => `${provider}/${id}`);
  return [...listRefsWithKey(sources), ...refs].filter((ref) => hasKey(ref, sources));
}

function hasKey(ref: string, sources: ModelSources): boolean {
  return !(resolveModel(ref, sources) instanceof ToolError);
}

function seesImages(ref: string, sources: ModelSources): boolean {
  const found = describeModel(ref, sources);
  return !(found instanceof ToolError) && found.model.input?.includes("image") === true;
}
