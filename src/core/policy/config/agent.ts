// Finds the agent of a request in `agents.list`.

import { isRecord } from "../../schema/json-value.js";
import { foldName } from "../names/normalize.js";
import { childOf, descend, type Fault, type Found, faultOfRecord, type Lookup } from "./found.js";

/** Never guesses: an agent that may hide in a malformed or doubled entry is a fault. */
export function findAgent(config: Found, agentId: string | undefined): Lookup {
  const list = descend(config, ["agents", "list"]);
  const fault = faultOfRecord(childOf(config, "agents")) ?? faultOfList(list);
  if (fault) return { kind: "fault", fault };
  if (agentId === undefined || !Array.isArray(list.value)) return { kind: "absent" };
  return pickAgent({ list, items: list.value, agentId });
}

function faultOfList({ path, value }: Found): Fault | undefined {
  if (value === undefined || Array.isArray(value)) return undefined;
  return { path, reason: "must be a list of agents", mend: { path, value: [] } };
}

interface AgentSearch {
  readonly list: Found;
  readonly items: readonly unknown[];
  readonly agentId: string;
}

function pickAgent({ list, items, agentId }: AgentSearch): Lookup {
  const entries = items.map((value, position) => ({ path: [...list.path, position], value }));
  const isWanted = (entry: Found) => {
    const { value: id } = childOf(entry, "id");
    return typeof id === "string" && foldName(id) === foldName(agentId);
  };
  const [own, twin] = entries.filter(isWanted);
  // Neither fault has a mend: a patch cannot take an entry away, and only its writer knows which.
  if (twin) {
    const reason = "must have an id that no other agent has";
    return { kind: "fault", fault: { path: twin.path, reason } };
  }
  if (own) return { kind: "found", found: own };
  const unreadable = entries.find((entry) => !isReadable(entry));
  if (!unreadable) return { kind: "absent" };
  const reason = "must be an object with an id";
  return { kind: "fault", fault: { path: unreadable.path, reason } };
}

function isReadable(entry: Found): boolean {
  return isRecord(entry.value) && typeof childOf(entry, "id").value === "string";
}
