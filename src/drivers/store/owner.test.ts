// Whether the process behind a mark still lives: real processes, a pid that was given again, marks
// of other starts of the machine and of other containers.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createProcessMarks } from "./owner.js";

const DAY_MS = 24 * 60 * 60_000;
const marks = createProcessMarks();
const [pid = "", boot = "", space = "", start = ""] = marks.own.split("-");

async function withChild(work: (childPid: number) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ["--eval", "process.stdin.resume()"]);
  const ended = once(child, "close");
  try {
    await once(child, "spawn");
    await work(child.pid ?? 0);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** The mark that a child of this machine and container would have, but for its start. */
const markOf = (childPid: number) => `${childPid}-${boot}-${space}-${start}`;

describe("a mark of a process", () => {
  it("is that of this process, and the same each time", () => {
    expect(Number(pid)).toBe(process.pid);
    expect(createProcessMarks().own).toBe(marks.own);
    expect(marks.isDead(marks.own, 100 * DAY_MS)).toBe(false);
  });

  it("tells that a process has ended", async () => {
    let childPid = 0;
    await withChild(async (found) => {
      childPid = found;
    });
    expect(marks.isDead(markOf(childPid), 0)).toBe(true);
  });

  it("tells that a pid was given to another process", async () => {
    expect(marks.isDead(`${pid}-${boot}-${space}-1`, 0)).toBe(true);
    await withChild(async (childPid) => {
      // It lives, but began at another time than the mark says.
      expect(marks.isDead(markOf(childPid), 0)).toBe(true);
    });
  });

  it("of an earlier start of the machine is dead", () => {
    expect(marks.isDead(`${pid}-b00000000-${space}-${start}`, 0)).toBe(true);
  });

  it.each([
    ["another container", `${pid}-${boot}-00000000-${start}`],
    ["another host", `${pid}-h00000000-${space}-${start}`],
    ["a program that writes other marks", "version 2: something else"],
  ])("of %s counts as alive for a day", (_, mark) => {
    expect(marks.isDead(mark, 0)).toBe(false);
    expect(marks.isDead(mark, DAY_MS)).toBe(false);
    expect(marks.isDead(mark, DAY_MS + 1)).toBe(true);
  });
});
