// Finds the agent of a request in `agents.entries` and in the older `agents.list`.

import { isRecord } from "../../schema/json-value.js";
import { foldName } from "../names/normalize.js";
import { childOf, descend, type Fault, type Found, faultOfRecord, type Lookup } from "./found.js";

/** One agent with the place of its settings; what has no readable id has none. */
export interface AgentEntry extends Found {
  readonly id: string | undefined;
}

/** Never guesses: an agent that may hide in a malformed or doubled entry is a fault. */
export function findAgent(config: Found, agentId: string | undefined): Lookup {
  const fault =
    faultOfRecord(childOf(config, "agents")) ??
    faultOfList(descend(config, ["agents", "list"])) ??
    faultOfRecord(descend(config, ["agents", "entries"]));
  if (fault) return { kind: "fault", fault };
  return agentId === undefined ? { kind: "absent" } : pickAgent(listAgents(config.value), agentId);
}

/** Every agent of a config, also of one that is malformed. */
export function listAgents(config: unknown): AgentEntry[] {
  const agents = childOf({ path: [], value: config }, "agents");
  const list = childOf(agents, "list");
  const entries = childOf(agents, "entries");
  const items: readonly unknown[] = Array.isArray(list.value) ? list.value : [];
  const ids = isRecord(entries.value) ? Object.keys(entries.value) : [];
  return [
    ...items.map((value, position) => {
      const entry = { path: [...list.path, position], value };
      const { value: id } = childOf(entry, "id");
      return { ...entry, id: typeof id === "string" ? id : undefined };
    }),
    ...ids.map((id) => {
      const entry = childOf(entries, id);
      return { ...entry, id: isRecord(entry.value) ? id : undefined };
    }),
  ];
}

function faultOfList({ path, value }: Found): Fault | undefined {
  if (value === undefined || Array.isArray(value)) return undefined;
  return { path, reason: "must be a list of agents", fix: { path, value: [] } };
}

function pickAgent(entries: readonly AgentEntry[], agentId: string): Lookup {
  const isWanted = ({ id }: AgentEntry) => id !== undefined && foldName(id) === foldName(agentId);
  const [own, duplicate] = entries.filter(isWanted);
  // Neither fault has a fix: a patch cannot take an entry away, and only its writer knows which.
  if (duplicate) {
    const reason = "must have an id that no other agent has";
    return { kind: "fault", fault: { path: duplicate.path, reason } };
  }
  if (own) return { kind: "found", found: own };
  const unreadable = entries.find(({ id }) => id === undefined);
  if (!unreadable) return { kind: "absent" };
  const reason = "must be an object with an id";
  return { kind: "fault", fault: { path: unreadable.path, reason } };
}
