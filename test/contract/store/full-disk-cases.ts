// A store in a folder whose disk is full: each write is refused with a typed error, nothing that
// was acknowledged is lost, and it goes on as soon as there is space, without a restart.

import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import type { StoreDriver } from "./driver.js";
import { type FullDiskReport, ROUNDS } from "./full-disk-program.js";
import { startRole, storeProgram, useProgram } from "./processes.js";

const DISK_SIZE = "8m";
const MAX_RECOVERY_MS = 5_000;

/** A name space of one's own, in which a small disk may be mounted: as a user, or by sudo. */
const OWN_MOUNTS = [
  ["unshare", "--map-root-user", "--mount"],
  ["sudo", "-n", "unshare", "--mount"],
];

export function findOwnMounts(): readonly string[] {
  const found = OWN_MOUNTS.find(
    ([command = "", ...args]) => spawnSync(command, [...args, "true"]).status === 0,
  );
  if (found) return found;
  throw new Error(
    "A small disk cannot be mounted: allow user name spaces, or sudo without password.",
  );
}

export function describeFullDisk(driver: StoreDriver, module: string): void {
  const program = useProgram(storeProgram(module));

  async function fill(role: string): Promise<FullDiskReport> {
    const place = driver.createPlace();
    const mount = `mount -t tmpfs -o size=${DISK_SIZE} none "$0" && exec "$@"`;
    const before = [...findOwnMounts(), "sh", "-c", mount, place.path];
    const child = startRole([program(), role, place.path], { before });
    try {
      child.tell("go");
      const [, report = ""] = await child.end;
      // Said by the program of the same test.
      return JSON.parse(report) as FullDiskReport;
    } finally {
      child.child.kill("SIGKILL");
      place.remove();
    }
  }

  it("refuses writes while the disk is full, keeps all, and goes on when there is space", async () => {
    const report = await fill("fill-in-use");
    expect(report.refusals).toEqual(["unavailable/store_full"]);
    expect(report.readableWhenFull).toBe(ROUNDS);
    expect(report.present).toBe(report.acknowledged);
    expect(report.recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });

  it("begins on a full disk as soon as there is space", async () => {
    const report = await fill("fill-before");
    expect(report.refusals).toEqual(["unavailable/store_full"]);
    expect(report.present).toBe(1);
    expect(report.recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });
}
