// Which file systems are asked at once.

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pinByDescriptor, pinNow } from "./pin.js";
import { findLocalDevice } from "./root.js";

describe.runIf(process.platform === "linux")("a local file system", () => {
  it("is one of memory, and not one that the kernel makes up", async () => {
    const [memory, made] = await Promise.all([
      pinByDescriptor("/dev/shm"),
      pinByDescriptor("/proc"),
    ]);
    try {
      expect(await findLocalDevice(memory)).toBe(memory.stats.dev);
      expect(await findLocalDevice(made)).toBeUndefined();
    } finally {
      memory.close();
      made.close();
    }
  });

  it("ends where another one is mounted", () => {
    const folder = realpathSync(mkdtempSync("/dev/shm/local-"));
    try {
      writeFileSync(join(folder, "a"), "x");
      const { dev } = withPin(folder, undefined).stats;
      expect(withPin(join(folder, "a"), dev).isLocal).toBe(true);
      expect(withPin("/proc/version", dev).isLocal).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function withPin(path: string, localDevice = 0n) {
  const pin = pinNow(path, localDevice);
  pin.close();
  return pin;
}
