// One time for all that a call does, as it passes.

import { expect, it } from "vitest";
import { createCountdown } from "./ports/run-ports.js";

it("a countdown gives what is left of the time, and nothing below zero", () => {
  let nowMs = 1_000;
  const left = createCountdown({ timeoutMs: 500, name: "x" }, () => nowMs);
  nowMs = 1_010;
  expect(left()).toEqual({ timeoutMs: 500, name: "x" });
  nowMs = 1_200;
  expect(left()).toEqual({ timeoutMs: 300, name: "x" });
  nowMs = 9_000;
  expect(left()).toEqual({ timeoutMs: 0, name: "x" });
});

it("a countdown of no time has no end", () => {
  expect(createCountdown({ timeoutMs: undefined }, () => 0)()).toEqual({ timeoutMs: undefined });
});
