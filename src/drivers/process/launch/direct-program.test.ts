// Which texts are one program of the system, and which are for bash.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directWork } from "./inner-script.js";

const SYSTEM = ["/usr/local/bin", "/usr/bin", "/bin"];

describe("a text", () => {
  it.each([
    ["ls", ["ls"]],
    ["sleep 1000.5", ["sleep", "1000.5"]],
    ["  ls   -la  a/b.c ", ["ls", "-la", "a/b.c"]],
    ["env A=b sort -k1,2", ["env", "A=b", "sort", "-k1,2"]],
  ])("that is one program with plain words is that program: %j", (text, argv) => {
    expect(directWork(text, SYSTEM)).toEqual({ kind: "argv", argv });
  });

  it.each([
    ...["", " ", "ls *", "ls ~", "ls $HOME", "ls; ls", "ls | cat", "ls &", "ls > a", "ls 'a'"],
    ...['ls "a"', "ls \\a", "ls `id`", "ls a{b,c}", "ls !", "ls #a", "ls\nls", "ls\tb", "A=b ls"],
    ...[
      "!ls",
      "(ls)",
      "{ls",
      "[ a",
      "./ls",
      "/usr/bin/ls",
      "-ls",
      "ls ü",
      `ls ${"a".repeat(1_000)}`,
    ],
    ...["echo a", "cd a", "true", "time ls", "if", "function f", "kill 1", "test a", "printf a"],
    ...["no-such-program-here", "which ls", "ls [a]", "ls ?", "ls ^a;b"],
  ])("that bash has to read is left to it: %j", (text) => {
    expect(directWork(text, SYSTEM)).toBeUndefined();
  });

  it("is left to bash when another folder has the program first", () => {
    const folder = mkdtempSync(join(tmpdir(), "direct-"));
    try {
      expect(directWork("ls", [folder, ...SYSTEM])).toBeDefined();
      writeFileSync(join(folder, "ls"), "#!/bin/sh\n");
      expect(directWork("ls", [folder, ...SYSTEM])).toBeUndefined();
      chmodSync(join(folder, "ls"), 0o755);
      expect(directWork("ls", [folder, ...SYSTEM])).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
