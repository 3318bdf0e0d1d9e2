// What holds for claude code names, case by case.

import { describe, expect, it } from "vitest";
import { fromClaudeCodeName, toClaudeCodeName } from "./wire-call.js";

describe("Claude Code names", () => {
  it.each([
    ["read", "Read"],
    ["WRITE", "Write"],
    ["bash", "Bash"],
    ["webfetch", "WebFetch"],
    ["todowrite", "TodoWrite"],
    ["exec", "exec"],
    ["web_fetch", "web_fetch"],
    ["Read", "Read"],
    ["constructor", "constructor"],
  ])("%s goes out as %s", (name, sent) => {
    expect(toClaudeCodeName(name)).toBe(sent);
  });

  it("come back as the tools are called", () => {
    const names = ["read", "webFetch", "exec", "My_Tool"];
    expect(names.map(toClaudeCodeName)).toEqual(["Read", "WebFetch", "exec", "My_Tool"]);
    for (const name of names) expect(fromClaudeCodeName(toClaudeCodeName(name), names)).toBe(name);
  });

  it("come back in lower case when nobody says how the tools are called", () => {
    expect(fromClaudeCodeName("Bash")).toBe("bash");
    expect(fromClaudeCodeName("WebSearch")).toBe("websearch");
    expect(fromClaudeCodeName("MyTool")).toBe("MyTool");
  });

  it("prefer the tool whose name is the same to one that differs in case", () => {
    expect(fromClaudeCodeName("Read", ["read", "Read"])).toBe("Read");
  });
});
