// What the flags of `clawtools mcp` leave of the tools. They can only take away from what the config
// allows, but for the profile, which stands in its place.

import { TOOL_PROFILES } from "../../core/index.js";
import type { ToolkitOptions } from "../../toolkit/index.js";
import { CATALOG } from "../../tools/catalog.js";
import type { CommandCall } from "../command-call.js";
import { UsageError } from "../failure.js";

/** Nothing is known of what these do. */
const FOREIGN = "group:plugins";

export function narrowTools(
  options: ToolkitOptions,
  { texts, switches }: Pick<CommandCall, "texts" | "switches">,
): ToolkitOptions {
  const allow = readNames("allow", texts.allow);
  const profile = readProfile(texts.profile);
  const writing = switches.has("read-only") ? [...listWriting(), FOREIGN] : [];
  const denied = [...(readNames("deny", texts.deny) ?? []), ...writing];
  const { tools = {} } = options.config ?? {};
  return {
    ...options,
    ...(allow === undefined ? {} : { toolsAllow: allow }),
    config: {
      ...options.config,
      tools: {
        ...tools,
        ...(profile === undefined ? {} : { profile }),
        ...(denied.length === 0 ? {} : { deny: [...(tools.deny ?? []), ...denied] }),
      },
    },
  };
}

function listWriting(): string[] {
  return CATALOG.filter(({ tool }) => !tool.readOnly).map(({ tool }) => tool.name);
}

/** Throws a UsageError for a list without a name: nobody means to be served nothing. */
export function readNames(flag: string, text: string | undefined): string[] | undefined {
  const names = text
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names?.length === 0) throw new UsageError(`--${flag} names no tool.`);
  return names;
}

function readProfile(name: string | undefined) {
  if (name === undefined) return undefined;
  const profile = TOOL_PROFILES.find((one) => one === name);
  if (profile !== undefined) return profile;
  throw new UsageError(`--profile must be one of ${TOOL_PROFILES.join(", ")}.`);
}
