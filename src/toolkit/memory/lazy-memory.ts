// The memory port before anything is loaded: the first search or reading loads the driver.

import { type Memory, ToolError } from "../../core/index.js";

/** May throw a ToolError: a config that cannot be used, a memory that is turned off. */
export type OpenMemory = () => Promise<Memory>;

export function createLazyMemory(open: OpenMemory): Memory {
  let opening: Promise<Memory> | undefined;
  let isClosed = false;

  async function load(): Promise<Memory> {
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
    search: async (query) => (await load()).search(query),
    read: async (request) => (await load()).read(request),
    status: async () => (await load()).status(),
    index: async (request) => (await load()).index(request),
    async close() {
      isClosed = true;
      const memory = await opening?.catch(() => undefined);
      await memory?.close();
    },
  };
}

function closed(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}
