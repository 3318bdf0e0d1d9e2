// What makes a child that is started now another one than a child that was started before.
import { getPriority, setPriority } from "node:os";
import { describe, expect, it } from "vitest";
import { readInheritedState } from "./prewarmed-sandbox.js";

function change(make: () => unknown, takeBack: () => unknown): boolean {
  const before = readInheritedState();
  make();
  try {
    return readInheritedState() !== before;
  } finally {
    takeBack();
    expect(readInheritedState()).toBe(before);
  }
}

describe("what a child starts with", () => {
  it("is the same while nothing changes", () => {
    expect(readInheritedState()).toBe(readInheritedState());
  });

  it("is another with other rights for new files", () => {
    const own = process.umask();
    const isAnother = change(
      () => process.umask(own ^ 0o007),
      () => process.umask(own),
    );
    expect(isAnother).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)("is another as another user, or of another group", () => {
    const toUser = (id: number) => () => process.seteuid?.(id);
    const toGroup = (id: number) => () => process.setegid?.(id);
    expect(change(toUser(65_534), toUser(0))).toBe(true);
    expect(change(toGroup(65_534), toGroup(process.getegid?.() ?? 0))).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)("is another with another rank among processes", () => {
    const own = getPriority();
    expect(
      change(
        () => setPriority(own + 1),
        () => setPriority(own),
      ),
    ).toBe(true);
  });
});
