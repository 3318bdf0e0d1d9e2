// Claims about `browser`, numbered as they were written down.
import { createClawtools } from "clawtools";
import { describe, expect, it } from "vitest";
import { createFakeBrowsers } from "../fakes/browsers.js";
import { resolveTool } from "../fakes/resolve-tool.js";

describe("claims about browser", () => {
  it.each([
    [false, "this session has no sandbox"],
    [true, "Chromium is not run inside the sandbox"],
  ])(
    "23 · sandboxed browser requires a sandbox context (target=sandbox): sandboxed %s",
    async (sandboxed, why) => {
      const { tools } = createClawtools();
      const browsers = createFakeBrowsers();
      const tool = resolveTool({ registry: tools, name: "browser", ctx: { browsers, sandboxed } });
      const result = await tool.execute("call_1", {
        action: "open",
        targetUrl: "https://x.test/",
        target: "sandbox",
      });
      expect(result).toMatchObject({
        isError: true,
        details: {
          ...{ code: "unavailable", reason: "browser_sandbox_unavailable", sandboxed },
          error: expect.stringContaining(why),
        },
      });
      expect(browsers.calls).toEqual([]);
    },
  );
});
