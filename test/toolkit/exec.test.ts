// The tool `exec` through a toolkit, with real processes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startExec } from "./exec-setting.js";

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("exec", () => {
  it("150, 162 · gives the output, the exit code and the documented details", async () => {
    const { exec, root } = startExec();
    const { text, details, isError } = await exec({ command: "echo hello; echo oops >&2" });
    expect(text).toContain("hello\n");
    expect(text).toContain("oops");
    expect(isError).toBe(false);
    expect(details).toMatchObject({
      status: "completed",
      exitCode: 0,
      cwd: root,
      host: "gateway",
      truncated: false,
      aggregated: expect.stringContaining("hello"),
      durationMs: expect.any(Number),
    });
  });

  it("says so when there is no output", async () => {
    expect((await startExec().exec({ command: "true" })).text).toBe("(no output)");
  });

  it("takes an exit code other than 0 for an answer", async () => {
    const { text, details, isError } = await startExec().exec({ command: "echo no; exit 3" });
    expect(isError).toBe(false);
    expect(text).toBe("no\n\n(Command exited with code 3)");
    expect(details).toMatchObject({ status: "completed", exitCode: 3 });
  });

  it.each([
    ["a program that is not there", "no-such-program-here", "shell-command-not-found", 127],
    ["a file that is no program", "./notes.txt", "shell-not-executable", 126],
  ])("fails for %s", async (_title, command, failureKind, exitCode) => {
    const { exec, root } = startExec();
    writeFileSync(join(root, "notes.txt"), "text");
    const { details, isError } = await exec({ command });
    expect(isError).toBe(true);
    expect(details).toMatchObject({ status: "failed", failureKind, exitCode });
  });

  it("names the signal that ended a command", async () => {
    const { text } = await startExec().exec({ command: "kill -SEGV $$" });
    expect(text).toContain("SIGSEGV");
  });

  it("155 · ends a command at its time limit, with what it printed before", async () => {
    const began = performance.now();
    const { text, details } = await startExec().exec({
      command: "echo begun; sleep 60",
      timeout: 0.3,
    });
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(details).toMatchObject({
      status: "failed",
      failureKind: "overall-timeout",
      timedOut: true,
    });
    expect(text).toMatch(/^\{.*"error":"Command timed out after \d\.?\d? seconds.*\}\nbegun\n/);
  });

  it("returns at once from a command that leaves a child with its output", async () => {
    const { exec } = startExec();
    await exec({ command: "true" });
    const began = performance.now();
    const { details } = await exec({ command: "sleep 60 & echo done" });
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(details).toMatchObject({ status: "completed", exitCode: 0 });
  });

  it("151 · runs in the folder that is asked for, and nowhere when it is missing", async () => {
    const { exec, root } = startExec();
    mkdirSync(join(root, "sub"));
    expect((await exec({ command: "pwd", workdir: "sub" })).text).toBe(join(root, "sub"));
    const missing = await exec({ command: "touch made", workdir: "nowhere" });
    expect(missing.isError).toBe(true);
    expect((await exec({ command: "ls" })).text).toBe("sub");
  });

  it("152 · gives the variables of the call, and refuses names that steer programs", async () => {
    const { exec } = startExec();
    expect((await exec({ command: 'echo "$GREETING"', env: { GREETING: "hi there" } })).text).toBe(
      "hi there",
    );
    const refused = await exec({ command: "true", env: { LD_PRELOAD: "/tmp/x.so" } });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("LD_PRELOAD");
  });

  it("keeps characters and escape sequences whole, however they are cut", async () => {
    const command = String.raw`printf '\xe2'; sleep 0.05; printf '\x82\xac \x1b'; sleep 0.05; printf '[31mred\x1b[0m\n'`;
    expect((await startExec().exec({ command })).text).toBe("€ red");
  });

  it("shows the ends of a long output, and process log has the rest", async () => {
    const setting = startExec({
      config: {
        limits: { resultChars: 10_000 },
        tools: { exec: { host: "gateway", security: "full", ask: "off" } },
      },
    });
    const { text, details } = await setting.exec({ command: "seq 1 100000" });
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/^1\n2\n/);
    expect(text).toContain("\n100000\n");
    expect(details).toMatchObject({ truncated: true, totalLines: 100_000 });
    const [, sessionId, offset] = /sessionId "([^"]+)" and offset (\d+)/.exec(text) ?? [];
    const page = await setting.process({
      action: "log",
      sessionId,
      offset: Number(offset),
      limit: 2,
    });
    expect(page.text).toContain(`${Number(offset) + 1}\n${Number(offset) + 2}\n`);
    expect(setting.notices).toEqual([]);
  });

  it("tells of output while the command runs", async () => {
    const updates: unknown[] = [];
    await startExec().exec(
      { command: "echo first; sleep 0.4; echo second" },
      { onUpdate: (update) => updates.push(update.details) },
    );
    expect(updates).toContainEqual(
      expect.objectContaining({ status: "running", tail: "first\n", pid: expect.any(Number) }),
    );
  });

  it("ends the command, and its children, when the caller gives up", async () => {
    const { exec, toolkit } = startExec();
    const stop = new AbortController();
    let pid = 0;
    const running = exec(
      { command: "sleep 61 & setsid sleep 62 & echo ready; wait" },
      {
        signal: stop.signal,
        onUpdate(update) {
          // Written by the tool itself.
          ({ pid } = update.details as { pid: number });
          stop.abort();
        },
      },
    );
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(pid).toBeGreaterThan(0);
    await toolkit.close();
    expect(isAlive(pid)).toBe(false);
  });

  it("164 · waits for the command when process is not offered, and says that it was asked otherwise", async () => {
    const setting = startExec({
      config: {
        tools: { deny: ["process"], exec: { host: "gateway", security: "full", ask: "off" } },
      },
    });
    const { text, details } = await setting.exec({
      command: "sleep 0.2; echo done",
      yieldMs: 10,
      background: true,
    });
    expect(details).toMatchObject({ status: "completed", exitCode: 0 });
    expect(text).toMatch(/^Note: the tool process is not offered here.*\n\ndone$/s);
  });

  it("156 · gives a program a terminal when it asks for one", async () => {
    const { exec } = startExec();
    const { text } = await exec({ command: "test -t 1 && stty size && echo $TERM", pty: true });
    expect(text).toBe("30 120\nxterm-256color");
  });

  it.each(["none", "bwrap"] as const)(
    "keeps the order of both outputs, also when they are opened by name: %s",
    async (sandbox) => {
      const config = { tools: { exec: { security: "full", ask: "off", sandbox } } } as const;
      const { exec } = startExec({ config });
      const command =
        "echo a; echo b >&2; echo c > /dev/stdout; echo d | tee /dev/stderr; sh -c 'echo e >> /dev/fd/2'; echo f";
      const { text, details } = await exec({ command });
      expect(details).toMatchObject({ exitCode: 0 });
      expect(text).toBe("a\nb\nc\nd\nd\ne\nf");
    },
  );

  it("gives a command an empty stdin, so that none waits for it", async () => {
    const { text, details } = await startExec().exec({ command: "cat; echo end" });
    expect(text).toBe("end");
    expect(details).toMatchObject({ status: "completed" });
  });

  it("reads no start files of a shell", async () => {
    const { exec, root } = startExec();
    writeFileSync(join(root, ".bashrc"), "echo SOURCED\n");
    const { text } = await exec({ command: "echo clean", env: { LANG: "C" } });
    expect(text).toBe("clean");
  });
});
