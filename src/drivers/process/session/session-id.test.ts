// Names of sessions: two words, and what comes when they are taken.
import { describe, expect, it } from "vitest";
import { createSessionId } from "./session-table.js";

const random = { hex: (byteCount: number) => "01".repeat(byteCount) };

describe("the name of a session", () => {
  it("is two words", () => {
    expect(createSessionId(random, () => false)).toMatch(/^[a-z]+-[a-z]+$/);
  });

  it("gets a number when it is taken, and something random when all numbers are", () => {
    const first = createSessionId(random, () => false);
    expect(createSessionId(random, (id) => id === first)).toBe(`${first}-2`);
    expect(createSessionId(random, () => true)).toBe(`${first}-01010101`);
  });
});
