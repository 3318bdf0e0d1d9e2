// A row of the catalog is all that policy needs: its group and its profiles come from there.
import { defineTool, t, textResult } from "clawtools";
import { describe, expect, it } from "vitest";
import { compilePolicyFor } from "../../src/core/stages.js";
import { BUILT_INS, readBuiltInRows } from "../../src/toolkit/catalog.js";
import { CATALOG, type CatalogRow } from "../../src/tools/catalog.js";

const paint = defineTool({
  name: "paint",
  description: "Paint a picture.",
  parameters: t.object({}),
  execute: async () => textResult("painted"),
});
const ROW: CatalogRow = {
  tool: paint,
  section: "media",
  text: "Paint",
  profiles: ["coding"],
  extended: true,
};

const WITH_ROW = readBuiltInRows([...CATALOG, ROW]);

function keeps(tools: Record<string, unknown>, builtIns = WITH_ROW): boolean {
  return compilePolicyFor(builtIns, { config: { tools }, tools: [{ name: "paint" }] }).allows(
    "paint",
  );
}

describe("a row added to the catalog", () => {
  it("is in the group of its section", () => {
    expect(keeps({ allow: ["group:media"] })).toBe(true);
    expect(keeps({ deny: ["group:media"] })).toBe(false);
    expect(keeps({ allow: ["group:fs"] })).toBe(false);
  });

  it("is in the profiles it names, and in no other", () => {
    expect(keeps({ profile: "coding" })).toBe(true);
    expect(keeps({ profile: "messaging" })).toBe(false);
  });

  it("is what makes the difference", () => {
    expect(keeps({ allow: ["group:media"] }, BUILT_INS)).toBe(false);
    expect(keeps({ profile: "coding" }, BUILT_INS)).toBe(false);
  });

  it("is in the group it names instead of that of its section", () => {
    const builtIns = readBuiltInRows([...CATALOG, { ...ROW, group: "group:ui" }]);
    expect(keeps({ allow: ["group:ui"] }, builtIns)).toBe(true);
    expect(keeps({ allow: ["group:media"] }, builtIns)).toBe(false);
  });
});

describe("the groups and profiles of the catalog", () => {
  it("are the documented ones", () => {
    const membersOf = (group: string) => BUILT_INS.groups.get(group);
    const having = (...names: string[]) => expect.arrayContaining(names);
    expect(membersOf("group:fs")).toEqual(having("read", "write", "edit", "apply_patch"));
    expect(membersOf("group:search")).toEqual(having("grep", "find", "ls"));
    expect(membersOf("group:runtime")).toEqual(having("exec", "process"));
    expect(membersOf("group:ui")).toEqual(having("browser", "canvas"));
    expect(membersOf("group:media")).toEqual(having("image", "tts"));
    expect(BUILT_INS.entriesOf("minimal")).toEqual(["session_status"]);
    expect(BUILT_INS.entriesOf("coding")).not.toContain("browser");
  });
});
