// Folders with those above them, and places where none can be made.

import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "./make-folder.js";

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "make-folder-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it("makes what is missing for this user alone, and leaves what is there", async () => {
  const folder = await createFolder();
  const deep = join(folder, "a", "b", "c");
  for (const _ of [1, 2]) await makeFolder(deep, 0o700);
  expect((await stat(join(folder, "a", "b"))).mode & 0o777).toBe(0o700);
  expect((await stat(deep)).isDirectory()).toBe(true);
});

it("lets many make the same one at once", async () => {
  const deep = join(await createFolder(), "a", "b", "c");
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(deep, 0o700)));
  expect((await stat(deep)).isDirectory()).toBe(true);
});

it.runIf(process.platform === "linux")("says so at once where nothing can be made", async () => {
  await expect(makeFolder("/proc/none/deep", 0o700)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(makeFolder("/dev/null/deep", 0o700)).rejects.toMatchObject({ code: "ENOTDIR" });
});

it("does not take a file for a folder", async () => {
  const file = join(await createFolder(), "file");
  await writeFile(file, "");
  await expect(makeFolder(file, 0o700)).rejects.toMatchObject({ code: "EEXIST" });
});
