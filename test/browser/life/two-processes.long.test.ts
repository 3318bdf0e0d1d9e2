// Two processes with one profile, and the end of one of them: the browser is shared, or it is said who
// holds it; nothing outlives a process that was killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { markProcess } from "../../../src/drivers/browser/launch/processes.js";
import {
  createLifeSetting,
  findProcesses,
  findScratch,
  holdsSoon,
  type LifeSetting,
  type OwnTemp,
  type PageServer,
  scope,
  servePages,
  useOwnTemp,
} from "./life-setting.js";
import { buildHolder, type Holder, type HolderProgram } from "./other-process.js";

const GONE_MS = 10_000;
let program: HolderProgram;
let pages: PageServer;
let setting: LifeSetting;
let temp: OwnTemp;

beforeAll(async () => {
  temp = await useOwnTemp();
  [program, pages] = await Promise.all([buildHolder(), servePages()]);
});
afterAll(async () => {
  program.remove();
  await pages.close();
  await temp.remove();
});
beforeEach(async () => {
  setting = await createLifeSetting();
});
afterEach(() => setting.close());

async function withHolder(work: (holder: Holder) => Promise<void>): Promise<void> {
  const { folder, stateDir } = setting;
  const holder = await program.start({ folder, stateDir, url: `${pages.url}/` });
  try {
    expect(holder.answer.error).toBeUndefined();
    await work(holder);
  } finally {
    await holder.kill();
  }
}

describe("a profile whose browser another process has started", () => {
  it("is shared by its socket, and outlives whoever lets go of it", async () => {
    await withHolder(async (holder) => {
      const seen = await setting.browsers.status(scope());
      expect(seen).toMatchObject({ running: true, kind: "attached", pid: holder.answer.pid });
      expect(seen.tabCount).toBeUndefined();
      const found = await setting.browsers.tabs(scope());
      expect(found.map(({ title }) => title)).toEqual(["Home"]);
      const status = await setting.browsers.start(scope());
      expect(status).toMatchObject({ kind: "attached", policy: "enforced", running: true });
      expect(status.pid).toBe(holder.answer.pid);
      const page = await setting.browsers.open({ ...scope(), url: `${pages.url}/second` });
      expect((await page.tab(scope())).title).toBe("Second");
      expect(status.noSandboxReason).toBe(holder.answer.noSandboxReason);
      const findings = await setting.browsers.doctor(scope());
      const texts = Object.fromEntries(findings.map(({ name, text }) => [name, text]));
      expect(texts.holder).toMatch(new RegExp(`^Process ${holder.pid} started it.*attached`));
      expect(texts.sandbox).toMatch(holder.answer.noSandboxReason ? /is off/ : /is on/);
      const stopped = await setting.browsers.stop(scope());
      expect(stopped.remark).toMatch(new RegExp(`Let go.*process ${holder.pid} started it`));
      expect((await setting.browsers.stop(scope())).remark).toMatch(/^Not stopped: Process \d+/);
      expect(findProcesses(setting.stateDir)).toContain(holder.answer.pid);
      // What was opened there went along, what the other has open stays.
      await setting.browsers.start(scope());
      const left = await setting.browsers.tabs(scope());
      expect(left.map(({ title }) => title)).toEqual(["Home"]);
    });
  });

  it("is not shared under another network policy, and cannot be reset or deleted from here", async () => {
    await withHolder(async (holder) => {
      const stricter = setting.another({ ssrfPolicy: {} });
      const { running, remark, kind } = await stricter.status(scope());
      expect({ running, kind }).toEqual({ running: true, kind: "managed" });
      expect(remark).toMatch(
        new RegExp(`^Process ${holder.pid} started it, and it runs with another network policy`),
      );
      expect(remark).not.toContain("start attaches");
      const findings = await stricter.doctor(scope());
      expect(findings.find(({ name }) => name === "holder")).toMatchObject({
        isGood: false,
        text: expect.stringContaining("another network policy"),
      });
      await expect(stricter.start(scope())).rejects.toMatchObject({
        reason: "browser_profile_held",
        details: { pid: holder.pid },
      });
      await expect(setting.browsers.resetProfile(scope())).rejects.toMatchObject({
        reason: "browser_profile_held",
      });
    });
  });

  it("is gone soon after a kill -9 of that process, and starts here again", async () => {
    await withHolder(async (holder) => {
      await setting.browsers.start(scope());
      const page = await setting.browsers.page(scope());
      const waiting = page.act({ kind: "wait", text: "never there" }, scope());
      const told = expect(waiting).rejects.toMatchObject({ reason: "browser_gone" });
      await holder.kill();
      expect(await holdsSoon(() => findProcesses(setting.stateDir).length === 0, GONE_MS)).toBe(
        true,
      );
      await told;
      const again = await setting.browsers.open({ ...scope(), url: `${pages.url}/` });
      expect((await again.tab(scope())).title).toBe("Home");
      expect((await setting.browsers.status(scope())).kind).toBe("managed");
      // The start has removed what the killed process could not.
      expect(findScratch(holder.pid)).toEqual([]);
    });
  });

  it("leaves nothing when that process ends in order", async () => {
    const before = temp.list();
    const { folder, stateDir } = setting;
    const holder = await program.start({ folder, stateDir, url: `${pages.url}/` });
    await holder.end();
    expect(findProcesses(stateDir)).toEqual([]);
    expect(findScratch(holder.pid)).toEqual([]);
    expect(temp.list()).toEqual(before);
  });

  it("is started once when two start it at the same moment", async () => {
    const other = setting.another();
    const both = await Promise.all([setting.browsers.start(scope()), other.start(scope())]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["attached", "managed"]);
    expect(both[0]?.pid).toBe(both[1]?.pid);
  });
});

describe("a profile that somebody else holds", () => {
  it("names the process", async () => {
    const stranger = spawn(process.execPath, ["--eval", "process.stdin.resume()"]);
    const ended = once(stranger, "close");
    try {
      const userData = join(setting.stateDir, "browser/chrome/user-data");
      await mkdir(userData, { recursive: true });
      await symlink(`${hostname()}-${stranger.pid}`, join(userData, "SingletonLock"));
      await expect(setting.browsers.start(scope())).rejects.toMatchObject({
        code: "conflict",
        reason: "browser_profile_held",
        message: expect.stringContaining(`process ${stranger.pid}`),
      });
    } finally {
      stranger.kill("SIGKILL");
      await ended;
    }
  });

  it("is taken over when that process is gone, with its note and its lock", async () => {
    const gone = spawn(process.execPath, ["--eval", "0"]);
    await once(gone, "close");
    const folder = join(setting.stateDir, "browser/chrome");
    await mkdir(join(folder, "user-data"), { recursive: true });
    await symlink(`${hostname()}-${gone.pid}`, join(folder, "user-data/SingletonLock"));
    const mark = { pid: gone.pid, start: "1" };
    const note = { browser: mark, owner: mark, port: 18_899, policyKey: "" };
    await writeFile(join(folder, "running.json"), JSON.stringify(note));
    expect(await setting.browsers.start(scope())).toMatchObject({ kind: "managed", running: true });
  });

  it("is ended by a reset when the process that started it is gone, by what was noted of it", async () => {
    const orphan = spawn(process.execPath, ["--eval", "process.stdin.resume()"]);
    const ended = once(orphan, "close");
    const folder = join(setting.stateDir, "browser/chrome");
    await mkdir(join(folder, "user-data"), { recursive: true });
    const note = {
      browser: markProcess(orphan.pid ?? 0),
      owner: { pid: 999_999_999, start: "1" },
      policyKey: "",
    };
    await writeFile(join(folder, "running.json"), JSON.stringify(note));
    await setting.browsers.resetProfile(scope());
    await ended;
    expect(orphan.signalCode).toBe("SIGKILL");
    expect(existsSync(join(folder, "user-data"))).toBe(true);
  });

  it("is never ended by a pid that was given to another process", async () => {
    const innocent = spawn(process.execPath, ["--eval", "process.stdin.resume()"]);
    const ended = once(innocent, "close");
    try {
      const folder = join(setting.stateDir, "browser/chrome");
      await mkdir(folder, { recursive: true });
      const note = {
        browser: { pid: innocent.pid, start: "1" },
        owner: { pid: 999_999_999, start: "1" },
        policyKey: "",
      };
      await writeFile(join(folder, "running.json"), JSON.stringify(note));
      await setting.browsers.start(scope());
      expect(innocent.exitCode).toBeNull();
      expect(innocent.signalCode).toBeNull();
    } finally {
      innocent.kill("SIGKILL");
      await ended;
    }
  });
});
