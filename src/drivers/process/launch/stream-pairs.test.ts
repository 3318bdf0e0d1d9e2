// Pipes made ahead: bytes go through, nothing is left in the folder for temporary files.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { makePrivateFolder, removeLeftFolders, removePrivateFolder } from "./private-folder.js";
import { createStreamPairs, type OutputPipe, type StreamPairs } from "./stream-pairs.js";

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

/** All that comes, to its end. */
async function readAll({ near, read }: OutputPipe): Promise<string> {
  let text = "";
  read((bytes) => {
    text += Buffer.from(bytes).toString();
    return true;
  });
  await once(near, "close");
  return text;
}

describe("a pipe", () => {
  it("gives what is written at the far end, piece by piece, until its end", async () => {
    const { stdout: pipe } = await open().take();
    const text = readAll(pipe);
    writeSync(pipe.far, "one ");
    writeSync(pipe.far, "two");
    pipe.closeFar();
    expect(await text).toBe("one two");
  });

  it("can be opened again by a command, as its output and as its errors", async () => {
    const { stdout, stderr } = await open().take();
    const script = "echo one > /dev/stdout; echo two | tee /dev/stderr; echo three > /dev/fd/2";
    const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", stdout.far, stderr.far] });
    for (const { closeFar } of [stdout, stderr]) closeFar();
    const texts = Promise.all([readAll(stdout), readAll(stderr)]);
    await once(child, "exit");
    expect(await texts).toEqual(["one\ntwo\n", "two\nthree\n"]);
  });

  it("is each given once, however many are asked for at the same time", async () => {
    const pairs = open();
    const streams = await Promise.all(Array.from({ length: 50 }, () => pairs.take()));
    const taken = streams.flatMap(({ stdout, stderr }) => [stdout, stderr]);
    expect(new Set(taken.map(({ near }) => near)).size).toBe(100);
    const texts = await Promise.all(
      taken.map((pipe, index) => {
        writeSync(pipe.far, String(index));
        pipe.closeFar();
        return readAll(pipe);
      }),
    );
    expect(texts).toEqual(taken.map((_, index) => String(index)));
  });

  it("leaves no folder behind, and removes that of a process that was killed", async () => {
    const dead = join("/tmp", "clawtools-io-4194999-aB3dE6");
    mkdirSync(dead, { recursive: true, mode: 0o700 });
    writeFileSync(join(dead, "given"), "");
    const pairs = open();
    const { stdout, stderr } = await pairs.take();
    for (const { near, closeFar } of [stdout, stderr]) {
      near.destroy();
      closeFar();
    }
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
