// The names that the policy knows from the first day are those of the catalog: a tool that is added
// to one and not to the other would be taken for a stranger in a list.
import { getToolCatalog } from "clawtools";
import { describe, expect, it } from "vitest";
import { BUILT_IN_NAMES, TOOL_GROUPS } from "../../src/core/policy/names.js";

const IDS = getToolCatalog().map(({ id }) => id);

describe("the policy and the catalog", () => {
  it("know the same tools; a new one is added to src/core/policy/names/groups.ts", () => {
    expect([...BUILT_IN_NAMES].sort()).toEqual([...IDS].sort());
  });

  it("have groups whose members all exist, each in one group", () => {
    const members = [...TOOL_GROUPS.values()].flat();
    expect(members.filter((name) => !IDS.includes(name))).toEqual([]);
    expect(new Set(members).size).toBe(members.length);
  });
});
