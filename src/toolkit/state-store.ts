// The store of one toolkit: whoever keeps something there shares one connection, which is made when
// the first of them asks and closed after the last.

import type { RunPorts, Store } from "../core/index.js";
import { loadOrSay } from "./load-or-say.js";

export interface StateStore {
  /** undefined where there is no place for one. Touches no disk. */
  open(): Promise<Store | undefined>;
  /** When nobody uses it any more. */
  close(): Promise<void>;
}

export function createStateStore(
  stateDir: string | undefined,
  { clock, random }: Pick<RunPorts, "clock" | "random">,
): StateStore {
  let opening: Promise<Store> | undefined;

  async function load(folder: string): Promise<Store> {
    const { createSqliteStore } = await loadOrSay(() => import("../drivers/store/index.js"));
    return createSqliteStore({ folder, clock, random });
  }

  return {
    async open() {
      if (stateDir === undefined) return undefined;
      opening ??= load(stateDir);
      try {
        return await opening;
      } catch (error) {
        // What could not be loaded may be there at the next call.
        opening = undefined;
        throw error;
      }
    },
    async close() {
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
