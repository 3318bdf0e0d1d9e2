// The allowance of text that the calls of one turn share.

import { describe, expect, it } from "vitest";
import { createTurnBudget } from "./budget.js";

describe("a turn", () => {
  it("is shared by its calls and never goes below nothing", () => {
    const turns = createTurnBudget(100);
    turns.spend("a", 60);
    expect(turns.left("a")).toBe(40);
    turns.spend("a", 60);
    expect(turns.left("a")).toBe(0);
    expect(turns.left("b")).toBe(100);
  });

  it("is each call's own when the caller names none", () => {
    const turns = createTurnBudget(100);
    turns.spend(undefined, 100);
    expect(turns.left(undefined)).toBe(100);
  });

  it("is forgotten after a hundred later ones, so that memory is bounded", () => {
    const turns = createTurnBudget(100);
    turns.spend("first", 100);
    for (let index = 0; index < 99; index++) turns.spend(`turn ${index}`, 1);
    expect(turns.left("first")).toBe(0);
    turns.spend("one more", 1);
    expect(turns.left("first")).toBe(100);
  });
});
