// The browsers of a bare registry: one port for each root and configuration that tools are resolved
// with. Nothing is closed; a browser ends by `stop`, when it is idle, or with the process.

import type { Browsers } from "../../core/browser.js";
import { type RunPorts, type ToolContext, ToolError } from "../../core/index.js";
import { createLazyBrowsers } from "./lazy-browsers.js";

interface Known {
  readonly ctx: ToolContext;
  readonly browsers: Browsers;
}

export function createRegistryBrowsers(
  system: Pick<RunPorts, "clock" | "random">,
): (ctx: ToolContext) => Browsers {
  const known: Known[] = [];

  return (ctx) => {
    const found = known.find((entry) => isSame(entry.ctx, ctx));
    if (found) return found.browsers;
    const { config } = ctx;
    const root = ctx.root ?? ctx.workspaceDir;
    if (root === undefined) throw noRoot();
    const browsers = createLazyBrowsers(async () => {
      const [{ openBrowsers }, { readConfig }, { readStateDir }] = await Promise.all([
        import("./open-browsers.js"),
        import("../options/read-config.js"),
        import("../options/state-dir.js"),
      ]);
      const stateDir = readStateDir(undefined);
      return openBrowsers({ root, config: readConfig(config ?? {}).config, stateDir, system });
    });
    known.push({ ctx, browsers });
    return browsers;
  };
}

function isSame(one: ToolContext, other: ToolContext): boolean {
  return (
    one.root === other.root &&
    one.workspaceDir === other.workspaceDir &&
    one.config === other.config
  );
}

function noRoot(): ToolError {
  return new ToolError(
    "unavailable",
    "The browser needs root or workspaceDir in the context, the folder of its files; pass it when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["root"] } },
  );
}
