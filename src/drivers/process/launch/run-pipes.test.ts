// Pipes made ahead: bytes go through, nothing is left in the folder for temporary files.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { makePrivateFolder, removeLeftFolders, removePrivateFolder } from "./private-folder.js";
import { createRunPipes, type OutputPipe, type RunPipes } from "./run-pipes.js";

/** Where folders for a moment are made on Linux. */
const PLACES = ["/dev/shm", "/tmp"];
const opened: RunPipes[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const pipes of opened.splice(0)) pipes.close();
});

function open(): RunPipes {
  const pipes = createRunPipes();
  opened.push(pipes);
  return pipes;
}

async function takeOutput(pipes: RunPipes): Promise<OutputPipe> {
  const { output, go } = await pipes.take();
  go.closeFar();
  go.close();
  return output;
}

/** As if it had been left a while ago. */
function makeOld(folder: string): void {
  utimesSync(folder, 1, 1);
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
    const pipe = await takeOutput(open());
    const text = readAll(pipe);
    writeSync(pipe.far, "one ");
    writeSync(pipe.far, "two");
    pipe.closeFar();
    expect(await text).toBe("one two");
  });

  it("can be opened again by a command, as its output and as its errors, and keeps the order", async () => {
    const pipe = await takeOutput(open());
    const script =
      "echo 1; echo 2 >&2; echo 3 > /dev/stdout; echo 4 | tee /dev/stderr; echo 5 > /dev/fd/2";
    const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", pipe.far, pipe.far] });
    pipe.closeFar();
    const text = readAll(pipe);
    await once(child, "exit");
    expect(await text).toBe("1\n2\n3\n4\n4\n5\n");
  });

  it("is each given once, however many are asked for at the same time", async () => {
    const pipes = open();
    const taken = await Promise.all(Array.from({ length: 100 }, () => takeOutput(pipes)));
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

  it("leaves no folder behind, and removes those of a process that was killed", async () => {
    const dead = PLACES.map((place) => join(place, "clawtools-io-4194999-aB3dE6"));
    for (const folder of dead) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const name of ["given", "pipe-0", "pipe-127"]) writeFileSync(join(folder, name), "");
      makeOld(folder);
    }
    const pipes = open();
    const { near, closeFar } = await takeOutput(pipes);
    near.destroy();
    closeFar();
    pipes.makeAhead();
    const left = () =>
      PLACES.flatMap((place) => readdirSync(place)).filter((name) =>
        name.startsWith(`clawtools-io-${process.pid}-`),
      );
    await expect.poll(left).toEqual([]);
    await expect.poll(() => dead.filter((folder) => existsSync(folder))).toEqual([]);
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
    for (const folder of [others, strange]) makeOld(folder);
    await removeLeftFolders();
    expect(readdirSync(others)).toEqual(["given"]);
    expect(readdirSync(strange)).toEqual(["d"]);
  });

  it("is left alone while it is made by a process whose pid is not seen here", async () => {
    const fresh = PLACES.map((place) => join(place, "clawtools-io-4194996-aB3dE6"));
    onTestFinished(() => {
      for (const folder of fresh) rmSync(folder, { recursive: true, force: true });
    });
    for (const folder of fresh) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, "pipe-0"), "");
    }
    await removeLeftFolders();
    expect(fresh.map((folder) => readdirSync(folder))).toEqual([["pipe-0"], ["pipe-0"]]);
  });

  it("is never made where a workspace can name the place for temporary files", async () => {
    vi.stubEnv("TMPDIR", import.meta.dirname);
    const folder = makePrivateFolder();
    removePrivateFolder(folder);
    expect(PLACES.some((place) => folder.startsWith(`${place}/clawtools-io-`))).toBe(
      process.platform === "linux",
    );
    expect(existsSync(folder)).toBe(false);
  });
});
