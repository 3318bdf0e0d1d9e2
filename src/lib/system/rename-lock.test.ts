// The lock between processes: one at a time, taken over from the dead, refused from the living.

import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type LockOptions, withLock } from "./rename-lock.js";

async function optionsOf(changes: Partial<LockOptions> = {}): Promise<LockOptions> {
  const parent = await mkdtemp(join(tmpdir(), "rename-lock-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return {
    folder: join(parent, "state", "lock"),
    clock: { now: Date.now, after: (delayMs, work) => setTimeout(work, delayMs) },
    random: { hex: (count) => randomBytes(count).toString("hex") },
    owners: { own: "1.100", isDead: (mark) => mark === "2.200" },
    maxWaitMs: 5_000,
    busy: () => new Error("busy"),
    ...changes,
  };
}

it("lets one work at a time, also when many begin at once", async () => {
  const options = await optionsOf();
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside++;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => withLock(options, work)));
  expect(most).toBe(1);
  expect(await readdir(options.folder)).toEqual(["free"]);
});

it("is given back when the work fails", async () => {
  const options = await optionsOf();
  const failing = withLock(options, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(await withLock(options, async () => "next")).toBe("next");
});

it("is taken from a dead process, and not from one that lives", async () => {
  const options = await optionsOf({ maxWaitMs: 20 });
  await withLock(options, async () => undefined);
  await rm(join(options.folder, "free"));
  await writeFile(join(options.folder, "2.200.aa"), "");
  expect(await withLock(options, async () => "taken")).toBe("taken");
  await rm(join(options.folder, "free"));
  await writeFile(join(options.folder, "3.300.aa"), "");
  await expect(withLock(options, async () => "taken")).rejects.toThrow("busy");
});
