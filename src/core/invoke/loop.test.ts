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

  it("is let alone while its text changes and its details do not", () => {
    const seen = repeat(createLoopGuard({}), 60, (index) => ({
      result: { ...text(`line ${index}`), details: { status: "running" } },
    }));
    expect(new Set(seen)).toEqual(new Set(["ok"]));
  });

  it("is let alone while its details change and its text does not", () => {
    const seen = repeat(createLoopGuard({}), 60, (index) => ({
      result: { ...same, details: { lines: index } },
    }));
    expect(new Set(seen)).toEqual(new Set(["ok"]));
  });

  it("is not told of a loop by the call that ends it", () => {
    const guard = createLoopGuard({});
    repeat(guard, 9, () => ({}));
    expect(step(guard, { result: text("at last") })).toBe("ok");
  });

  it("counts only calls that came to an end", () => {
    const guard = createLoopGuard({});
    const watches = Array.from({ length: 40 }, () =>
      guard.begin({ toolName: "read", params: {}, known: true }),
    );
    expect(step(guard, {})).toBe("ok");
    for (const watch of watches.slice(0, 19)) watch.end(same);
    expect(step(guard, {})).toBe("stopped");
  });

  it("is stopped also where the setting is higher than the default", () => {
    const seen = repeat(createLoopGuard({ stopAt: 50 }), 51, () => ({}));
    expect(seen.slice(0, 50)).not.toContain("stopped");
    expect(seen[50]).toBe("stopped");
  });

  it("is known though its text repeats the volatile part of its details", () => {
    const seen = repeat(createLoopGuard({}), 22, (index) => {
      const startedAt = `2026-01-01T00:00:${10 + index}Z (local)`;
      const details = { exitCode: 1, pid: 4_000 + index, durationMs: 100 + index, startedAt };
      const json = JSON.stringify(details, null, 2);
      return { toolName: "exec", result: { ...text(`${json} pid ${details.pid}.`), details } };
    });
    expect(seen.at(-1)).toBe("stopped");
  });

  it("is let alone while a number changes of which a volatile one is only a part", () => {
    const seen = repeat(createLoopGuard({}), 60, (index) => ({
      result: { ...text(`${index}7 files`), details: { pid: 7 } },
    }));
    expect(new Set(seen)).toEqual(new Set(["ok"]));
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

  it("what worked before may be tried again after 30 equal failures", () => {
    const failed: ToolResult = { ...text("no such door"), isError: true };
    const guard = createLoopGuard({});
    expect(step(guard, { params: { path: "works" } })).toBe("ok");
    repeat(guard, 30, (index) => ({ params: { index }, result: failed }));
    expect(step(guard, { params: { index: 3 }, result: failed })).toBe("stopped");
    expect(step(guard, { params: { path: "works" } })).toBe("ok");
  });

  it("what failed already is not tried again after 30 equal failures; anything else is", () => {
    const failed: ToolResult = { ...text("no such door"), isError: true };
    const guard = createLoopGuard({});
    const seen = repeat(guard, 30, (index) => ({ params: { index }, result: failed }));
    expect(seen).not.toContain("stopped");
    expect(seen[9]).toContain("10 times in a row without progress");
    expect(step(guard, { params: { index: 7 } })).toBe("stopped");
    expect(step(guard, { params: { index: 31 }, result: text("open") })).toBe("ok");
    expect(step(guard, { params: { index: 7 } })).toBe("ok");
  });

  it("a tool that was never called is not stopped for another's failures", () => {
    const failed: ToolResult = { ...text("no such door"), isError: true };
    const guard = createLoopGuard({});
    repeat(guard, 40, (index) => ({ toolName: "search", params: { index }, result: failed }));
    expect(step(guard, { toolName: "write" })).toBe("ok");
  });

  it("ever new arguments with ever the same answer are told, and never stopped", () => {
    const seen = repeat(createLoopGuard({}), 1_100, (index) => ({ params: { index } }));
    expect(seen).not.toContain("stopped");
    expect(seen[9]).toContain("gave the same answer to 10 calls in a row.");
    expect(seen.slice(1_010, 1_019).filter((answer) => answer !== "ok")).toEqual([]);
  });

  it("two different calls are no pattern, however low the numbers are", () => {
    const guard = createLoopGuard({ warnAt: 2, stopAt: 2 });
    expect(step(guard, { params: { path: "a" }, result: text("a") })).toBe("ok");
    expect(step(guard, { params: { path: "b" }, result: text("b") })).toBe("ok");
    expect(step(guard, { params: { path: "c" }, result: text("c") })).toBe("ok");
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

it("a stopped call is told how often it was asked for", () => {
  const guard = createLoopGuard({ warnAt: 2, stopAt: 3 });
  repeat(guard, 3, () => ({}));
  const begin = () => guard.begin({ toolName: "read", params: {}, known: true });
  expect(begin).toThrow("read was called 4 times in a row without progress.");
  expect(begin).toThrow("read was called 5 times in a row without progress.");
});

it("each number counts as it is set, whatever the other is", () => {
  const low = repeat(createLoopGuard({ stopAt: 3 }), 4, () => ({}));
  expect(low[2]).toContain("3 times");
  expect(low[3]).toBe("stopped");
  const failed: ToolResult = { ...text("no"), isError: true };
  const high = repeat(createLoopGuard({ stopAt: 100 }), 101, () => ({ result: failed }));
  expect(high.slice(0, 100)).not.toContain("stopped");
  expect(high[100]).toBe("stopped");
  const late = repeat(createLoopGuard({ warnAt: 40 }), 41, () => ({}));
  expect(late.slice(0, 40)).not.toContain("stopped");
  expect(late[39]).toContain("40 times");
});

it("the numbers can be set, and the whole switched off", () => {
  const strict = repeat(createLoopGuard({ warnAt: 2, stopAt: 3 }), 4, () => ({}));
  expect(strict[1]).toContain("2 times");
  expect(strict[3]).toBe("stopped");
  const off = repeat(createLoopGuard({ enabled: false }), 100, () => ({}));
  expect(new Set(off)).toEqual(new Set(["ok"]));
});
