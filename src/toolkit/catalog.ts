// The catalog as metadata, and as what the policy knows of built-in tools.

import type { PolicyInput, ToolMeta, ToolPolicy, ToolSection } from "../core/index.js";
import { type BuiltIns, compilePolicyFor, readBuiltIns } from "../core/stages.js";
import { CATALOG, type CatalogRow, EXTENDED_SECTIONS, SECTIONS } from "../tools/catalog.js";

/** The 23 documented tools. */
export function getCoreToolCatalog(): ToolMeta[] {
  return coreRows().map(toMeta);
}

/** Every built-in tool, the documented ones among them. */
export function getToolCatalog(): ToolMeta[] {
  return CATALOG.map(toMeta);
}

/** The 11 documented sections, in order. */
export function getCoreSections(): ToolSection[] {
  return SECTIONS.map((section) => Object.freeze({ ...section }));
}

export function getAllSections(): ToolSection[] {
  return [...SECTIONS, ...EXTENDED_SECTIONS].map((section) => Object.freeze({ ...section }));
}

export function coreRows(): CatalogRow[] {
  return CATALOG.filter((row) => !row.extended);
}

export function toMeta(row: CatalogRow): ToolMeta {
  const profiles = [...row.profiles];
  Object.freeze(profiles);
  return Object.freeze({
    id: row.tool.name,
    label: row.tool.label ?? row.tool.name,
    description: row.text,
    sectionId: row.section,
    profiles,
    ...(row.openclaw ? { includeInOpenClawGroup: true } : {}),
    ...(row.plugin === undefined
      ? { source: "core" as const }
      : { source: "plugin" as const, pluginId: row.plugin }),
  });
}

export const BUILT_INS: BuiltIns = readBuiltInRows(CATALOG);

export function compilePolicy(input: PolicyInput): ToolPolicy {
  return compilePolicyFor(BUILT_INS, input);
}

/** `compilePolicy` under its documented name. */
export { compilePolicy as resolveEffectiveToolPolicy };

export function readBuiltInRows(rows: readonly CatalogRow[]): BuiltIns {
  return readBuiltIns(
    rows.map((row) => ({
      name: row.tool.name,
      group: groupOf(row),
      profiles: row.policyProfiles ?? row.profiles,
    })),
  );
}

export function groupOf({ group, section }: CatalogRow): string | undefined {
  if (group !== undefined) return group;
  return SECTIONS.some(({ id }) => id === section) ? `group:${section}` : undefined;
}
