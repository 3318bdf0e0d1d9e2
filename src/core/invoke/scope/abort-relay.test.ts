// One listener per signal, told to all calls that share it.

import { describe, expect, it, vi } from "vitest";
import { createAbortRelay, isSignal } from "../scope.js";

describe("a signal that many calls share", () => {
  it("is listened to once, and tells each of them once", () => {
    const caller = new AbortController();
    const add = vi.spyOn(caller.signal, "addEventListener");
    const relay = createAbortRelay();
    const listeners = Array.from({ length: 40 }, () => vi.fn());
    for (const listener of listeners) relay.listen(caller.signal, listener);
    expect(add).toHaveBeenCalledTimes(1);
    caller.abort();
    caller.abort();
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(1);
  });

  it("is let go by the last of them, and taken up again by the next", () => {
    const caller = new AbortController();
    const remove = vi.spyOn(caller.signal, "removeEventListener");
    const relay = createAbortRelay();
    const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()];
    const endFirst = relay.listen(caller.signal, first);
    const endSecond = relay.listen(caller.signal, second);
    endFirst();
    endFirst();
    expect(remove).not.toHaveBeenCalled();
    endSecond();
    expect(remove).toHaveBeenCalledTimes(1);
    relay.listen(caller.signal, third);
    caller.abort();
    expect([first, second, third].map((listener) => listener.mock.calls.length)).toEqual([0, 0, 1]);
  });
});

describe("what is no signal", () => {
  const values: unknown[] = [{}, null, 5, "x", { aborted: false }, new AbortController()];

  it.each(values.map((value) => [value]))("such as %j is refused", (value) => {
    const listen = () => createAbortRelay().listen(value as AbortSignal, () => undefined);
    expect(listen).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "signal_invalid" }),
    );
  });

  it("is known by what is used of it", () => {
    const listen = () => undefined;
    const own = { aborted: false, addEventListener: listen, removeEventListener: listen };
    expect(isSignal(own)).toBe(true);
    expect(isSignal(AbortSignal.abort())).toBe(true);
  });
});
