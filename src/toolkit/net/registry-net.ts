// The network of a bare registry: one for each configuration that tools are resolved with. Nothing is
// closed; connections that nobody uses end by themselves and keep no process alive.

import type { Net, ToolContext } from "../../core/index.js";
import { createLazyNet, openNet } from "./lazy-net.js";

export function createRegistryNet(): (ctx: ToolContext) => Net {
  const known = new Map<ToolContext["config"], Net>();

  return ({ config }) => {
    const found = known.get(config);
    if (found) return found;
    const net = createLazyNet(async () => {
      const { readConfig } = await import("../options/read-config.js");
      return openNet(readConfig(config ?? {}).config);
    });
    known.set(config, net);
    return net;
  };
}
