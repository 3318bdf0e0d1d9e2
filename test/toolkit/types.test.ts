// The types of the front door: a mistyped key of a config or option is found before it runs.

import { type ClawtoolsConfig, createToolkit, type ToolkitOptions } from "clawtools";
import { describe, expect, expectTypeOf, it } from "vitest";

describe("the types of createToolkit", () => {
  it("know the keys of the config", () => {
    expectTypeOf<ToolkitOptions["config"]>().toEqualTypeOf<ClawtoolsConfig | undefined>();
    const config: ClawtoolsConfig = { tools: { profile: "coding", deny: ["exec"] } };
    expectTypeOf(config.tools?.profile).toEqualTypeOf<
      "minimal" | "coding" | "messaging" | "full" | undefined
    >();
    // @ts-expect-error a mistyped key
    const slip: ClawtoolsConfig = { tolls: {} };
    // @ts-expect-error a profile that does not exist
    const wrong: ClawtoolsConfig = { tools: { profile: "codign" } };
    expect([slip, wrong]).toHaveLength(2);
  });

  it("know the options", () => {
    // @ts-expect-error a mistyped option
    expect(() => createToolkit({ root: "/project", agentID: "a" })).toThrow(/agentId/);
  });
});
