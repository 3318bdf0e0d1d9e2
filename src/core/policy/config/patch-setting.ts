// `tools.exec.applyPatch`: which models are offered `apply_patch`. An agent's own setting wins.

import type { WarningLog } from "../warnings.js";
import { childOf, descend, type Fault, type Found, faultBelow, reportFault } from "./found.js";
import type { ConfigPath } from "./path.js";
import { type NameList, readNames } from "./scope.js";

const KEYS = ["exec", "applyPatch"] as const;

export interface PatchSetting {
  readonly enabled: { readonly path: ConfigPath; readonly value: boolean | undefined };
  readonly allowModels?: NameList;
  readonly fault?: Fault;
}

export interface PatchInput {
  readonly tools: Found;
  readonly agentTools: Found;
  readonly log: WarningLog;
}

export function readPatchSetting({ tools, agentTools, log }: PatchInput): PatchSetting {
  const global = descend(tools, KEYS);
  const agent = descend(agentTools, KEYS);
  const enabledPlaces = [childOf(agent, "enabled"), childOf(global, "enabled")];
  const enabled = enabledPlaces.find(({ value }) => value !== undefined);
  const isSwitch = enabled === undefined || typeof enabled.value === "boolean";
  const fault =
    faultBelow(agentTools, KEYS) ??
    faultBelow(tools, KEYS) ??
    (isSwitch ? undefined : wrongSwitch(enabled));
  if (fault) reportFault(fault, log);
  const allowModels =
    readNames(childOf(agent, "allowModels"), log) ?? readNames(childOf(global, "allowModels"), log);
  return {
    enabled: {
      path: enabled?.path ?? childOf(global, "enabled").path,
      value: typeof enabled?.value === "boolean" ? enabled.value : undefined,
    },
    ...(allowModels ? { allowModels } : {}),
    ...(fault ? { fault } : {}),
  };
}

function wrongSwitch({ path }: Found): Fault {
  return { path, reason: "must be true or false", fix: { path, value: true } };
}
