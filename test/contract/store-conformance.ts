// What every store must hold, whatever it is made of. A driver passes when all of it passes; what
// needs a disk or other processes is asked only of a driver that has them.

import { describe } from "vitest";
import type { StoreDriver } from "./store/driver.js";
import { describeDurability } from "./store/durability-cases.js";
import { describeFullDisk } from "./store/full-disk-cases.js";
import { describeKv } from "./store/kv-cases.js";
import { describeLease } from "./store/lease-cases.js";
import { describeLog } from "./store/log-cases.js";
import { describeProcesses } from "./store/process-cases.js";
import { describeQueue } from "./store/queue-cases.js";
import { describeWatch } from "./store/watch-cases.js";
import { describeWhole } from "./store/whole-cases.js";

export function describeStore(driver: StoreDriver): void {
  describe(`${driver.name} · kv`, () => describeKv(driver));
  describe(`${driver.name} · log`, () => describeLog(driver));
  describe(`${driver.name} · lease`, () => describeLease(driver));
  describe(`${driver.name} · queue`, () => describeQueue(driver));
  describe(`${driver.name} · store`, () => describeWhole(driver));
  describe(`${driver.name} · watch`, () => describeWatch(driver));
  const { durable } = driver;
  if (durable === undefined) return;
  describe(`${driver.name} · durability`, () => describeDurability(driver));
  describe(`${driver.name} · processes`, () => describeProcesses(driver, durable.module));
  if (durable.inFolder) {
    describe(`${driver.name} · full disk`, () => describeFullDisk(driver, durable.module));
  }
}
