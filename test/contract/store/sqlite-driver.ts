// The SQLite store as the conformance suite sees it.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSqliteStore } from "../../../src/drivers/store/index.js";
import type { StoreDriver } from "./driver.js";

export const random = { hex: (byteCount: number) => randomBytes(byteCount).toString("hex") };

export const sqliteDriver: StoreDriver = {
  name: "sqlite",
  durable: {
    module: fileURLToPath(new URL("./sqlite-module.ts", import.meta.url)),
    inFolder: true,
  },
  createPlace() {
    const path = mkdtempSync(join(tmpdir(), "store-"));
    return {
      path,
      open: (clock) => createSqliteStore({ folder: path, clock, random }),
      remove: () => rmSync(path, { recursive: true, force: true }),
    };
  },
};
