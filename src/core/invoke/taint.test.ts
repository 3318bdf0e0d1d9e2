// What untrusted content that came in does to the tools that reach out of the sandbox.

import { describe, expect, it, vi } from "vitest";
import { checkTaint, createTaint, type TaintMode } from "./hooks.js";

const GUARDED = ["exec", "message", "gateway", "cron", "nodes"];

function taintedBy(...sources: string[]) {
  const taint = createTaint();
  for (const source of sources) taint.add(source);
  return taint;
}

function check(toolName: string, given: { mode: TaintMode; sandboxed?: boolean; clean?: boolean }) {
  const approve = vi.fn(async () => undefined);
  const taint = given.clean ? createTaint() : taintedBy("web_fetch https://example.com/");
  const sandboxed = given.sandboxed ?? false;
  const done = checkTaint({ toolName, mode: given.mode, taint, sandboxed, approve });
  return { done, approve };
}

describe("taint", () => {
  it("keeps each source once, the newest twenty", () => {
    const taint = createTaint();
    taint.add("a");
    taint.add("a");
    expect(taint.sources()).toEqual(["a"]);
    for (let index = 0; index < 20; index++) taint.add(`source ${index}`);
    expect(taint.sources()).toHaveLength(20);
    expect(taint.sources()).not.toContain("a");
    expect(taint.sources().at(-1)).toBe("source 19");
  });

  it("is gone when it is cleared, and its list cannot be changed from outside", () => {
    const taint = taintedBy("a");
    const seen = taint.sources();
    taint.clear();
    expect(taint.sources()).toEqual([]);
    expect(seen).toEqual(["a"]);
  });
});

describe("a guarded tool after untrusted content", () => {
  it.each(GUARDED)("%s runs when the mode is mark", async (toolName) => {
    const { done, approve } = check(toolName, { mode: "mark" });
    await done;
    expect(approve).not.toHaveBeenCalled();
  });

  it.each(GUARDED)("%s is asked about when the mode is ask, with the source", async (toolName) => {
    const { done, approve } = check(toolName, { mode: "ask" });
    await done;
    expect(approve).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(new RegExp(`^${toolName}, because.*web_fetch https://example.com/`)),
    );
  });

  it.each(GUARDED)("%s is refused when the mode is deny", async (toolName) => {
    const { done, approve } = check(toolName, { mode: "deny" });
    await expect(done).rejects.toMatchObject({
      code: "denied",
      reason: "tainted",
      details: { sources: ["web_fetch https://example.com/"] },
    });
    expect(approve).not.toHaveBeenCalled();
  });

  it("fails when the approval fails", async () => {
    const taint = taintedBy("mail");
    const approve = () => Promise.reject(new Error("no"));
    const call = { toolName: "exec", mode: "ask", taint, sandboxed: false, approve } as const;
    await expect(checkTaint(call)).rejects.toThrow("no");
  });
});

describe("what taint lets alone", () => {
  it.each(["ask", "deny"] as const)("exec in the sandbox, when the mode is %s", async (mode) => {
    const { done, approve } = check("exec", { mode, sandboxed: true });
    await done;
    expect(approve).not.toHaveBeenCalled();
  });

  it("but not the other guarded tools in the sandbox", async () => {
    const { done } = check("message", { mode: "deny", sandboxed: true });
    await expect(done).rejects.toMatchObject({ reason: "tainted" });
  });

  it.each(["read", "write", "web_fetch"])("%s, in every mode", async (toolName) => {
    await check(toolName, { mode: "deny" }).done;
    const { done, approve } = check(toolName, { mode: "ask" });
    await done;
    expect(approve).not.toHaveBeenCalled();
  });

  it.each(GUARDED)("%s, when nothing untrusted came in", async (toolName) => {
    await check(toolName, { mode: "deny", clean: true }).done;
    const { done, approve } = check(toolName, { mode: "ask", clean: true });
    await done;
    expect(approve).not.toHaveBeenCalled();
  });
});
