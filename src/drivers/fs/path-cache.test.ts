// Which ways are gone again in this thread.

import { describe, expect, it } from "vitest";
import { createPathCache } from "./root.js";

describe("a way that was gone", () => {
  it("is recent for a second, and anew when it is gone again", () => {
    let nowMs = 0;
    const ways = createPathCache(() => nowMs);
    expect(ways.has("a")).toBe(false);
    ways.add("a");
    nowMs = 999;
    expect([ways.has("a"), ways.has("b")]).toEqual([true, false]);
    ways.add("a");
    nowMs = 1_998;
    expect(ways.has("a")).toBe(true);
    nowMs = 1_999;
    expect(ways.has("a")).toBe(false);
  });

  it("is forgotten behind a hundred others", () => {
    const ways = createPathCache(() => 0);
    for (let index = 0; index <= 4_096; index++) ways.add(`${index}`);
    expect([ways.has("0"), ways.has("1"), ways.has("4096")]).toEqual([false, true, true]);
  });
});
