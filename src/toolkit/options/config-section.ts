// Reads a configuration that has been checked before, key by key; what is not there is empty.

import { foldName } from "../../core/index.js";

export type Section = Readonly<Record<string, unknown>>;

export function readSection(parent: Section, name: string): Section {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  // A parse border: a JSON object, read key by key as unknown.
  return typeof value === "object" && value !== null ? (value as Section) : {};
}

export function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** The entry of `agents.list` with this id, as policy finds it: without regard to case. */
export function findAgent(config: Section, agentId: string | undefined): Section {
  const { list } = readSection(config, "agents");
  if (agentId === undefined || !Array.isArray(list)) return {};
  const agents: readonly Section[] = list;
  const isWanted = ({ id }: Section) =>
    typeof id === "string" && foldName(id) === foldName(agentId);
  return agents.find(isWanted) ?? {};
}
