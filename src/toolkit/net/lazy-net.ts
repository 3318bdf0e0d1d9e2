// The network port before anything is loaded: the first request loads the driver.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { Net } from "../../core/index.js";
import { createLazyPort } from "../lazy-port.js";

/** May throw a ToolError: a config that cannot be used. */
export type OpenNet = () => Promise<Net>;

export function createLazyNet(open: OpenNet): Net {
  const { load, close } = createLazyPort(open);
  return {
    fetch: async (request) => (await load()).fetch(request),
    stream: async (request) => (await load()).stream(request),
    check: async (url, options) => (await load()).check(url, options),
    close,
  };
}

export async function openNet({ tools }: ClawtoolsConfig): Promise<Net> {
  const { createNet } = await import("../../drivers/net/index.js");
  const { ssrfPolicy, proxy, noProxy } = tools?.net ?? {};
  return createNet({ policy: ssrfPolicy, proxy: { url: proxy, noProxy } });
}
