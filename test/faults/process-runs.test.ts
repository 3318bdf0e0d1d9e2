// The life of a command in each containment: exit, signal, output, input, deadline, kill, close.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createManualClock } from "../fakes/manual-clock.js";
import { createMemoryStore } from "../fakes/memory-store.js";
import {
  CONTAINMENT_NAMES,
  createProcessSetting,
  openGate,
  type ProcessSetting,
  startOf,
} from "./process-setting.js";

const MAX_CHARS = 10_000;
const settings: ReturnType<typeof createProcessSetting>[] = [];

function setUp(setting?: ProcessSetting) {
  const made = createProcessSetting(setting);
  settings.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(settings.splice(0).map((setting) => setting.remove()));
});

const textOf = (run: { output: { view(maxChars: number): { text: string } } }) =>
  run.output.view(MAX_CHARS).text;

describe.each(CONTAINMENT_NAMES)("a command in %s", (containment) => {
  it("gives its output and its exit code", async () => {
    const { processes } = setUp({ containment });
    const run = await processes.start(startOf("echo out; echo err >&2; exit 3"));
    expect(await run.ended).toMatchObject({ exitCode: 3, reason: "exit" });
    expect(textOf(run).split("\n").sort()).toEqual(["", "err", "out"]);
    expect(run).toMatchObject({ containment, canWrite: false, isTerminal: false });
  });

  it("that is not there, or cannot be run, is told by its reason", async () => {
    const { processes, root } = setUp({ containment });
    writeFileSync(join(root, "data"), "");
    const missing = await processes.start(startOf("no-such-program-here"));
    const data = await processes.start(startOf("./data"));
    expect((await missing.ended).reason).toBe("not_found");
    expect((await data.ended).reason).toBe("not_executable");
  });

  it("that leaves a child with its output open ends at once, and the child with it", async () => {
    const { processes, root } = setUp({ containment });
    const began = performance.now();
    const run = await processes.start(startOf("(sleep 60; echo alive > late) & echo done"));
    await run.ended;
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(textOf(run)).toBe("done\n");
    expect(existsSync(join(root, "late"))).toBe(false);
  });

  it("that shuts down when asked is not killed", async () => {
    const { processes } = setUp({ containment });
    const command = "trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.02; done";
    const run = await processes.start(startOf(command));
    await run.waitForChange({ timeoutMs: 5_000, signal: new AbortController().signal });
    expect(await run.kill()).toMatchObject({ reason: "killed", exitCode: 5 });
    expect(textOf(run)).toContain("bye");
  });

  it("reads what is written to it when its input is open, and nothing else", async () => {
    const { processes } = setUp({ containment });
    const open = await processes.start(startOf("cat", { input: "open" }));
    expect(open.canWrite).toBe(true);
    await open.write(Buffer.from("hello\n"));
    await open.endInput();
    const closed = await processes.start(startOf("cat; echo over"));
    expect((await open.ended).exitCode).toBe(0);
    expect(textOf(open)).toBe("hello\n");
    await closed.ended;
    expect(textOf(closed)).toBe("over\n");
    await expect(closed.write(Buffer.from("x"))).rejects.toMatchObject({ reason: "input_closed" });
  });

  it("runs in a terminal of its own, where ^C reaches the program", async () => {
    const { processes } = setUp({ containment });
    const command =
      "trap 'echo caught; exit 6' INT; echo up; tty -s && while :; do sleep 0.05; done";
    const run = await processes.start(startOf(command, { terminal: { columns: 80, rows: 24 } }));
    while (!textOf(run).includes("up")) {
      await run.waitForChange({ timeoutMs: 5_000, signal: new AbortController().signal });
    }
    await run.write(Uint8Array.of(3));
    expect((await run.ended).exitCode).toBe(6);
    expect(textOf(run)).toContain("caught");
  });
});

describe("in each containment, all of which take their time", () => {
  it("a command that ignores being asked is ended at its deadline", async () => {
    const outcomes = CONTAINMENT_NAMES.map(async (containment) => {
      const { processes } = setUp({ containment });
      const began = performance.now();
      const command = "trap '' TERM; echo here; while :; do sleep 0.1; done";
      const run = await processes.start(startOf(command, { timeoutMs: 1_000 }));
      const { reason } = await run.ended;
      const isSoon = performance.now() - began < 1_000 + 2_500 + 30_000;
      return { containment, reason, isSoon, text: textOf(run) };
    });
    const ended = { reason: "timeout", isSoon: true, text: expect.stringContaining("here") };
    expect(await Promise.all(outcomes)).toEqual(
      CONTAINMENT_NAMES.map((containment) => ({ containment, ...ended })),
    );
  });

  it("every command ends with the supervisor", async () => {
    const outcomes = CONTAINMENT_NAMES.map(async (containment) => {
      const { processes, root } = setUp({ containment });
      const runs = await Promise.all(
        ["sleep 60", "setsid sleep 60 & wait", "trap '' TERM; sleep 60; sleep 60"].map((command) =>
          processes.start(startOf(command)),
        ),
      );
      const began = performance.now();
      await processes.close();
      const isSoon = performance.now() - began < 30_000;
      await expect(processes.start(startOf("true"))).rejects.toMatchObject({
        reason: "processes_closed",
      });
      const reasons = runs.map((run) => run.end?.reason);
      return { containment, isSoon, reasons, left: readdirSync(join(root, ".runs")) };
    });
    const ended = { isSoon: true, reasons: ["killed", "killed", "killed"], left: [] };
    expect(await Promise.all(outcomes)).toEqual(
      CONTAINMENT_NAMES.map((containment) => ({ containment, ...ended })),
    );
  });
});

describe("the supervisor", () => {
  it("refuses a folder that is missing, no folder, or outside of the sandbox, and runs nothing", async () => {
    const { processes, root } = setUp();
    mkdirSync(join(root, "sub"));
    writeFileSync(join(root, "file"), "");
    const start = (workdir: string) => processes.start(startOf("pwd", { workdir }));
    await expect(start("nowhere")).rejects.toMatchObject({ reason: "workdir_missing" });
    await expect(start("file")).rejects.toMatchObject({ reason: "workdir_invalid" });
    await expect(start("/usr")).rejects.toMatchObject({ reason: "workdir_outside_root" });
    const run = await start("sub");
    await run.ended;
    expect(textOf(run)).toBe(`${join(root, "sub")}\n`);
  });

  it("shows background runs to their agent only, newest first, and forgets finished ones", async () => {
    const { processes } = setUp();
    const first = await processes.start(startOf("sleep 60", { agentId: "a" }));
    const second = await processes.start(startOf("echo x", { agentId: "a" }));
    const other = await processes.start(startOf("sleep 60", { agentId: "b" }));
    expect(processes.list({ agentId: "a" })).toEqual([]);
    for (const run of [first, second, other]) run.toBackground();
    await second.ended;
    expect(processes.list({ agentId: "a" })).toEqual([second, first]);
    expect(processes.find(other.sessionId, { agentId: "a" })).toBeUndefined();
    expect(await processes.forget(first.sessionId, { agentId: "a" })).toBe(false);
    expect(await processes.forget(second.sessionId, { agentId: "b" })).toBe(false);
    expect(await processes.forget(second.sessionId, { agentId: "a" })).toBe(true);
    expect(processes.list({ agentId: "a" })).toEqual([first]);
    expect(first.sessionId).toMatch(/^[a-z]+-[a-z]+$/);
  });

  it("tells that the same command runs already in the background", async () => {
    const { processes } = setUp();
    const first = await processes.start(startOf("sleep 60"));
    first.toBackground();
    const second = await processes.start(startOf("sleep 60"));
    const other = await processes.start(startOf("sleep 61"));
    expect(second.duplicateOf).toBe(first.sessionId);
    expect(other.duplicateOf).toBeUndefined();
  });

  it("gives one notice for a background run whose end nobody has seen", async () => {
    const clock = createManualClock();
    const { processes, notices } = setUp({ clock });
    const seen = await processes.start(startOf("echo seen"));
    const unseen = await processes.start(startOf("echo unseen; exit 4", { sessionKey: "s" }));
    const silent = await processes.start(startOf("true"));
    const killed = await processes.start(startOf("sleep 60"));
    for (const run of [seen, unseen, silent, killed]) run.toBackground();
    await Promise.all([seen.ended, unseen.ended, silent.ended, killed.kill()]);
    seen.acknowledge();
    clock.advance(1_000);
    clock.advance(1_000);
    expect(notices).toMatchObject([
      {
        sessionId: unseen.sessionId,
        command: "echo unseen; exit 4",
        status: "failed",
        sessionKey: "s",
      },
    ]);
    expect(notices[0]?.text).toBe(
      `Exec failed (${unseen.sessionId}, code 4): echo unseen; exit 4 :: unseen`,
    );
  });

  it("forgets finished runs after their time, and the oldest when there are too many", async () => {
    const clock = createManualClock();
    const { processes } = setUp({ clock, options: { keepMs: 60_000 }, containment: "group" });
    const run = await processes.start(startOf("echo x"));
    run.toBackground();
    await run.ended;
    clock.advance(59_999);
    expect(processes.list({ agentId: undefined })).toEqual([run]);
    clock.advance(1);
    expect(processes.list({ agentId: undefined })).toEqual([]);
    for (let count = 0; count < 52; count++) {
      const next = await processes.start(startOf("echo x"));
      next.toBackground();
      await next.ended;
    }
    expect(processes.list({ agentId: undefined })).toHaveLength(50);
  });

  it("writes a row before a command begins, and begins nothing when it cannot", async () => {
    const clock = createManualClock();
    const store = createMemoryStore({ clock });
    const rows = async () => (await store.kv.list({ space: "process.running" })).entries.length;
    const { processes, root } = setUp({ store: async () => store });
    const run = await processes.start(startOf("sleep 60"));
    expect(await rows()).toBe(1);
    await run.kill();
    await processes.close();
    expect(await rows()).toBe(0);
    const broken = setUp({
      store: async () => {
        throw new Error("no disk");
      },
    });
    const start = broken.processes.start(startOf(`echo ran > ${root}/ran`));
    await expect(start).rejects.toThrow("no disk");
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  it("tells the runs of a process that died as interrupted, once", async () => {
    const clock = createManualClock();
    const store = createMemoryStore({ clock });
    const dead = setUp({
      clock,
      store: async () => store,
      owner: { own: "dead", isDead: () => false },
    });
    const run = await dead.processes.start(startOf("sleep 60", { sessionKey: "s" }));
    run.toBackground();
    const owner = { own: "next", isDead: (mark: string) => mark === "dead" };
    const next = setUp({ clock, store: async () => store, owner });
    await next.processes.recover();
    clock.advance(1_000);
    expect(next.notices).toMatchObject([{ sessionId: run.sessionId, status: "interrupted" }]);
    expect(next.notices[0]?.text).toContain("outcome unknown");
    expect(next.processes.list({ agentId: undefined })[0]?.end?.reason).toBe("interrupted");
    const third = setUp({ clock, store: async () => store, owner });
    await third.processes.recover();
    expect(third.processes.list({ agentId: undefined })).toEqual([]);
  });

  it("starts nothing for a caller that has given up meanwhile", async () => {
    const caller = new AbortController();
    const { processes, root } = setUp({
      gate: {
        authorise(request) {
          caller.abort();
          return openGate.authorise(request);
        },
      },
    });
    const start = processes.start(startOf("echo ran > ran", { signal: caller.signal }));
    await expect(start).rejects.toMatchObject({ name: "AbortError" });
    expect(existsSync(join(root, "ran"))).toBe(false);
  });
});
