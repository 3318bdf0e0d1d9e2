// Finding an entry by what a caller may call it. No factory is called here.

import { nearestName } from "../../lib/nearest-name.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { isToolDefinition } from "../define-tool.js";
import { ToolError, ToolInputError } from "../errors.js";
import { foldName } from "../policy/names.js";
import { TOOL_PROFILES, type ToolMeta } from "../tool.js";
import { type Entry, nameOf } from "./entry.js";

const MAX_SHOWN_CHARS = 128;

type Entries = ReadonlyMap<string, Entry>;

export function findEntry(entries: Entries, name: string): Entry | undefined {
  const byId = entries.get(name);
  if (byId) return byId;
  return [...entries.values()].find(
    ({ source }) => typeof source !== "function" && nameOf(source) === name,
  );
}

export function findByOtherName(entries: Entries, name: string): Entry | undefined {
  const found = [...entries.values()].find((entry) => otherNamesOf(entry).includes(name));
  if (found === undefined) return undefined;
  const folded = foldName(name);
  const isOwned = [...entries.values()].some((entry) =>
    ownNamesOf(entry).some((own) => foldName(own) === folded),
  );
  return isOwned ? undefined : found;
}

export function explainTakenNames(entries: Entries, entry: Entry): string[] {
  const { id } = entry.meta;
  const others = [...entries.values()].filter(({ meta }) => meta.id !== id);
  return otherNamesOf(entry).flatMap((other) => {
    const owner = others.find((known) => answersTo(known, other))?.meta.id;
    if (owner === undefined) return [];
    return [`Tool "${id}" also wants to be called "${other}", which is "${owner}" already.`];
  });
}

function answersTo(entry: Entry, name: string): boolean {
  const folded = foldName(name);
  return [...ownNamesOf(entry), ...otherNamesOf(entry)].some((known) => foldName(known) === folded);
}

function ownNamesOf({ meta, source }: Entry): string[] {
  return typeof source === "function" ? [meta.id] : [meta.id, nameOf(source)];
}

function otherNamesOf({ source }: Entry): readonly string[] {
  return isToolDefinition(source) ? source.alsoKnownAs : [];
}

export function listFactories(entries: Entries): Entry[] {
  return [...entries.values()].filter(({ source }) => typeof source === "function");
}

export function unknownTool(entries: Entries, name: unknown): ToolError {
  const asked = String(name).slice(0, MAX_SHOWN_CHARS);
  const nearest = nearestName(asked, entries.keys());
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  return new ToolError("not_found", `No tool "${asked}" is registered.${hint}`, {
    reason: "tool_unknown",
  });
}

const DEFAULT_SECTION_ID = "custom";
const TOOL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

interface Derivable {
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
