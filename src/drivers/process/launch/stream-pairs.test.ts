// Pairs of sockets made ahead: bytes go through, nothing is left in the folder for temporary files.

import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { makePrivateFolder, removeLeftFolders, removePrivateFolder } from "./private-folder.js";
import { createStreamPairs, type StreamPairs } from "./stream-pairs.js";

const opened: StreamPairs[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const pairs of opened.splice(0)) pairs.close();
});

function open(): StreamPairs {
  const pairs = createStreamPairs();
  opened.push(pairs);
  return pairs;
}

describe("a pair of sockets", () => {
  it("gives what is written at the far end, piece by piece, until its end", async () => {
    const { near, far, read } = await open().take();
    let text = "";
    read((bytes) => {
      text += Buffer.from(bytes).toString();
      return true;
    });
    far.write("one ");
    far.end("two");
    await once(near, "close");
    expect(text).toBe("one two");
  });

  it("is each given once, however many are asked for at the same time", async () => {
    const pairs = open();
    const taken = await Promise.all(Array.from({ length: 50 }, () => pairs.take()));
    expect(new Set(taken.map(({ near }) => near)).size).toBe(50);
    const texts = await Promise.all(
      taken.map(async ({ near, far, read }, index) => {
        let text = "";
        read((bytes) => {
          text += Buffer.from(bytes).toString();
          return true;
        });
        far.end(String(index));
        await once(near, "close");
        return text;
      }),
    );
    expect(texts).toEqual(taken.map((_, index) => String(index)));
  });

  it("leaves no folder behind, and removes that of a process that was killed", async () => {
    const dead = join("/tmp", "clawtools-io-4194999-aB3dE6");
    mkdirSync(dead, { recursive: true, mode: 0o700 });
    writeFileSync(join(dead, "given"), "");
    const pairs = open();
    const { near, far } = await pairs.take();
    near.destroy();
    far.destroy();
    pairs.makeAhead();
    const left = () =>
      readdirSync("/tmp").filter((name) => name.startsWith(`clawtools-io-${process.pid}-`));
    await expect.poll(left).toEqual([]);
    await expect.poll(() => existsSync(dead)).toBe(false);
  });

  it("removes nothing from a folder that others can enter, or that holds more than was left", async () => {
    const others = join("/tmp", "clawtools-io-4194998-aB3dE6");
    const strange = join("/tmp", "clawtools-io-4194997-aB3dE6");
    onTestFinished(() => {
      for (const folder of [others, strange]) rmSync(folder, { recursive: true, force: true });
    });
    mkdirSync(others, { mode: 0o755 });
    mkdirSync(strange, { mode: 0o700 });
    writeFileSync(join(others, "given"), "");
    symlinkSync(others, join(strange, "d"));
    await removeLeftFolders();
    expect(readdirSync(others)).toEqual(["given"]);
    expect(readdirSync(strange)).toEqual(["d"]);
  });

  it("is never made where a workspace can name the place for temporary files", async () => {
    vi.stubEnv("TMPDIR", import.meta.dirname);
    const folder = makePrivateFolder();
    removePrivateFolder(folder);
    expect(folder.startsWith("/tmp/clawtools-io-")).toBe(process.platform === "linux");
    expect(existsSync(folder)).toBe(false);
  });
});
