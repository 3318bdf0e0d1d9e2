// Plain files are opened; pipes, links and folders are not, and nobody waits for them.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPlainFile } from "./open-plain.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clawtools-plain-"));
  writeFileSync(join(folder, "file"), "text");
  mkdirSync(join(folder, "folder"));
  symlinkSync("file", join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("readPlainFile", () => {
  it.each(["folder", "link", "pipe"])("does not read a %s", async (name) => {
    expect(await readPlainFile(join(folder, name), 100)).toBeUndefined();
  });

  it("reads a file up to its limit, and rejects when there is none", async () => {
    expect(String(await readPlainFile(join(folder, "file"), 4))).toBe("text");
    expect(await readPlainFile(join(folder, "file"), 3)).toBeUndefined();
    await expect(readPlainFile(join(folder, "none"), 3)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
