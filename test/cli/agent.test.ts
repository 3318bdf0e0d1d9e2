// `clawtools agent`, `chat` and `sessions` as a person calls them, alone and next to a gateway.

import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, createSandbox } from "./run-cli.js";

const WAIT = { timeout: 120_000 };
const MODEL = ["--model", "debug/echo"] as const;
const READ = 'call read {"path":"notes.txt"}';
const NOTES = { "notes.txt": "buy milk\n" };

describe("clawtools agent", () => {
  it("prints the answer on stdout and each tool call on stderr", async () => {
    const { run } = await createSandbox({ files: NOTES });
    const { exitCode, stdout, stderr } = await run("agent", READ, ...MODEL);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `→ read {"path":"notes.txt"}\n` });
    expect(stdout).toContain("read answered: buy milk");
  });

  it("continues a session with its model, and prints one object with --json", async () => {
    const { runHere } = await createSandbox();
    await runHere("agent", "first", "--session", "work", ...MODEL);
    const { exitCode, stdout } = await runHere("agent", "second", "--session", "work", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      runId: expect.stringMatching(/./),
      sessionKey: "agent:main:work",
      status: "done",
      text: "You said: second",
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number), usd: 0 },
    });
    const exported = await runHere("sessions", "export", "work");
    expect(exported.stdout).toContain("first");
    expect(exported.stdout).toContain("You said: second");
  });

  it("says which variable to set when no model is configured", async () => {
    const { runHere } = await createSandbox();
    const { exitCode, stderr } = await runHere("agent", "hello");
    expect(exitCode).toBe(8);
    for (const part of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "debug/echo"]) {
      expect(stderr).toContain(part);
    }
  });

  it("names a provider that does not exist", async () => {
    const { runHere } = await createSandbox();
    const { exitCode, stderr } = await runHere("agent", "hello", "--model", "nosuch/thing");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 8,
      stderr: expect.stringContaining('Unknown provider "nosuch" in "nosuch/thing".'),
    });
  });

  it("goes through the gateway that uses the state folder", async () => {
    const { env, root, runHere } = await createSandbox({ files: NOTES });
    const gateway = spawn(process.execPath, [BIN, "--root", root, "gateway", "--port", "0"], {
      env: { ...process.env, ...env },
    });
    onTestFinished(() => void gateway.kill("SIGKILL"));
    let said = "";
    gateway.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await expect.poll(() => said, WAIT).toMatch(/^Gateway: ws:\/\/127\.0\.0\.1:\d+/m);
    const answer = await runHere("agent", READ, ...MODEL);
    expect(answer).toMatchObject({ exitCode: 0, stderr: `→ read {"path":"notes.txt"}\n` });
    expect(answer.stdout).toContain("read answered: buy milk");
    const json = await runHere("agent", "hello", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ sessionKey: "agent:main:main", status: "done", text: "You said: hello" },
    });
  });
});

describe("clawtools chat", () => {
  it("answers messages and commands, and keeps the session", async () => {
    const { runHereWithInput, root } = await createSandbox();
    const words = ["--root", root, "chat", ...MODEL];
    const typed = "hello\n/status\n/nonsense\n/new\n/compact\n/model\n/exit\nnever sent\n";
    const { exitCode, stdout, stderr } = await runHereWithInput(typed, words);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^You said: hello\nSession: agent:main:main\nModel: +debug\/echo\n/);
    expect(stdout).toMatch(/^Tokens: +\d+ in, \d+ out$/m);
    expect(stdout).toContain(
      "Started an empty conversation.\nThere is nothing to summarize.\nModel: debug/echo\n",
    );
    expect(stdout).not.toContain("never sent");
    expect(stderr).toContain("Unknown command /nonsense. Try /help.");
  });
});

describe("clawtools sessions", () => {
  it("lists sessions, and purge deletes none that was used today", async () => {
    const { runHere } = await createSandbox();
    expect((await runHere("sessions", "list")).stdout).toBe("No sessions.\n");
    await runHere("agent", "hello", "--session", "work", ...MODEL);
    expect((await runHere("sessions", "list")).stdout).toMatch(/agent:main:work .*debug\/echo/);
    const purged = await runHere("sessions", "purge", "--days", "1");
    expect(purged).toMatchObject({ exitCode: 0, stdout: "Deleted 0 sessions.\n" });
    const unknown = await runHere("sessions", "export", "nothing");
    expect(unknown).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("nothing") });
  });
});
