// `clawtools approvals watch`: a real process, and a real terminal, in which a person answers.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSetting, planOf, requestOf } from "../security/approvals-setting.js";
import { BIN, createSandbox, linesTooLong, type Sandbox } from "./run-cli.js";
import { runInTerminal, type Watched } from "./run-in-terminal.js";

const STATE = ".clawtools";
const LONG = planOf(["mkdir", "x".repeat(300), "a\u202Eb"]);
const READY = "Waiting for commands";
const QUESTION = "then Enter:";

function watchInPipes({ env, root }: Sandbox): Watched {
  const child = spawn(process.execPath, [BIN, "--root", root, "approvals", "watch"], {
    env: { ...process.env, ...env },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    said: () => said,
    type: (text) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    ended: new Promise((resolve) => {
      child.once("close", (code) => resolve(code ?? -1));
    }),
  };
}

async function createAgent({ folder }: Sandbox) {
  const { gate } = await createSetting({ folder: join(folder, STATE) });
  return (plan = LONG) =>
    gate.authorise(requestOf({ plan })).then(
      ({ rule }) => rule,
      ({ reason }: { readonly reason?: string }) => reason,
    );
}

const eventually = { timeout: 120_000 };

describe("clawtools approvals watch", () => {
  it("asks each question as it comes, and the answer reaches the agent", async () => {
    const sandbox = await createSandbox();
    const ask = await createAgent(sandbox);
    expect(await ask()).toBe("no_approver");
    const watcher = watchInPipes(sandbox);
    await expect.poll(watcher.said, eventually).toContain(READY);
    const first = ask();
    await expect.poll(watcher.said, eventually).toContain(QUESTION);
    watcher.type("maybe\nyes\n");
    expect(await first).toMatch(/^allow-once by /);
    const second = ask(planOf(["rmdir", "made"]));
    await expect.poll(watcher.said, eventually).toContain("/usr/bin/rmdir made");
    watcher.type("n\n");
    expect(await second).toBe("user_denied");
    const third = ask(planOf(["rmdir", "other"]));
    await expect.poll(watcher.said, eventually).toContain("/usr/bin/rmdir other");
    watcher.end();
    expect(await watcher.ended).toBe(0);
    // Nobody said no, but nobody is there any more either.
    expect(await third).toBe("no_approver");
    const next = watchInPipes(sandbox);
    await expect.poll(next.said, eventually).toContain(READY);
    const fourth = ask(planOf(["rmdir", "other"]));
    await expect.poll(next.said, eventually).toContain("/usr/bin/rmdir other");
    next.type("a\n");
    expect(await fourth).toMatch(/^allow-always by /);
    expect(await ask(planOf(["rmdir", "other"]))).toMatch(/^Allowed by entry/);
    expect(linesTooLong(watcher.said())).toEqual([]);
  });

  it("says at once that nobody can answer when the input has ended", async () => {
    const sandbox = await createSandbox();
    for (const input of ["", "y\n"]) {
      const run = await sandbox.runWithInput(input, ["approvals", "watch"]);
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      expect(run.stderr).toMatch(/^No terminal to ask in: the input has ended\. Run `/);
    }
  });

  it("ends when the input does, after it has asked something", async () => {
    const sandbox = await createSandbox();
    const ask = await createAgent(sandbox);
    const watcher = watchInPipes(sandbox);
    await expect.poll(watcher.said, eventually).toContain(READY);
    const asked = ask();
    await expect.poll(watcher.said, eventually).toContain(QUESTION);
    watcher.type("n\n");
    expect(await asked).toBe("user_denied");
    watcher.end();
    expect(await watcher.ended).toBe(0);
  });

  it("is told who answered a question that it shows", async () => {
    const sandbox = await createSandbox();
    const ask = await createAgent(sandbox);
    const watcher = watchInPipes(sandbox);
    await expect.poll(watcher.said, eventually).toContain(READY);
    const asked = ask();
    await expect.poll(watcher.said, eventually).toContain(QUESTION);
    const [, slug = ""] = /Request (\w{8})/.exec(watcher.said()) ?? [];
    await sandbox.run("approvals", "deny", slug);
    expect(await asked).toBe("user_denied");
    const told = expect.stringMatching(
      /Request \w{8} was answered "deny" by .* on the command line\./,
    );
    await expect.poll(watcher.said, eventually).toEqual(told);
  });

  it("fits a terminal of 80 columns, shows the command first, and takes nothing that was typed before", async () => {
    const sandbox = await createSandbox();
    const ask = await createAgent(sandbox);
    const watcher = runInTerminal(sandbox, ["approvals", "watch"]);
    await expect.poll(watcher.said, eventually).toContain(READY);
    watcher.type("y\r");
    const asked = ask();
    await expect.poll(watcher.said, eventually).toContain(QUESTION);
    const text = watcher.said();
    // The command comes first, and nothing else is emphasised.
    const bold = `${String.fromCharCode(27)}[1m`;
    const [, ...shown] = text.slice(text.indexOf(READY)).split("\n");
    // The terminal echoes what was typed before.
    expect(shown.find((line) => !["", "y"].includes(line.trim()))).toMatch(/Command \(/);
    expect(text).toContain(`${bold}Command (`);
    expect(text.replaceAll(/\r?\n {4}/g, "")).toContain(`${"x".repeat(300)} "a\\u{202E}b"`);
    expect(linesTooLong(text.replaceAll("\r", ""))).toEqual([]);
    // Typed at once it could have been meant for anything; a person types it again.
    const typing = setInterval(() => watcher.type("n\r"), 100);
    onTestFinished(() => clearInterval(typing));
    expect(await asked).toBe("user_denied");
    clearInterval(typing);
    watcher.end();
    expect(await watcher.ended).toBe(0);
  });
});

describe("clawtools tools call exec in a terminal", () => {
  it("170 · asks right there, and runs what was allowed", async () => {
    const sandbox = await createSandbox({ config: { tools: { exec: { host: "gateway" } } } });
    const command = JSON.stringify({ command: "mkdir made" });
    const call = runInTerminal(sandbox, ["tools", "call", "exec", "--json", command]);
    await expect.poll(call.said, eventually).toContain(QUESTION);
    expect(call.said()).toMatch(/mkdir made/);
    expect(existsSync(join(sandbox.root, "made"))).toBe(false);
    const typing = setInterval(() => call.type("y\r"), 100);
    onTestFinished(() => clearInterval(typing));
    expect(await call.ended).toBe(0);
    expect(existsSync(join(sandbox.root, "made"))).toBe(true);
    const { stdout } = await sandbox.run("approvals", "list", "--past");
    expect(stdout).toMatch(/allow-once by .* at the terminal: mkdir made/);
  });

  it("says who answered in another terminal", async () => {
    const sandbox = await createSandbox({ config: { tools: { exec: { host: "gateway" } } } });
    const command = JSON.stringify({ command: "mkdir made" });
    const call = runInTerminal(sandbox, ["tools", "call", "exec", "--json", command]);
    await expect.poll(call.said, eventually).toContain(QUESTION);
    const [, slug = ""] = /Request (\w{8})/.exec(call.said()) ?? [];
    await sandbox.run("approvals", "approve", slug);
    expect(await call.ended).toBe(0);
    expect(call.said()).toMatch(
      /Request \w{8} was answered "allow-once" by .* on the command line\./,
    );
  });

  it("runs nothing after a no, and says so", async () => {
    const sandbox = await createSandbox({ config: { tools: { exec: { host: "gateway" } } } });
    const command = JSON.stringify({ command: "mkdir made" });
    const call = runInTerminal(sandbox, ["tools", "call", "exec", "--json", command]);
    await expect.poll(call.said, eventually).toContain(QUESTION);
    const typing = setInterval(() => call.type("n\r"), 100);
    onTestFinished(() => clearInterval(typing));
    expect(await call.ended).toBe(3);
    expect(call.said()).toContain("denied by a person");
    expect(existsSync(join(sandbox.root, "made"))).toBe(false);
  });

  it("says that Ctrl-C at the question ran nothing, and leaves no call with an unknown outcome", async () => {
    const sandbox = await createSandbox({ config: { tools: { exec: { host: "gateway" } } } });
    const command = JSON.stringify({ command: "mkdir made" });
    const call = runInTerminal(sandbox, ["tools", "call", "exec", "--json", command]);
    await expect.poll(call.said, eventually).toContain(QUESTION);
    const typing = setInterval(call.end, 200);
    onTestFinished(() => clearInterval(typing));
    expect(await call.ended).toBe(130);
    expect(call.said()).toMatch(/not run/);
    expect(existsSync(join(sandbox.root, "made"))).toBe(false);
    const { stdout } = await sandbox.run("undo", "--list");
    expect(`${call.said()}${stdout}`).not.toMatch(/unknown/);
  });

  it("elsewhere answers at once that nobody can be asked", async () => {
    const { run } = await createSandbox({ config: { tools: { exec: { host: "gateway" } } } });
    const { exitCode, stdout } = await run(
      ...["tools", "call", "exec", "--json", '{"command":"mkdir made"}'],
    );
    expect(exitCode).toBe(4);
    expect(stdout).toContain("no one can be asked here");
    expect(stdout).toContain("clawtools approvals grants add");
  });
});
