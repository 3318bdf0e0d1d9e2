// Commands that go on in the background, and the tool `process`, with real processes.
import { describe, expect, it } from "vitest";
import { pollToEnd, startExec } from "./exec-setting.js";

describe("exec in the background", () => {
  it("153 · yields after the asked time and goes on", async () => {
    const setting = startExec();
    const { text, details } = await setting.exec({
      command: "echo first; sleep 0.5; echo second",
      yieldMs: 10,
    });
    expect(details).toMatchObject({
      status: "running",
      sessionId: expect.stringMatching(/^[a-z]+-[a-z]+/),
      pid: expect.any(Number),
      startedAt: expect.any(Number),
      cwd: setting.root,
    });
    expect(text).toContain(`Command still running (session ${details.sessionId}`);
    const answers = await pollToEnd(setting, details.sessionId);
    const whole = [text, ...answers.map((answer) => answer.text)].join("\n");
    expect(whole.match(/first/g)).toHaveLength(1);
    expect(whole.match(/second/g)).toHaveLength(1);
    expect(answers.at(-1)?.text).toContain("Process exited with code 0.");
    expect(answers.at(-1)?.details).toMatchObject({ status: "completed", exitCode: 0 });
  });

  it("154, 163 · goes there at once when asked, and is not ended by the caller's abort afterwards", async () => {
    const setting = startExec();
    const stop = new AbortController();
    const { details } = await setting.exec(
      { command: "sleep 0.3; echo survived", background: true },
      { signal: stop.signal },
    );
    stop.abort();
    const answers = await pollToEnd(setting, details.sessionId);
    expect(answers.map(({ text }) => text).join("\n")).toContain("survived");
  });

  it("is ended by its time limit there too", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "sleep 60", background: true, timeout: 0.3 });
    const answers = await pollToEnd(setting, details.sessionId);
    expect(answers.at(-1)).toMatchObject({ details: { status: "failed" } });
    expect(answers.at(-1)?.text).toContain("time limit");
  });

  it("says when the same command runs already", async () => {
    const setting = startExec();
    const first = await setting.exec({ command: "sleep 60", background: true });
    const second = await setting.exec({ command: "sleep 60", background: true });
    expect(second.text).toContain(`already runs as session ${first.details.sessionId}`);
  });

  it("gives one notice at its end, and none when the end was polled", async () => {
    const setting = startExec();
    const told = new Promise<object>((resolve) => {
      setting.toolkit.on("notice", resolve);
    });
    const polled = await setting.exec({ command: "echo polled", background: true });
    await pollToEnd(setting, polled.details.sessionId);
    const command = "sleep 0.3; echo told; exit 4";
    const { details } = await setting.exec({ command, background: true });
    const { sessionId } = details;
    const message = `Exec failed (${sessionId}, code 4): ${command} :: told`;
    expect(await told).toEqual({ message, sessionId, command, exitCode: 4 });
    await pollToEnd(setting, details.sessionId);
    expect(setting.notices).toHaveLength(1);
  });
});

describe("process", () => {
  it("lists sessions, newest first", async () => {
    const setting = startExec();
    expect((await setting.process({ action: "list" })).text).toBe("No running or recent sessions.");
    const one = await setting.exec({ command: "sleep 60", background: true });
    const two = await setting.exec({ command: "sleep 0.3; echo hi", background: true });
    await pollToEnd(setting, two.details.sessionId);
    const { text, details } = await setting.process({ action: "list" });
    expect(text.split("\n")).toEqual([
      expect.stringMatching(
        new RegExp(`^${two.details.sessionId} +completed +\\S+ :: sleep 0.3; echo hi`),
      ),
      expect.stringMatching(new RegExp(`^${one.details.sessionId} +running +\\S+ :: sleep 60`)),
    ]);
    expect(details.sessions).toMatchObject([
      { status: "completed", exitCode: 0, tail: "hi\n", command: "sleep 0.3; echo hi" },
      { status: "running", pid: expect.any(Number), idleMs: expect.any(Number), cwd: setting.root },
    ]);
  });

  it("179 · waits in a poll until there is something new", async () => {
    const setting = startExec();
    const { details } = await setting.exec({
      command: "sleep 0.3; echo news; sleep 60",
      background: true,
    });
    const answer = await setting.process({
      action: "poll",
      sessionId: details.sessionId,
      timeout: 20_000,
    });
    const next =
      "Process still running. process poll with timeout 120000 waits for more output or the end; process kill ends it.";
    expect(answer.text).toBe(`news\n\n${next}`);
    const empty = await setting.process({ action: "poll", sessionId: details.sessionId });
    expect(empty.text).toBe(`(no new output)\n\n${next}`);
    expect(empty.details).toMatchObject({ status: "running", retryInMs: expect.any(Number) });
  });

  it("178, 180 · shows lines by their number, or the last ones", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "sleep 0.3; seq 0 999", background: true });
    await pollToEnd(setting, details.sessionId);
    const { sessionId } = details;
    const log = (more: object) => setting.process({ action: "log", sessionId, ...more });
    expect((await log({ offset: 5, limit: 2 })).text).toBe(
      "5\n6\n[Lines 5 to 6 of 1000, counted from 0. Use offset 7 to go on.]",
    );
    const last = await log({});
    expect(last.text.startsWith("800\n801\n")).toBe(true);
    expect(last.details).toMatchObject({
      totalLines: 1_000,
      offset: 800,
      lines: 200,
      truncated: true,
    });
    expect(await log({ offset: 1_000 })).toMatchObject({
      isError: true,
      details: { status: "failed" },
    });
  });

  it("175 · writes to a command and closes its input", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "cat; echo end", background: true });
    const { sessionId } = details;
    const written = await setting.process({ action: "write", sessionId, data: "héllo\n" });
    expect(written.text).toBe(`Wrote 7 bytes to session ${sessionId}.`);
    const closed = await setting.process({ action: "write", sessionId, eof: true });
    expect(closed.text).toContain("(stdin closed)");
    const answers = await pollToEnd(setting, sessionId);
    expect(answers.map(({ text }) => text).join("\n")).toMatch(/héllo[\s\S]*end/);
    expect(await setting.process({ action: "write", sessionId, data: "x" })).toMatchObject({
      isError: true,
      details: { status: "failed" },
    });
  });

  it("says of a command with an empty stdin how to have one that is open", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "sleep 60", yieldMs: 10 });
    const { sessionId } = details;
    const answer = await setting.process({ action: "write", sessionId, data: "x" });
    expect(answer).toMatchObject({ isError: true, details: { status: "failed" } });
    expect(answer.text).toContain("background: true or pty: true");
  });

  it("176 · presses keys in a terminal, and ^C reaches the program", async () => {
    const setting = startExec();
    const command = `trap 'echo caught; exit 0' INT; echo ready; read -r line; echo "line=$line"; while :; do sleep 0.1; done`;
    const { details, text } = await setting.exec({ command, pty: true, background: true });
    const { sessionId } = details;
    const poll = () => setting.process({ action: "poll", sessionId, timeout: 10_000 });
    let seen = text.replace(command, "");
    while (!seen.includes("ready")) seen += (await poll()).text;
    await setting.process({
      action: "send-keys",
      sessionId,
      literal: "abc",
      keys: ["BSpace", "Enter"],
    });
    while (!seen.includes("line=ab")) seen += (await poll()).text;
    await setting.process({ action: "send-keys", sessionId, keys: ["C-c"] });
    const answers = await pollToEnd(setting, sessionId);
    expect(answers.map(({ text }) => text).join("\n")).toContain("caught");
    expect(answers.at(-1)?.details).toMatchObject({ exitCode: 0 });
  });

  it("177 · pastes with marks around the text, or without, and submits a line", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "cat -v", background: true });
    const { sessionId } = details;
    await setting.process({ action: "paste", sessionId, text: "one\x1b[201~" });
    await setting.process({ action: "submit", sessionId });
    await setting.process({ action: "paste", sessionId, text: "two", bracketed: false });
    await setting.process({ action: "send-keys", sessionId, hex: ["0a"] });
    await setting.process({ action: "write", sessionId, eof: true });
    const answers = await pollToEnd(setting, sessionId);
    expect(answers.map(({ text }) => text).join("\n")).toMatch(/\^\[\[200~one\^\[\[201~\s+two\n/);
    expect(await setting.process({ action: "paste", sessionId })).toMatchObject({ isError: true });
  });

  it("sends nothing when a key is not known", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "cat", background: true });
    const answer = await setting.process({
      action: "send-keys",
      sessionId: details.sessionId,
      literal: "text",
      keys: ["C-1"],
    });
    expect(answer).toMatchObject({ isError: true, details: { status: "failed" } });
    expect(answer.details.error).toBe('Nothing was sent. A terminal has no code for "C-1".');
  });

  it("kills a session with everything it started, and keeps its output until it is cleared", async () => {
    const setting = startExec();
    const { details } = await setting.exec({
      command: "echo output; sleep 62 & setsid sleep 63 & wait",
      background: true,
    });
    const { sessionId } = details;
    // It may have come with the first answer: a poll would wait for more.
    const log = async () => (await setting.process({ action: "log", sessionId })).text;
    await expect.poll(log).toMatch(/^output\b/);
    expect(await setting.process({ action: "clear", sessionId })).toMatchObject({ isError: true });
    const killed = await setting.process({ action: "kill", sessionId });
    expect(killed.details).toMatchObject({ status: "completed", sessionId });
    expect(await log()).toMatch(/^output\b/);
    expect((await setting.process({ action: "clear", sessionId })).isError).toBe(false);
    const gone = await setting.process({ action: "poll", sessionId });
    expect(gone).toMatchObject({ isError: true, details: { status: "failed" } });
    expect(setting.notices).toEqual([]);
  });

  it("removes a session that still runs", async () => {
    const setting = startExec();
    const { details } = await setting.exec({ command: "sleep 60", background: true });
    const { sessionId } = details;
    expect((await setting.process({ action: "remove", sessionId })).isError).toBe(false);
    expect((await setting.process({ action: "list" })).text).toBe("No running or recent sessions.");
  });

  it.each([
    [{ action: "poll" }, "sessionId is required for poll"],
    [{ action: "poll", sessionId: "no-such" }, 'Unknown session "no-such"'],
  ])("answers %j with a result that says what is wrong", async (params, text) => {
    const answer = await startExec().process(params);
    expect(answer).toMatchObject({ isError: true, details: { status: "failed" } });
    expect(answer.details.error).toContain(text);
  });

  it("181 · does not show the sessions of another agent", async () => {
    const agents = { list: [{ id: "ada" }, { id: "eve" }] };
    const tools = { exec: { host: "gateway", security: "full", ask: "off" } } as const;
    const ada = startExec({ agentId: "ada", config: { agents, tools } });
    const { details } = await ada.exec({ command: "sleep 60", background: true });
    expect((await ada.process({ action: "list" })).text).toContain(String(details.sessionId));
    const eve = startExec({ agentId: "eve", config: { agents, tools } });
    expect((await eve.process({ action: "poll", sessionId: details.sessionId })).isError).toBe(
      true,
    );
  });
});
