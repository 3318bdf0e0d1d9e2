// Short names of commands.
import { describe, expect, it } from "vitest";
import { nameCommand } from "./session-table.js";

describe("the name of a command", () => {
  it.each([
    ["npm run dev", "npm run"],
    ["/usr/bin/node --watch server.js", "node server.js"],
    ["ls -la", "ls"],
    ["  tail  -f\tlog.txt ", "tail log.txt"],
    ["echo \u202eevil", "echo \\u{202E}evil"],
    [`cat ${"x".repeat(100)}`, `cat ${"x".repeat(43)}…`],
  ])("of %j is %j", (command, name) => {
    expect(nameCommand(command)).toBe(name);
  });
});
