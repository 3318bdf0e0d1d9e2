// The store of one toolkit: anyone who keeps something there shares one connection, which is made when
// the first of them asks and closed after the last.

import type { RunPorts, Store } from "../core/index.js";
import { createLazyPort } from "./lazy-port.js";
import { loadOrSay } from "./load-or-say.js";

export interface StateStore {
  /** undefined without a state folder. Does not touch the disk. */
  open(): Promise<Store | undefined>;
  /** When no one uses it any more. */
  close(): Promise<void>;
}

export function createStateStore(
  stateDir: string | undefined,
  { clock, random }: Pick<RunPorts, "clock" | "random">,
): StateStore {
  if (stateDir === undefined) return { open: async () => undefined, close: async () => undefined };
  const { load, close } = createLazyPort(async () => {
    const { createSqliteStore } = await loadOrSay(() => import("../drivers/store/index.js"));
    return createSqliteStore({ folder: stateDir, clock, random });
  });
  return { open: load, close };
}
