// Whether a process still lives, against a system that is made of a table.

import { describe, expect, it } from "vitest";
import { isPidGone, isProcessGone, type ProcessWorld, readOwnProcess } from "./process-life.js";

const BOOT_FILE = "/proc/sys/kernel/random/boot_id";
const STARTED_MS = 36_000;

/** One line of /proc/<pid>/stat: the state is its third field and the start its twenty-second. */
function toStat({ pid, state, start }: { pid: number; state: string; start: number }): string {
  return `${pid} (a ) b) ${state}${" 0".repeat(18)} ${start} 0 0\n`;
}

function createWorld(
  files: Readonly<Record<string, string>>,
  errors: Readonly<Record<number, string>> = {},
): ProcessWorld {
  return {
    pid: 7,
    startedMs: STARTED_MS,
    readText(path) {
      const text = files[path];
      if (text === undefined) throw new Error(`no ${path}`);
      return text;
    },
    probe(pid) {
      const code = errors[pid];
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    },
  };
}

const SELF = toStat({ pid: 7, state: "R", start: 36 });

describe("readOwnProcess", () => {
  it("takes the start and the boot from /proc, whatever the command is called", () => {
    const world = createWorld({ "/proc/self/stat": SELF, [BOOT_FILE]: "abc\n" });
    expect(readOwnProcess(world)).toEqual({ pid: 7, start: "10", bootId: "abc" });
  });

  it.each([
    ["there is no /proc", {}],
    ["the boot is hidden", { "/proc/self/stat": SELF }],
    [
      "/proc is that of another name space",
      { "/proc/self/stat": toStat({ pid: 8, state: "R", start: 36 }), [BOOT_FILE]: "abc\n" },
    ],
  ])("takes the second of the given start when %s", (_title, files) => {
    expect(readOwnProcess(createWorld(files))).toEqual({ pid: 7, start: "10", bootId: undefined });
  });
});

describe("isProcessGone", () => {
  const known = { pid: 9, start: "10" };
  const files = (state: string, start: number) => ({
    "/proc/9/stat": toStat({ pid: 9, state, start }),
  });

  it("is false for the same process", () => {
    expect(isProcessGone(known, createWorld(files("S", 36)))).toBe(false);
  });

  it("is true when nobody has the pid", () => {
    expect(isProcessGone(known, createWorld({}, { 9: "ESRCH" }))).toBe(true);
  });

  it("is true when another process has the pid, or a dead one whose parent has not asked", () => {
    expect(isProcessGone(known, createWorld(files("S", 37)))).toBe(true);
    expect(isProcessGone(known, createWorld(files("Z", 36)))).toBe(true);
  });

  it("is false for a process of another user, of which nothing can be read", () => {
    expect(isProcessGone(known, createWorld({}, { 9: "EPERM" }))).toBe(false);
  });
});

describe("isPidGone", () => {
  it("asks for the pid alone", () => {
    const world = createWorld({}, { 1: "ESRCH", 2: "EPERM" });
    expect([1, 2, 3].map((pid) => isPidGone(pid, world))).toEqual([true, false, false]);
  });
});
