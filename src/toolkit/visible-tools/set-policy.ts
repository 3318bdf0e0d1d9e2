// Other rules for a toolkit that lives: tried as a whole, or refused with those before in force.

import { type PolicyRequest, ToolInputError } from "../../core/index.js";
import type { Events } from "../events.js";
import { readAgentId } from "../options/agent-id.js";
import { assertUsable, readConfig, toDiagnostic } from "../options/read-config.js";
import type { ToolkitOptions } from "../options/toolkit-options.js";
import type { ToolList } from "../tool-list/tool-list.js";
import { findOtherChanges, type LiveConfig } from "./live-config.js";
import { hasNewlyAsked, type OptionalTool } from "./optional-tools.js";
import type { ToolViews, VisibleTools } from "./visible-tools.js";

export interface PolicyChange {
  readonly visible: VisibleTools;
  readonly views: Pick<ToolViews, "renew">;
  readonly live: LiveConfig;
  readonly toolList: ToolList;
  readonly events: Pick<Events, "emit">;
  /** What the toolkit was made of. */
  readonly config: Parameters<typeof findOtherChanges>[0];
  /** As the caller gave them, and with the agent that was meant. */
  readonly given: ToolkitOptions;
  readonly options: ToolkitOptions;
  readonly request: PolicyRequest;
  readonly optionalTools: readonly OptionalTool[];
}

/** Gives the sections that count for a new toolkit only. Throws a ToolInputError. */
export function setPolicy(next: Record<string, unknown>, change: PolicyChange): readonly string[] {
  const { visible, views, live, toolList, config, events } = change;
  assertObject(next);
  const read = readConfig(next);
  const agentId = readAgentId(read.config, change.given.agentId);
  if (agentId !== change.options.agentId) throw otherAgent();
  const names = () => visible.tools().map(({ name }) => name);
  const before = names();
  try {
    live.replace(read.config, () => {
      views.renew();
      assertUsable(visible.warnings());
    });
  } catch (error) {
    views.renew();
    throw error;
  }
  for (const doubt of [...read.doubts, ...visible.warnings()]) {
    toolList.registry.report(toDiagnostic(doubt));
  }
  const now = names();
  if (now.join() !== before.join()) events.emit("tools", { names: now });
  const rest = findOtherChanges(config, read.config);
  const rules = { config: read.config, request: change.request };
  return hasNewlyAsked(change.optionalTools, rules) ? [...new Set([...rest, "plugins"])] : rest;
}

/** A value of another type would be read as a config without rules. */
function assertObject(value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw new ToolInputError("setPolicy: the config must be an object.", {
    reason: "config_invalid",
  });
}

function otherAgent(): ToolInputError {
  return new ToolInputError(
    "The config has another default agent than this toolkit was made for; make a new one.",
    { reason: "agent_changed" },
  );
}
