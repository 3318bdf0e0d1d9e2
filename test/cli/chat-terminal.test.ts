// `clawtools chat` and `clawtools agent` in a real terminal: commands, approvals, Ctrl-C and /stop.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandbox, linesTooLong } from "./run-cli.js";
import { runInTerminal } from "./run-in-terminal.js";

const LIMIT_MS = 300_000;
const eventually = { timeout: 120_000 };
const CONFIG = { tools: { exec: { host: "gateway" as const } } };
const MODEL = ["--model", "debug/echo"] as const;
const QUESTION = "then Enter:";
const PROMPT = "> \u001b[3G";

const callOf = (command: string) => `call exec ${JSON.stringify({ command })}`;

async function startChat() {
  const sandbox = await createSandbox({ config: CONFIG });
  const chat = runInTerminal(sandbox, ["chat", ...MODEL]);
  let from = 0;
  const said = () => chat.said().slice(from);
  /** Types a line at the prompt; gives what was said until `end`. */
  const type = async (line: string, end: RegExp | string) => {
    await expect.poll(() => chat.said().endsWith(PROMPT), eventually).toBe(true);
    from = chat.said().length;
    chat.type(`${line}\r`);
    await (typeof end === "string"
      ? expect.poll(said, eventually).toContain(end)
      : expect.poll(said, eventually).toMatch(end));
    return said();
  };
  /** An answer typed too early is not taken, so it is typed until the run goes on. */
  const allow = async (isDone: () => boolean) => {
    const typing = setInterval(() => chat.type("y\r"), 200);
    onTestFinished(() => clearInterval(typing));
    await expect.poll(isDone, eventually).toBe(true);
    clearInterval(typing);
  };
  return { sandbox, chat, said, type, allow };
}

describe("clawtools chat in a terminal", () => {
  it("answers, asks for approval, and knows its commands", { timeout: LIMIT_MS }, async () => {
    const { sandbox, chat, type, said, allow } = await startChat();
    await type("hello", "You said: hello");
    await type('call write {"path":"a.txt","content":"x"}', "write answered");
    expect(existsSync(join(sandbox.root, "a.txt"))).toBe(true);
    await type(callOf("mkdir made"), QUESTION);
    expect(said()).toContain("mkdir made");
    expect(existsSync(join(sandbox.root, "made"))).toBe(false);
    await allow(() => said().includes("exec answered"));
    expect(existsSync(join(sandbox.root, "made"))).toBe(true);
    await type("/undo", PROMPT);
    expect(existsSync(join(sandbox.root, "a.txt"))).toBe(false);
    expect(await type("/status", "Cost:")).toMatch(/Model: +debug\/echo/);
    await type("/model debug/parrot-1", "Model: debug/parrot-1");
    await type("just this", /\njust this\r?\n/);
    await type("/compact", /summary|summarize/);
    await type("/new", "Started an empty conversation.");
    await type("/stop", "Nothing is running.");
    expect(linesTooLong(chat.said().replaceAll("\r", ""))).toEqual([]);
    await type("/exit", /exit/);
    expect(await chat.ended).toBe(0);
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["/stop", "/stop\r"],
  ])("%s stops the run and keeps the session", { timeout: LIMIT_MS }, async (_name, keys) => {
    const { sandbox, chat, type, said, allow } = await startChat();
    const started = join(sandbox.root, "started");
    await type(callOf("mkdir started && sleep 10000"), QUESTION);
    await allow(() => existsSync(started));
    chat.type(keys);
    await expect.poll(said, eventually).toContain("Stopped. The session is kept.");
    await type("still there?", "You said: still there?");
    // At the prompt Ctrl-C leaves.
    await expect.poll(() => chat.said().endsWith(PROMPT), eventually).toBe(true);
    chat.end();
    expect(await chat.ended).toBe(0);
    const { stdout } = await sandbox.run("sessions", "export", "main");
    expect(stdout).toContain("sleep 10000");
    expect(stdout).toContain("You said: still there?");
  });
});

describe("clawtools agent in a terminal", () => {
  it("Ctrl-C stops the run with 130, and the session goes on", { timeout: LIMIT_MS }, async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    const message = callOf("mkdir started && sleep 10000");
    const agent = runInTerminal(sandbox, ["agent", message, ...MODEL]);
    await expect.poll(agent.said, eventually).toContain(QUESTION);
    const typing = setInterval(() => agent.type("y\r"), 200);
    onTestFinished(() => clearInterval(typing));
    await expect.poll(() => existsSync(join(sandbox.root, "started")), eventually).toBe(true);
    clearInterval(typing);
    agent.end();
    expect(await agent.ended).toBe(130);
    expect(agent.said()).toContain("Stopped. The session is kept.");
    const next = await sandbox.run("agent", "go on");
    expect(next).toMatchObject({ exitCode: 0, stdout: "You said: go on\n" });
  });
});
