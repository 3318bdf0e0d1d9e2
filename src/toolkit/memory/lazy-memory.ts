// The memory port before anything is loaded: the first search or reading loads the driver.

import type { Memory } from "../../core/index.js";
import { createLazyPort } from "../lazy-port.js";

/** May throw a ToolError: a config that cannot be used, a memory that is turned off. */
export type OpenMemory = () => Promise<Memory>;

export function createLazyMemory(open: OpenMemory): Memory {
  const { load, close } = createLazyPort(open);
  return {
    search: async (query) => (await load()).search(query),
    read: async (request) => (await load()).read(request),
    status: async () => (await load()).status(),
    index: async (request) => (await load()).index(request),
    close,
  };
}
