// The layer of one scope of the config: its deny list, then its allow list.

import type { ConfigPath } from "../config/path.js";
import type { Scope } from "../config/scope.js";
import type { Layer, LayerId } from "../layer.js";
import { type AllowReading, readAllowMode } from "./allow-mode.js";
import type { LayerContext } from "./context.js";
import { createListLayer } from "./name-lists.js";
import { reportNames } from "./report-names.js";

export interface ScopeLayer {
  /** Absent when the scope says nothing of lists. */
  readonly layer?: Layer;
  /** Its allow list adds to the profile instead of filtering. */
  readonly addsToProfile: boolean;
}

export interface ScopeLayerInput {
  readonly id: LayerId;
  readonly scope: Scope | undefined;
  readonly reading: AllowReading;
  readonly context: LayerContext;
}

export const STRICT: AllowReading = { unknown: "filter", besideProfile: false };

export function createScopeLayer({ id, scope, reading, context }: ScopeLayerInput): ScopeLayer {
  if (!scope) return { addsToProfile: false };
  const { path, allow, alsoAllow, deny, fault } = scope;
  const mode = readAllowMode(allow, { reading, context });
  reportNames(alsoAllow, { use: "allow", ...context });
  reportNames(deny, { use: "deny", ...context });
  if (!allow && !alsoAllow && !deny && !fault) return { addsToProfile: false };
  const layer = createListLayer(
    {
      id,
      path,
      allow,
      alsoAllow,
      denies: deny ? [deny] : [],
      // Alone, `alsoAllow` adds to everything.
      allowUse: allow && mode === "filter" ? "filter" : "open",
      faults: fault ? [fault] : [],
    },
    context,
  );
  return { layer, addsToProfile: mode === "adds" };
}

/** Defaults of ours beside what the config says of sandboxes and sub-agents. */
export interface GuardInput {
  readonly id: "sandbox" | "subagent";
  /** Where a missing list would be written. */
  readonly path: ConfigPath;
  /** The agent's own first. Their allow lists replace, their deny lists all hold. */
  readonly scopes: readonly (Scope | undefined)[];
  readonly defaults: { readonly allow?: readonly string[]; readonly deny: readonly string[] };
  readonly context: LayerContext;
}

export function createGuardLayer({ id, path, scopes, defaults, context }: GuardInput): Layer {
  const known = scopes.filter((scope) => scope !== undefined);
  const allow = known.find((scope) => scope.allow)?.allow;
  const alsoAllow = known.find((scope) => scope.alsoAllow)?.alsoAllow;
  const denies = known.flatMap(({ deny }) => deny ?? []);
  readAllowMode(allow, { reading: STRICT, context });
  reportNames(alsoAllow, { use: "allow", ...context });
  for (const deny of denies) reportNames(deny, { use: "deny", ...context });
  return createListLayer(
    {
      id,
      path,
      allow,
      alsoAllow,
      denies,
      allowUse: allow || defaults.allow ? "filter" : "open",
      defaults,
      faults: known.flatMap(({ fault }) => fault ?? []),
    },
    context,
  );
}
