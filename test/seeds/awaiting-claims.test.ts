// Claims about tools that are defined but not built in this version. Each test holds what is true
// today and fails on the day its tool is built: then the claim gets a real test and leaves the table.
import { createClawtools, type ToolContext } from "clawtools";
import { describe, expect, it } from "vitest";
import { resolveTool } from "../fakes/resolve-tool.js";

interface AwaitedClaim {
  readonly claim: number;
  readonly words: string;
  readonly tool: string;
  /** Only what the tool cannot exist without. */
  readonly ctx: ToolContext;
}

const AWAITED: readonly AwaitedClaim[] = [
  {
    claim: 23,
    words: "sandboxed browser requires a sandbox context (target=sandbox)",
    tool: "browser",
    ctx: {},
  },
];

describe("claims that wait for their tool", () => {
  for (const { claim, words, tool, ctx } of AWAITED) {
    it(`${claim} · ${words}: waits for ${tool}`, async () => {
      const { tools } = createClawtools();
      const row = tools.explain(ctx).find(({ id }) => id === tool);
      expect(
        row?.code,
        `claim ${claim} can be proven now: write its test and take it from this table`,
      ).toBe("not_built");
      expect(row).toMatchObject({
        status: "present",
        reason: expect.stringMatching(/not built.*waits for \S+/),
      });
      const result = await resolveTool({ registry: tools, name: tool, ctx }).execute("call_1", {});
      expect(result).toMatchObject({
        isError: true,
        details: { code: "unavailable", reason: "not_built" },
      });
    });
  }
});
