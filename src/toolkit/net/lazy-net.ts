// The network port before anything is loaded: the first request loads the driver.

import type { ClawtoolsConfig } from "../../config/index.js";
import { type Net, ToolError } from "../../core/index.js";

/** May throw a ToolError: a config that cannot be used. */
export type OpenNet = () => Promise<Net>;

export function createLazyNet(open: OpenNet): Net {
  let opening: Promise<Net> | undefined;
  let isClosed = false;

  async function load(): Promise<Net> {
    if (isClosed) throw closed();
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      // What was missing may be there at the next call.
      opening = undefined;
      throw error;
    }
  }

  return {
    fetch: async (request) => (await load()).fetch(request),
    stream: async (request) => (await load()).stream(request),
    check: async (url, options) => (await load()).check(url, options),
    async close() {
      isClosed = true;
      const net = await opening?.catch(() => undefined);
      await net?.close();
    },
  };
}

export async function openNet({ tools }: ClawtoolsConfig): Promise<Net> {
  const { createNet } = await import("../../drivers/net/index.js");
  const { ssrfPolicy, proxy, noProxy } = tools?.net ?? {};
  return createNet({ policy: ssrfPolicy, proxy: { url: proxy, noProxy } });
}

function closed(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}
