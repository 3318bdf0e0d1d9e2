// What `process` and `exec` tell: enough to know what happened, and which call goes on.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { type Answer, startExec } from "./exec-setting.js";

const isLinux = process.platform === "linux";

describe("process list", () => {
  it("shows the commands themselves, in columns", async () => {
    const setting = startExec();
    const commands = [
      "for i in 1 2 3; do sleep 60; done",
      `sleep 61; echo ${"long ".repeat(30)}`,
      "sleep 62;\n\techo two lines",
    ];
    for (const command of commands) await setting.exec({ command, background: true });
    const lines = (await setting.process({ action: "list" })).text.split("\n");
    expect(lines.map((line) => line.split(" :: ")[1])).toEqual([
      "sleep 62; echo two lines",
      `${`sleep 61; echo ${"long ".repeat(30)}`.slice(0, 60)}…`,
      "for i in 1 2 3; do sleep 60; done",
    ]);
    expect(new Set(lines.map((line) => line.indexOf("::"))).size).toBe(1);
  });
});

describe("process poll with a timeout", () => {
  it("waits on when a terminal was drawn anew and shows the same", async () => {
    const setting = startExec();
    const command = `printf 'ready'; read -r go; for i in 1 2 3; do printf '\\rready'; sleep 0.4; done; printf ' news'; sleep 60`;
    const { details } = await setting.exec({ command, pty: true, background: true });
    const { sessionId } = details;
    const poll = () => setting.process({ action: "poll", sessionId, timeout: 15_000 });
    expect((await poll()).text).toMatch(/^ready\n/);
    await setting.process({ action: "send-keys", sessionId, keys: ["Enter"] });
    const seen: Answer[] = [await poll()];
    while (!seen.at(-1)?.text.includes("news")) seen.push(await poll());
    expect(seen.map(({ text }) => text)).not.toContainEqual(expect.stringContaining("(no new"));
  });

  it("gathers what comes in pieces into one answer", async () => {
    const setting = startExec();
    const command = `for i in 1 2 3 4 5; do printf '%s%%\\r' $i; sleep 0.1; done; sleep 60`;
    const { details } = await setting.exec({ command, background: true });
    const { text } = await setting.process({
      action: "poll",
      sessionId: details.sessionId,
      timeout: 15_000,
    });
    expect(text).toMatch(/^\s*5%\n\nProcess still running\./);
  });

  it("tells of the end at once", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "read -r x; echo $x", background: true });
    const { sessionId } = details;
    const waiting = setting.process({ action: "poll", sessionId, timeout: 15_000 });
    await setting.process({ action: "write", sessionId, data: "over\n" });
    expect((await waiting).text).toBe("over\n\nProcess exited with code 0.");
  });

  it("is given up with its caller while it gathers", async () => {
    const setting = startExec();
    const command = "while :; do echo more; sleep 0.05; done";
    const { details } = await setting.exec({ command, background: true });
    const stop = new AbortController();
    const waiting = setting.process(
      { action: "poll", sessionId: details.sessionId, timeout: 15_000 },
      { signal: stop.signal },
    );
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("process send-keys without a terminal", () => {
  it.each([
    ["C-c", "so C-c is only a byte; end it with process kill, or start"],
    ["^C", "so C-c is only a byte"],
    ["C-d", "so C-d is only a byte; close its stdin with process write and eof: true"],
  ])("says that %s does nothing there, and what does", async (key, advice) => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "sleep 60", background: true });
    const keys = { action: "send-keys", sessionId: details.sessionId, keys: [key] };
    const { text } = await setting.process(keys);
    expect(text).toContain("Sent 1 byte to session");
    expect(text).toContain(advice);
  });

  it("says so too when the input was never open", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "sleep 60", yieldMs: 0 });
    const keys = { action: "send-keys", sessionId: details.sessionId, keys: ["C-c"] };
    const { text, isError } = await setting.process(keys);
    expect(isError).toBe(true);
    expect(text).toContain("end it with process kill");
  });

  it("says nothing of it for other keys", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "sleep 60", background: true });
    const { sessionId } = details;
    const { text } = await setting.process({
      action: "send-keys",
      sessionId,
      keys: ["a", "Enter"],
    });
    expect(text).toBe(`Sent 2 bytes to session ${sessionId}.`);
  });
});

describe("text for a command", () => {
  it.each([
    [{ action: "submit", data: "hello" }, "hello"],
    [{ action: "submit", text: "hello" }, "hello"],
    [{ action: "submit" }, ""],
    [{ action: "write", text: "hello\n" }, "hello"],
    [{ action: "write", data: "mine\n", text: "other" }, "mine"],
    [{ action: "send-keys", text: "hello", keys: ["Enter"] }, "hello"],
    [{ action: "paste", data: "hello\n", bracketed: false }, "hello"],
  ])("arrives by whichever parameter it came: %j", async (input, arrived) => {
    const setting = startExec();
    const command = "read -r line; echo got=$line.";
    const { details } = await setting.exec({ command, background: true });
    const { sessionId } = details;
    await setting.process({ ...input, sessionId });
    const { text } = await setting.process({ action: "poll", sessionId, timeout: 15_000 });
    expect(text).toContain(`got=${arrived}.`);
  });
});

describe("a long line", () => {
  it("is paged by its characters from the answer of exec on", async () => {
    const setting = startExec();
    const command = "seq -s, 1 60000; echo last";
    const first = await setting.exec({ command });
    expect(first.text).toMatch(/The start and the end of \d+ characters in 2 lines are shown/);
    const { sessionId } = first.details;
    const whole = Array.from({ length: 60_000 }, (_, index) => index + 1).join(",");
    let page = await setting.process({ action: "log", sessionId, offset: 0 });
    let seen = "";
    for (let left = 20; left > 0; left--) {
      seen += page.text.split("\n")[0];
      const next = /Use offset (\d+) and column (\d+) to go on/.exec(page.text);
      if (next === null) break;
      const [offset, column] = [Number(next[1]), Number(next[2])];
      page = await setting.process({ action: "log", sessionId, offset, column });
    }
    expect(seen).toBe(whole);
    expect(page.text).toContain("The line ends there. Use offset 1 for the next one.]");
    const beyond = await setting.process({ action: "log", sessionId, offset: 0, column: 9e6 });
    expect(beyond).toMatchObject({ isError: true });
    expect(beyond.text).toContain("nothing to show from character 9000000 on");
  });

  it("is counted in the singular", async () => {
    const setting = startExec();
    const { text, details } = await setting.exec({ command: "seq -s, 1 60000" });
    expect(text).toMatch(/characters in 1 line are shown/);
    const { sessionId } = details;
    const beyond = await setting.process({ action: "log", sessionId, offset: 1 });
    expect(beyond.text).toContain("there is 1 line, the last is 0");
  });
});

it("a time limit of one second is one second", async () => {
  const { text } = await startExec().exec({ command: "sleep 60", timeout: 1 });
  expect(text).toMatch(/timed out after 1 second and|timed out after 1\.\d seconds and/);
});

describe.runIf(isLinux)("what the sandbox keeps from being written", () => {
  it.each([
    ["git config user.name x", true],
    ["touch .git/hooks/pre-commit", true],
    ["touch /usr/made", true],
    ["touch /usr/made || true", false],
    ["ls /no/such/file", false],
  ])("%s: told %s", async (command, isTold) => {
    const root = await createTempFolder();
    execFileSync("git", ["init", "-q", root]);
    mkdirSync(`${root}/.git/hooks`, { recursive: true });
    const toolkit = createToolkit({ root, stateDir: await createTempFolder() });
    onTestFinished(() => toolkit.close());
    const { content } = await toolkit.invoke({ id: "c", name: "exec", arguments: { command } });
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    expect(text.includes("Commands in the sandbox write in the workspace")).toBe(isTold);
  });
});

it.runIf(isLinux)("a commit in the sandbox has an author", async () => {
  const root = await createTempFolder();
  execFileSync("git", ["init", "-q", root]);
  const toolkit = createToolkit({ root, stateDir: await createTempFolder() });
  onTestFinished(() => toolkit.close());
  const command = "git commit -q --allow-empty -m first && git log --format=%an";
  const { content } = await toolkit.invoke({ id: "c1", name: "exec", arguments: { command } });
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  expect(text).toMatch(/^\S/);
  expect(text).not.toMatch(/fatal|exit/i);
});

it.each(["cwd", "working_directory", "workingDirectory", "directory", "dir"])(
  "exec understands %s for its folder",
  async (name) => {
    const setting = startExec();
    mkdirSync(`${setting.root}/sub`);
    const { text } = await setting.exec({ command: "pwd", [name]: "sub" });
    expect(text).toMatch(/\/sub$/);
  },
);

it("a second argument of a toolkit's invoke is refused, an index is not", async () => {
  const { toolkit } = startExec();
  const call = { id: "c", name: "exec", arguments: { command: "echo ran" } };
  const invoke = toolkit.invoke as (...given: unknown[]) => ReturnType<typeof toolkit.invoke>;
  const refused = await invoke(call, { onUpdate: () => undefined });
  expect(refused.details).toMatchObject({ reason: "request_invalid" });
  const [answer] = await Promise.all([call].map(invoke));
  expect(answer?.isError).toBe(false);
});

it("says of a command that does not read what it is, and lets its input be ended", async () => {
  const setting = startExec();
  const { details } = await setting.exec({ command: "sleep 60", background: true });
  const { sessionId } = details;
  const data = "x".repeat(5 * 1_024 * 1_024);
  await setting.process({ action: "write", sessionId, data });
  const refused = await setting.process({ action: "write", sessionId, data: "more" });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain("has not read what it was sent before");
  const ended = await setting.process({ action: "write", sessionId, eof: true });
  expect(ended).toMatchObject({ isError: false, text: expect.stringContaining("stdin closed") });
  const over = await setting.process({ action: "write", sessionId, data: "more" });
  expect(over.text).toContain("it was closed");
});
