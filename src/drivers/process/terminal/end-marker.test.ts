// The mark behind everything that a terminal says.
import { expect, it, vi } from "vitest";
import { holdTerminal, watchForLast } from "./spawn-terminal.js";

const MARK = Buffer.from("\x1b]777;abc\x07");

it.each([1, 3, MARK.length])("is found in pieces of %i bytes, and told once", (size) => {
  const found = vi.fn();
  const watch = watchForLast("abc", found);
  const bytes = Buffer.concat([Buffer.from("\x1b]777;abd\x07 text \x1b]777;"), MARK]);
  for (let at = 0; at < bytes.length; at += size) {
    const isBefore = at + size < bytes.length;
    watch.push(bytes.subarray(at, at + size));
    if (isBefore) expect(found).not.toHaveBeenCalled();
  }
  watch.push(MARK);
  expect(found).toHaveBeenCalledOnce();
});

it.each([undefined, "/dev/pts/not-there"])(
  "a terminal that is not there is not held: %s",
  (path) => {
    expect(holdTerminal(path)()).toBeUndefined();
  },
);
