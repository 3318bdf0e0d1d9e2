// Frozen metadata of registered tools: derived from the tool, overridden by the caller.

import { ToolInputError } from "../errors.js";
import { TOOL_PROFILES, type ToolMeta } from "../tool.js";

const DEFAULT_SECTION_ID = "custom";
const TOOL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export interface Derivable {
  readonly name: string;
  readonly label?: string | undefined;
  readonly description: string;
}

export function deriveMeta(tool: Derivable, meta?: Partial<ToolMeta> | null): ToolMeta {
  return freezeMeta({
    id: tool.name,
    label: tool.label ?? tool.name,
    description: tool.description,
    ...withoutUndefined(meta ?? {}),
  });
}

/** A copy that no one can change, so that a listing never changes the registry. */
export function freezeMeta(meta: Pick<ToolMeta, "id"> & Partial<ToolMeta>): ToolMeta {
  if (typeof meta.id !== "string" || !TOOL_ID.test(meta.id)) {
    throw new ToolInputError(
      "meta.id is required: 1 to 128 letters, digits, '.', '_' or '-', beginning with a letter or digit.",
      { reason: "meta_id_invalid" },
    );
  }
  const {
    id,
    label = id,
    description = "",
    sectionId = DEFAULT_SECTION_ID,
    source = "core",
  } = meta;
  if (meta.profiles !== undefined && !Array.isArray(meta.profiles)) {
    throw new ToolInputError(`meta.profiles of "${meta.id}" must be a list of profile names.`, {
      reason: "meta_profiles_invalid",
    });
  }
  const profiles = [...(meta.profiles ?? ["full"])];
  Object.freeze(profiles);
  return Object.freeze({ ...meta, id, label, description, sectionId, profiles, source });
}

export function unknownProfiles(meta: ToolMeta): string[] {
  const known: readonly string[] = TOOL_PROFILES;
  return meta.profiles.filter((profile) => !known.includes(profile));
}

function withoutUndefined(meta: Partial<ToolMeta>): Partial<ToolMeta> {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
}
