// Which ways of going round in circles are seen, and which honest repetition is let alone.

import { describe, expect, it } from "vitest";
import type { ToolResult } from "../tool.js";
import { createLoopGuard, type LoopGuard } from "./loop.js";

const same: ToolResult = { content: [{ type: "text", text: "same" }] };
const text = (value: string): ToolResult => ({ content: [{ type: "text", text: value }] });

interface Step {
  readonly toolName?: string;
  readonly params?: unknown;
  readonly known?: boolean;
  readonly result?: ToolResult;
}

/** Makes the call; "stopped", the warning, or "ok". */
function step(
  guard: LoopGuard,
  { toolName = "read", params = {}, known = true, result = same }: Step,
): string {
  try {
    return guard.begin({ toolName, params, known }).end(result) ?? "ok";
  } catch (error) {
    return error instanceof Error && Reflect.get(error, "reason") === "tool_loop"
      ? "stopped"
      : String(error);
  }
}

function repeat(guard: LoopGuard, times: number, make: (index: number) => Step): string[] {
  return Array.from({ length: times }, (_, index) => step(guard, make(index)));
}

describe("the same call with the same outcome", () => {
  it("is warned of at the 10th and stopped at the 21st", () => {
    const seen = repeat(createLoopGuard({}), 22, () => ({}));
    expect(seen.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => "ok"));
    expect(seen[9]).toContain("10 times in a row without progress");
    expect(seen.slice(10, 19)).toEqual(Array.from({ length: 9 }, () => "ok"));
    expect(seen[20]).toBe("stopped");
  });

  it("stays stopped, and another call goes through", () => {
    const guard = createLoopGuard({});
    repeat(guard, 25, () => ({}));
    expect(step(guard, {})).toBe("stopped");
    expect(step(guard, { params: { path: "other" }, result: text("other") })).toBe("ok");
    expect(step(guard, {})).toBe("ok");
  });

  it("is let alone while its outcome changes", () => {
    const seen = repeat(createLoopGuard({}), 60, (index) => ({ result: text(`line ${index}`) }));
    expect(seen.every((answer) => answer !== "stopped")).toBe(true);
  });

  it("is known in any order of the keys", () => {
    const seen = repeat(createLoopGuard({}), 22, (index) => ({
      params: index % 2 === 0 ? { a: 1, b: 2 } : { b: 2, a: 1 },
    }));
    expect(seen.at(-1)).toBe("stopped");
  });

  it("is known though pids and durations differ", () => {
    const seen = repeat(createLoopGuard({}), 22, (index) => ({
      toolName: "exec",
      result: { ...same, details: { exitCode: 1, pid: index, durationMs: index * 7 } },
    }));
    expect(seen.at(-1)).toBe("stopped");
  });
});

describe("other circles", () => {
  it("two calls in turns without progress are stopped", () => {
    const seen = repeat(createLoopGuard({}), 40, (index) => ({
      params: { path: index % 2 === 0 ? "a" : "b" },
      result: text(index % 2 === 0 ? "a" : "b"),
    }));
    expect(seen).toContain("stopped");
  });

  it("ever new arguments with ever the same answer are stopped at the 31st", () => {
    const seen = repeat(createLoopGuard({}), 31, (index) => ({ params: { index } }));
    expect(seen.slice(0, 30)).not.toContain("stopped");
    expect(seen[30]).toBe("stopped");
  });

  it("a tool that does not exist is not asked for more than 10 times", () => {
    const seen = repeat(createLoopGuard({}), 11, (index) => ({
      toolName: "nope",
      known: false,
      params: { index },
      result: text(`not found ${index}`),
    }));
    expect(seen.slice(0, 10)).not.toContain("stopped");
    expect(seen[10]).toBe("stopped");
  });
});

it("a poll is told to wait inside one call", () => {
  const seen = repeat(createLoopGuard({}), 10, () => ({
    toolName: "process",
    params: { action: "poll" },
  }));
  expect(seen[9]).toContain("with a timeout");
});

it("the numbers can be set, and the whole switched off", () => {
  const strict = repeat(createLoopGuard({ warnAt: 2, stopAt: 3 }), 4, () => ({}));
  expect(strict[1]).toContain("2 times");
  expect(strict[3]).toBe("stopped");
  const off = repeat(createLoopGuard({ enabled: false }), 100, () => ({}));
  expect(new Set(off)).toEqual(new Set(["ok"]));
});
