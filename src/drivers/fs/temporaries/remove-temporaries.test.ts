// Temporary files that other processes left: those of dead owners go with the next write into their
// folder, those of live owners and all other files stay.

import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeBridge } from "../node-bridge.js";
import { createOwnership, parseTemporaryName, toTemporaryName } from "./temporary-owner.js";

const isLinux = existsSync("/proc/self/stat");
const MAX_ENTRIES = 1_000;
const DAY_SECONDS = 24 * 60 * 60;

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "temporaries-")));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const ownMark = () => createOwnership().nextMark();
const ownPlace = () => parseTemporaryName(toTemporaryName("x", ownMark()))?.place ?? "";
const deadPid = () => spawnSync(process.execPath, ["-e", "0"]).pid;
const writeNeighbour = () =>
  createNodeBridge(root).writeFile({ filePath: "neighbour.txt", data: "new" });

function leave(mark: string, folder = root): string {
  const name = toTemporaryName("a.txt", mark);
  writeFileSync(join(folder, name), "half");
  return name;
}

describe("a write into a folder", () => {
  it("removes the temporary file of a process that is gone, and no other file", async () => {
    mkdirSync(join(root, "below"));
    const dead = leave(`${deadPid()}-${ownPlace()}1-0`);
    const below = leave(`${deadPid()}-${ownPlace()}1-0`, join(root, "below"));
    const others = [".a.txt.clawtmp", "a.clawtmp", ".a.txt.999999999-x-0.clawtmp", dead.slice(1)];
    for (const name of others) writeFileSync(join(root, name), "");
    await writeNeighbour();
    expect(readdirSync(root).sort()).toEqual([...others, "below", "neighbour.txt"].sort());
    expect(readdirSync(join(root, "below"))).toEqual([below]);
  });

  it("removes what came into a folder between two writes through one bridge", async () => {
    const bridge = createNodeBridge(root);
    await bridge.writeFile({ filePath: "a.txt", data: "one" });
    await bridge.writeFile({ filePath: "a.txt", data: "two" });
    leave(`${deadPid()}-${ownPlace()}1-0`);
    // The clock of a file system may stand still for some milliseconds.
    utimesSync(root, 1, 1);
    await bridge.writeFile({ filePath: "a.txt", data: "three" });
    expect(readdirSync(root)).toEqual(["a.txt"]);
    leave(`${deadPid()}-${ownPlace()}1-1`);
    utimesSync(root, 2, 2);
    await bridge.remove({ filePath: "a.txt" });
    expect(readdirSync(root)).toEqual([]);
  });

  it.runIf(isLinux)("removes that of a pid which now belongs to another process", async () => {
    leave(`${process.pid}-${ownPlace()}1-0`);
    await writeNeighbour();
    expect(readdirSync(root)).toEqual(["neighbour.txt"]);
  });

  it.runIf(isLinux)("keeps that of a live process, its own and another", async () => {
    const child = spawn("sleep", ["60"]);
    try {
      const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
      const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
      const names = [leave(`${child.pid}-${ownPlace()}${ticks.toString(36)}-7`), leave(ownMark())];
      for (const name of names) utimesSync(join(root, name), 0, 0);
      await writeNeighbour();
      expect(readdirSync(root).sort()).toEqual([...names, "neighbour.txt"].sort());
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("keeps that of another machine or boot for a day, for it may live there", async () => {
    const place = ownPlace() === "abcdef" ? "fedcba" : "abcdef";
    const [fresh, old] = [leave(`${deadPid()}-${place}1-0`), leave(`${deadPid()}-${place}1-1`)];
    const now = Date.now() / 1_000;
    utimesSync(join(root, fresh), now, now - DAY_SECONDS + 60);
    utimesSync(join(root, old), now, now - DAY_SECONDS - 60);
    await writeNeighbour();
    expect(readdirSync(root).sort()).toEqual([fresh, "neighbour.txt"].sort());
  });

  it(`looks at no more than ${MAX_ENTRIES} entries`, async () => {
    const pid = deadPid();
    const place = ownPlace();
    for (let index = 0; index < MAX_ENTRIES + 50; index++) leave(`${pid}-${place}1-${index}`);
    await writeNeighbour();
    const left = readdirSync(root).length - 1;
    expect(left).toBeGreaterThanOrEqual(50);
    expect(left).toBeLessThan(MAX_ENTRIES);
    await writeNeighbour();
    expect(readdirSync(root)).toEqual(["neighbour.txt"]);
  });
});
