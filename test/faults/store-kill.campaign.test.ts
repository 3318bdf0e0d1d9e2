// kill -9 of processes that write to a store.

import { describe } from "vitest";
import { describeKills } from "../contract/store/kill-cases.js";
import { sqliteDriver } from "../contract/store/sqlite-driver.js";

describe("kill -9 during a write to the store", () => {
  describeKills(sqliteDriver, sqliteDriver.durable?.module ?? "");
});
