// What a run may spend, when the model is told, and when it ends.

import { describe, expect, it } from "vitest";
import { type BudgetKind, createBudget } from "./budget.js";

const SPENDABLE = ["wallMs", "resultChars", "tokens", "usd"] as const satisfies BudgetKind[];

describe("a budget", () => {
  it("without limits never ends and never warns", () => {
    const budget = createBudget({});
    for (let call = 0; call < 1_000; call++) budget.begin();
    budget.spend({ wallMs: 1e9, resultChars: 1e9, tokens: 1e9, usd: 1e9 });
    budget.begin();
    expect(budget.warning()).toBeUndefined();
    expect(budget.used()).toMatchObject({ calls: 1_001, tokens: 1e9 });
  });

  it("of calls lets exactly that many begin", () => {
    const budget = createBudget({ calls: 2 });
    budget.begin();
    budget.begin();
    expect(() => budget.begin()).toThrow(
      expect.objectContaining({
        code: "limit",
        reason: "budget_used_up",
        details: { budget: "calls", limit: 2 },
        message: expect.stringContaining("Raise budgets.calls"),
      }),
    );
    expect(budget.used().calls).toBe(2);
  });

  it.each(SPENDABLE)("of %s is open below its limit and shut at it", (kind) => {
    const budget = createBudget({ [kind]: 10 });
    budget.spend({ [kind]: 9.5 });
    budget.begin();
    budget.spend({ [kind]: 0.5 });
    expect(() => budget.begin()).toThrow(
      expect.objectContaining({ details: { budget: kind, limit: 10 } }),
    );
  });

  it.each(["calls", ...SPENDABLE] as const)("of no %s at all lets no call begin", (kind) => {
    expect(() => createBudget({ [kind]: 0 }).begin()).toThrow(
      expect.objectContaining({ reason: "budget_used_up" }),
    );
  });

  it("warns from four fifths on, with what is used of how much", () => {
    const budget = createBudget({ tokens: 1_000 });
    budget.spend({ tokens: 799 });
    expect(budget.warning()).toBeUndefined();
    budget.spend({ tokens: 1 });
    expect(budget.warning()).toContain("800 of 1000 tokens are used");
  });

  it("does not grow by a report of nothing", () => {
    const budget = createBudget({ usd: 1 });
    budget.spend({ usd: 0.9 });
    budget.spend({ usd: 0 });
    budget.spend({});
    expect(budget.used().usd).toBe(0.9);
  });

  it.each([
    [{ tokens: Number.NaN }, "tokens"],
    [{ usd: Number.POSITIVE_INFINITY }, "usd"],
    [{ tokens: "1200" }, "tokens"],
    [{ tokens: -1 }, "tokens must be a number of 0 or more"],
    [{ tokens: null }, "tokens"],
    [{ token: 5 }, 'did you mean "tokens"'],
    [{ promptLength: 5 }, '"promptLength" is nothing that is counted'],
    [undefined, "what was used"],
    [5, "what was used"],
  ])("refuses the report %j instead of forgetting its limit", (use, words) => {
    const budget = createBudget({ tokens: 10 });
    // A caller without types may report anything.
    expect(() => budget.spend(use as never)).toThrow(
      expect.objectContaining({ reason: "usage_invalid", message: expect.stringContaining(words) }),
    );
    expect(budget.used().tokens).toBe(0);
    budget.spend({ tokens: 10 });
    expect(() => budget.begin()).toThrow(expect.objectContaining({ reason: "budget_used_up" }));
  });

  it("hands out copies of what is used", () => {
    const budget = createBudget({ calls: 1 });
    Object.assign(budget.used(), { calls: -100 });
    budget.begin();
    expect(() => budget.begin()).toThrow();
  });
});
