// The agents of a config that has been checked, from `agents.entries` and from `agents.list`.

import { foldName, listAgents } from "../core/index.js";
import { showKeyPath } from "./key-path.js";
import type { ClawtoolsConfig } from "./schema.js";

const MAIN_AGENT = "main";

type ListedAgent = NonNullable<NonNullable<ClawtoolsConfig["agents"]>["list"]>[number];

export type Agent = ListedAgent & {
  /** Where it is written: `agents.list[0]`, `agents.entries.main`. */
  readonly path: string;
};

export function readAgents(config: object): Agent[] {
  return listAgents(config).map(({ id, path, value }) => {
    // A parse border: the schema has checked both forms.
    return { ...Object(value), id, path: showKeyPath(path) } as Agent;
  });
}

/** Ids are compared without regard to case, as the policy does. */
export function findAgent(config: object, agentId: string | undefined): Agent | undefined {
  if (agentId === undefined) return undefined;
  return readAgents(config).find(({ id = "" }) => foldName(id) === foldName(agentId));
}

/** The one with `default: true`, else the first, else `main`. */
export function defaultAgentId(config: object): string {
  const agents = readAgents(config);
  return (agents.find((agent) => agent.default === true) ?? agents[0])?.id ?? MAIN_AGENT;
}
