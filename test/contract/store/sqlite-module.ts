// The SQLite store as a second process opens it.

import type { Store } from "../../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../../src/drivers/clock.js";
import { createSqliteStore } from "../../../src/drivers/store/index.js";

export function openStore(path: string): Store {
  return createSqliteStore({
    folder: path,
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
}
