// The network port of a toolkit or registry: the first request loads the driver.

import type { ClawtoolsConfig } from "../config/index.js";
import type { Net } from "../core/index.js";
import { createLazyPort } from "./lazy-port.js";

/** `readConfig` may throw a ToolError: a config that cannot be used. */
export function createLazyNet(readConfig: () => ClawtoolsConfig | Promise<ClawtoolsConfig>): Net {
  const { load, close } = createLazyPort(async () => {
    const { tools } = await readConfig();
    const { createNet } = await import("../drivers/net/index.js");
    const { ssrfPolicy, proxy, noProxy } = tools?.net ?? {};
    return createNet({ policy: ssrfPolicy, proxy: { url: proxy, noProxy } });
  });
  return {
    fetch: async (request) => (await load()).fetch(request),
    stream: async (request) => (await load()).stream(request),
    socket: async (request) => (await load()).socket(request),
    check: async (url, options) => (await load()).check(url, options),
    close,
  };
}
