// All layers of one policy, in the order in which they are asked.

import type { NameList, Scope } from "../config/scope.js";
import type { PolicySources } from "../config/sources.js";
import type { Layer, LayerId } from "../layer.js";
import type { PolicyRequest } from "../request.js";
import type { AllowReading } from "./allow-mode.js";
import { createCapLayer, createOwnerLayer } from "./caller-layers.js";
import type { LayerContext } from "./context.js";
import { SANDBOX_DEFAULTS, SUBAGENT_DENY } from "./defaults.js";
import { createModelLayer } from "./model-layer.js";
import { createProfileLayer, isRestricting, type ProfileChoice } from "./profile-layer.js";
import { createGuardLayer, createScopeLayer, type ScopeLayer, STRICT } from "./scope-layer.js";

export interface BuildInput {
  readonly sources: PolicySources;
  readonly request: PolicyRequest;
  readonly context: LayerContext;
}

export function buildLayers({ sources, request, context }: BuildInput): Layer[] {
  const { global, agent, globalProvider, agentProvider } = sources;
  const { unknownAllow } = sources;
  const base = buildPair({
    ids: { profile: "profile", wide: "global", own: "agent" },
    wide: global,
    own: agent,
    unknownAllow,
    context,
  });
  const provider = buildPair({
    ids: { profile: "provider-profile", wide: "global-provider", own: "agent-provider" },
    wide: globalProvider,
    own: agentProvider,
    unknownAllow,
    context,
  });
  const strict = (id: LayerId, scopes: readonly Scope[]) =>
    scopes.map((scope) => createScopeLayer({ id, scope, reading: STRICT, context }).layer);
  const layers = [
    base.profile,
    createModelLayer({ model: sources.model, setting: sources.patch }),
    provider.profile,
    provider.wide,
    base.wide,
    provider.own,
    base.own,
    ...strict("group", sources.group),
    ...strict("sender", sources.sender),
    buildSandbox({ sources, request, context }),
    createOwnerLayer(request),
    buildSubagent({ sources, request, context }),
    createCapLayer(request, context),
  ];
  return layers.filter((layer) => layer !== undefined);
}

interface PairInput {
  readonly ids: { readonly profile: LayerId; readonly wide: LayerId; readonly own: LayerId };
  /** What holds for all agents. */
  readonly wide: Scope | undefined;
  /** What holds for the agent of the request. */
  readonly own: Scope | undefined;
  readonly unknownAllow: "ignore" | "deny";
  readonly context: LayerContext;
}

interface Pair {
  readonly profile: Layer | undefined;
  readonly wide: Layer | undefined;
  readonly own: Layer | undefined;
}

/** The profile that is in force, and the lists beside it. */
function buildPair({ ids, wide, own, unknownAllow, context }: PairInput): Pair {
  const choice = chooseProfile(wide, own);
  const readingOf = (scope: Scope | undefined): AllowReading => ({
    unknown: unknownAllow === "deny" ? "filter" : "lenient",
    besideProfile: isRestricting(choice?.setting) || isRestricting(scope?.profile),
  });
  const layerOf = (id: LayerId, scope: Scope | undefined) =>
    createScopeLayer({ id, scope, reading: readingOf(scope), context });
  const wideLayer = layerOf(ids.wide, wide);
  const ownLayer = layerOf(ids.own, own);
  const additions = [
    // An agent's own profile stands for the global one with all that was added to it.
    ...(choice?.scope === wide ? additionsOf(wide, wideLayer) : []),
    ...additionsOf(own, ownLayer),
  ];
  return {
    profile: choice && createProfileLayer({ id: ids.profile, ...choice, additions, context }),
    wide: wideLayer.layer,
    own: ownLayer.layer,
  };
}

function chooseProfile(wide: Scope | undefined, own: Scope | undefined): ProfileChoice | undefined {
  if (own?.profile) return { setting: own.profile, scope: own };
  return wide?.profile ? { setting: wide.profile, scope: wide } : undefined;
}

function additionsOf(scope: Scope | undefined, { addsToProfile }: ScopeLayer): NameList[] {
  const lists = [scope?.alsoAllow, addsToProfile ? scope?.allow : undefined];
  return lists.filter((list) => list !== undefined);
}

function buildSandbox({ sources, request, context }: BuildInput): Layer | undefined {
  if (!request.sandboxed) return undefined;
  return createGuardLayer({
    id: "sandbox",
    path: ["tools", "sandbox", "tools"],
    scopes: [sources.agentSandbox, sources.sandbox],
    defaults: SANDBOX_DEFAULTS,
    context,
  });
}

function buildSubagent({ sources, request, context }: BuildInput): Layer | undefined {
  const { subagent } = request;
  if (subagent === undefined) return undefined;
  return createGuardLayer({
    id: "subagent",
    path: ["tools", "subagents", "tools"],
    scopes: [sources.subagents],
    // What is no known kind is kept as short as a leaf.
    defaults: {
      deny: subagent === "orchestrator" ? SUBAGENT_DENY.orchestrator : SUBAGENT_DENY.leaf,
    },
    context,
  });
}
