// All layers of one policy, in the order in which they are asked.

import { type Edit, quote, reportFault, showPath } from "./found.js";
import { closedBy, type Layer, type LayerContext, type LayerId } from "./layer.js";
import { CHANNEL_IDS } from "./names.js";
import { addName, type NameList, type ProfileSetting, type Scope } from "./scope.js";
import {
  type AllowReading,
  createGuardLayer,
  createModelLayer,
  createScopeLayer,
  reportNames,
  type ScopeLayer,
  STRICT,
} from "./scope-layer.js";
import type { PolicySources } from "./sources.js";
import type { PolicyRequest, Subject } from "./tools.js";

const LEAST_PROFILE = "minimal";

export const SANDBOX_DEFAULTS = {
  allow: (
    "exec process read write edit apply_patch grep find ls image sessions_list " +
    "sessions_history sessions_send sessions_spawn session_status"
  ).split(" "),
  deny: ["browser", "canvas", "nodes", "cron", "gateway", ...CHANNEL_IDS],
};

const EVERY_SUBAGENT_DENY = [
  "gateway",
  "agents_list",
  "session_status",
  "cron",
  "message",
  "sessions_send",
] as const;

export const SUBAGENT_DENY = {
  orchestrator: EVERY_SUBAGENT_DENY,
  leaf: [
    ...EVERY_SUBAGENT_DENY,
    "subagents",
    "sessions_list",
    "sessions_history",
    "sessions_spawn",
  ],
} as const satisfies Record<"leaf" | "orchestrator", readonly string[]>;

const CAP = "toolsAllow";

interface BuildInput {
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
  readonly wide: Scope | undefined;
  readonly own: Scope | undefined;
  readonly unknownAllow: "ignore" | "deny";
  readonly context: LayerContext;
}

function buildPair({ ids, wide, own, unknownAllow, context }: PairInput) {
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
    // An agent's own profile means the global one with all that was added to it.
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
    // What is not a known kind is kept as short as a leaf.
    defaults: {
      deny: subagent === "orchestrator" ? SUBAGENT_DENY.orchestrator : SUBAGENT_DENY.leaf,
    },
    context,
  });
}

function createOwnerLayer({ owner }: PolicyRequest): Layer | undefined {
  if (owner !== false) return undefined;
  const removal = {
    rule: "owner",
    reason: "for the owner alone, and this caller is not the owner",
  };
  return {
    summary: { id: "owner", source: "owner", state: "filters" },
    judge: ({ ownerOnly }) => (ownerOnly ? removal : undefined),
  };
}

function createCapLayer(request: PolicyRequest, context: LayerContext): Layer | undefined {
  // A caller without types may send anything; what is not a list of names allows nothing.
  const given: unknown = request.toolsAllow;
  if (given === undefined) return undefined;
  const isList = Array.isArray(given) && given.every((entry) => typeof entry === "string");
  const list: NameList = { path: [CAP], entries: isList ? given : [] };
  if (!isList) reportFault({ path: [CAP], reason: "must be a list of names" }, context.log);
  reportNames(list, { use: "allow", ...context });
  const matcher = context.compileList(list.entries, "allow");
  const removal = { rule: CAP, reason: `not named by ${CAP}, the cap of this call` };
  return {
    summary: {
      id: "runtime",
      source: CAP,
      state: isList ? "filters" : "closed",
      allow: list.entries,
    },
    judge: (subject) => (matcher.has(subject) ? undefined : removal),
  };
}

interface ProfileChoice {
  readonly setting: ProfileSetting;
  readonly scope: Scope;
}

interface ProfileLayerInput extends ProfileChoice {
  readonly id: LayerId;
  readonly additions: readonly NameList[];
  readonly context: LayerContext;
}

function isRestricting(setting: ProfileSetting | undefined): boolean {
  return setting !== undefined && setting.profile !== "full";
}

/** `undefined` for `full`, which removes nothing. */
function createProfileLayer(input: ProfileLayerInput): Layer | undefined {
  const { id, setting, scope, additions, context } = input;
  if (!isRestricting(setting)) return undefined;
  const entries = context.index.builtIns.entriesOf(setting.profile ?? LEAST_PROFILE);
  const added = additions.flatMap((list) => list.entries);
  const base = context.compileList(entries, "built-in");
  const more = additions.map((list) => context.compileList(list.entries, "allow"));
  const isNamed = (subject: Subject) =>
    base.has(subject) || more.some((matcher) => matcher.has(subject));
  const { fault } = setting;
  const fix = (subject: Subject): Edit[] => [
    ...(fault ? [{ path: setting.path, value: LEAST_PROFILE }] : []),
    ...(isNamed(subject) ? [] : [addToProfile(scope, subject)]),
  ];
  const rule = `${showPath(setting.path)} ${quote(setting.text)}`;
  const removal = fault
    ? { ...closedBy(fault), rule }
    : { rule, reason: `profile ${setting.text} does not have it (${showPath(setting.path)})` };
  return {
    summary: {
      id,
      source: showPath(setting.path),
      state: fault ? "closed" : "filters",
      allow: fault ? [] : [...entries, ...added],
    },
    judge: (subject) =>
      !fault && isNamed(subject) ? undefined : { ...removal, fix: () => fix(subject) },
  };
}

function addToProfile({ path, alsoAllow }: Scope, { name }: Subject): Edit {
  return addName(alsoAllow, { path: [...path, "alsoAllow"], name });
}
