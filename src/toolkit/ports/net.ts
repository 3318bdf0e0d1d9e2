// The network port, loaded at the first request, and the settings of the filtering proxies.
import type { ClawtoolsConfig } from "../../config/index.js";
import type { Net } from "../../core/index.js";
import type { FilterOptions } from "../../drivers/net/index.js";
import { createLazyPort } from "./ports.js";

const DEFAULT_GATEWAY_PORT = 18_789;
/** The bridge, the control of browsers and the canvas use the ports after the gateway's. */
const GATEWAY_PORT_COUNT = 5;

export function createLazyNet(readConfig: () => ClawtoolsConfig | Promise<ClawtoolsConfig>): Net {
  const { load, close } = createLazyPort(async () => {
    const { tools } = await readConfig();
    const { createNet } = await import("../../drivers/net/index.js");
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

export function filterSettings(
  config: ClawtoolsConfig,
): Pick<FilterOptions, "proxy" | "denyPorts"> {
  const { proxy: url, noProxy } = config.tools?.net ?? {};
  const first = config.gateway?.port ?? DEFAULT_GATEWAY_PORT;
  return {
    proxy: { url, noProxy },
    denyPorts: Array.from({ length: GATEWAY_PORT_COUNT }, (_, index) => first + index),
  };
}
