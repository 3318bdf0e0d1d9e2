// The layer of a profile: its base list, and what the config adds to it.

import type { Edit } from "../config/found.js";
import { quote, showPath } from "../config/path.js";
import { addName, type NameList, type ProfileSetting, type Scope } from "../config/scope.js";
import type { Layer, LayerId } from "../layer.js";
import { profileEntries } from "../names/profiles.js";
import type { Subject } from "../names/tool-index.js";
import { closedBy, type LayerContext } from "./context.js";

/** What a malformed profile is mended to: the one that opens least. */
const LEAST_PROFILE = "minimal";

export interface ProfileChoice {
  readonly setting: ProfileSetting;
  /** The scope that chose it, whose `alsoAllow` can add to it. */
  readonly scope: Scope;
}

export interface ProfileLayerInput extends ProfileChoice {
  readonly id: LayerId;
  readonly additions: readonly NameList[];
  readonly context: LayerContext;
}

export function isRestricting(setting: ProfileSetting | undefined): boolean {
  return setting !== undefined && setting.profile !== "full";
}

/** `undefined` for `full`, which removes nothing. */
export function createProfileLayer(input: ProfileLayerInput): Layer | undefined {
  const { id, setting, scope, additions, context } = input;
  if (!isRestricting(setting)) return undefined;
  const entries = profileEntries(setting.profile ?? LEAST_PROFILE) ?? [];
  const added = additions.flatMap((list) => list.entries);
  const base = context.compileList(entries, "built-in");
  const more = additions.map((list) => context.compileList(list.entries, "allow"));
  const isNamed = (subject: Subject) =>
    base.has(subject) || more.some((matcher) => matcher.has(subject));
  const { fault } = setting;
  const mend = (subject: Subject): Edit[] => [
    ...(fault ? [{ path: setting.path, value: LEAST_PROFILE }] : []),
    ...(isNamed(subject) ? [] : [addToProfile(scope, subject)]),
  ];
  const rule = `${showPath(setting.path)} ${quote(setting.text)}`;
  const told = fault
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
      !fault && isNamed(subject) ? undefined : { ...told, mend: () => mend(subject) },
  };
}

function addToProfile({ path, alsoAllow }: Scope, { name }: Subject): Edit {
  return addName(alsoAllow, { path: [...path, "alsoAllow"], name });
}
