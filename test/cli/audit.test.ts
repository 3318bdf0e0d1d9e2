// `clawtools audit`: what was called, and whether the record of it is whole.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox, linesTooLong, type Sandbox } from "./run-cli.js";

async function withCalls(): Promise<Sandbox> {
  const sandbox = await createSandbox({
    config: { tools: { deny: ["write"] } },
    files: { "notes.txt": "buy milk\n" },
  });
  await sandbox.runHere("tools", "call", "read", "--json", '{"path":"notes.txt"}');
  await sandbox.runHere("tools", "call", "write", "--json", '{"path":"a","content":"hunter2"}');
  return sandbox;
}

const auditFile = ({ folder }: Sandbox) => join(folder, ".clawtools", "audit.jsonl");

describe("audit show", () => {
  it("shows the latest calls, oldest first, within 80 columns", async () => {
    const { run } = await withCalls();
    const { stdout, stderr, exitCode } = await run("audit", "show");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(linesTooLong(stdout)).toEqual([]);
    const text = stdout.replace(/\s+/g, " ");
    expect(text).toMatch(
      /read ok; .*write stopped at find: denied\/tool_denied by tools\.deny\[0\]/,
    );
  });

  it("gives rows to programs, by tool, call, time and number", async () => {
    const { runHere } = await withCalls();
    const list = async (...flags: string[]): Promise<Record<string, unknown>[]> =>
      JSON.parse((await runHere("audit", "show", "--json", ...flags)).stdout);
    const [read, write, ...more] = await list();
    expect(more).toEqual([]);
    expect(read).toMatchObject({ toolName: "read", outcome: "ok", entryPoint: "cli" });
    expect(write).toMatchObject({ toolName: "write", reason: "tool_denied" });
    expect(await list("--tool", "read")).toEqual([read]);
    expect(await list("--call", String(write?.toolCallId))).toEqual([write]);
    expect(await list("--limit", "1")).toEqual([write]);
    expect(await list("--since", "1h")).toHaveLength(2);
    expect(await list("--since", "2999-01-01")).toEqual([]);
  });

  it.each([
    ["--limit", "0"],
    ["--limit", "many"],
    ["--since", "yesterday"],
    ["--since", "5"],
  ])("refuses %s %s", async (flag, value) => {
    const { runHere } = await createSandbox();
    const { stderr, exitCode } = await runHere("audit", "show", flag, value);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(flag);
  });

  it("has neither arguments nor results, and says so of an empty audit", async () => {
    const sandbox = await withCalls();
    const kept = readFileSync(auditFile(sandbox), "utf8");
    expect(kept).not.toContain("hunter2");
    expect(kept).not.toContain("buy milk");
    const { runHere } = await createSandbox();
    expect((await runHere("audit", "show")).stdout).toContain("No call is recorded in");
    const none = await runHere("audit", "show", "--tool", "read");
    expect(none.stdout).toContain("No matching call is recorded");
  });
});

describe("an audit that cannot be written", () => {
  it("is told on stderr once, and the call runs", async () => {
    const { runHere, folder } = await withCalls();
    const lock = join(folder, ".clawtools", "audit.lock");
    rmSync(lock, { recursive: true });
    writeFileSync(lock, "x");
    const call = await runHere("tools", "call", "read", "--json", '{"path":"notes.txt"}');
    expect(call).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("buy milk") });
    expect(call.stderr.match(/warning: The audit in .* cannot be written/g)).toHaveLength(1);
  });
});

describe("audit verify", () => {
  it("finds no audit in a folder that was named and has none", async () => {
    const { runHere, folder } = await withCalls();
    const found = await runHere("audit", "verify", "--json", "--state-dir", `${folder}/.clawtols`);
    expect(found.exitCode).toBe(5);
    expect(JSON.parse(found.stdout)).toMatchObject({ status: "error", reason: "audit_not_found" });
    const right = await runHere("audit", "verify", "--state-dir", `${folder}/.clawtools`);
    expect(right.exitCode).toBe(0);
  });

  it("ends with 0 for a whole audit, and for none", async () => {
    const { runHere } = await withCalls();
    const found = await runHere("audit", "verify", "--json");
    expect(found.exitCode).toBe(0);
    expect(JSON.parse(found.stdout)).toMatchObject({ isWhole: true, rows: 3, files: 1 });
    const { runHere: runElsewhere } = await createSandbox();
    const none = await runElsewhere("audit", "verify");
    expect(none).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("No audit found"),
    });
  });

  it("names the file and the row, and ends with 1, when a byte was changed", async () => {
    const sandbox = await withCalls();
    const file = auditFile(sandbox);
    writeFileSync(file, readFileSync(file, "utf8").replace('"stopped"', '"stoppee"'));
    const { stdout, exitCode } = await sandbox.run("audit", "verify");
    expect(exitCode).toBe(1);
    expect(linesTooLong(stdout)).toEqual([]);
    expect(stdout.replace(/\s+/g, " ")).toContain("audit.jsonl:3 row 3: The row was changed");
  });

  it("misses a file that is gone", async () => {
    const sandbox = await withCalls();
    rmSync(auditFile(sandbox));
    const { stdout, exitCode } = await sandbox.runHere("audit", "verify");
    expect(exitCode).toBe(1);
    expect(stdout.replace(/\s+/g, " ")).toContain("Rows 1 to 3 are missing at the end");
  });
});
