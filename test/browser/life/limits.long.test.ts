// The limits of a browser's life: idle time, tabs, failures to start, ports.
import { readdirSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BrowserPage } from "../../../src/core/browser.js";
import type { Clock } from "../../../src/core/index.js";
import { createSystemClock } from "../../../src/drivers/clock.js";
import { eventually } from "../../fakes/eventually.js";
import { createManualClock } from "../../fakes/manual-clock.js";
import {
  createLifeSetting,
  findProcesses,
  findScratch,
  holdsSoon,
  type LifeOptions,
  type LifeSetting,
  type PageServer,
  scope,
  servePages,
} from "./life-setting.js";

const MINUTE_MS = 60_000;
const LONG_MS = 20_000;
let pages: PageServer;
let setting: LifeSetting;

beforeAll(async () => {
  pages = await servePages();
});
afterAll(() => pages.close());
afterEach(() => setting.close());

async function begin(options: LifeOptions): Promise<LifeSetting> {
  setting = await createLifeSetting(options);
  return setting;
}

/** Long waits only when they are told to pass; pages settle in real time. */
function createLongClock(): Clock & { pass(ms: number): void; pending(): number } {
  const [real, manual] = [createSystemClock(), createManualClock()];
  return {
    now: () => real.now(),
    after: (delayMs, work) => (delayMs < MINUTE_MS ? real : manual).after(delayMs, work),
    pass: (ms) => manual.advance(ms),
    pending: () => manual.pending(),
  };
}

it("an open that its caller ends leaves no tab behind", async () => {
  const { browsers } = await begin({});
  const first = await browsers.open({ ...scope(), url: `${pages.url}/` });
  const controller = new AbortController();
  const silent = createServer(() => controller.abort()).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = silent.address() as AddressInfo;
  const opening = browsers.open({ signal: controller.signal, url: `http://127.0.0.1:${port}/` });
  await expect(opening).rejects.toMatchObject({ name: "AbortError" });
  silent.close();
  const left = await browsers.tabs(scope());
  expect(left.map(({ targetId }) => targetId)).toEqual([first.targetId]);
});

describe("a browser that no one uses", () => {
  it("is stopped after the idle time, which every call begins anew", async () => {
    const clock = createLongClock();
    const { browsers, stateDir } = await begin({ clock, browser: { idleMinutes: 2 } });
    const page = await browsers.open({ ...scope(), url: `${pages.url}/` });
    clock.pass(MINUTE_MS);
    await page.tab(scope());
    clock.pass(MINUTE_MS);
    expect((await browsers.status(scope())).running).toBe(true);
    clock.pass(2 * MINUTE_MS);
    expect(await holdsSoon(() => findProcesses(stateDir).length === 0)).toBe(true);
    expect((await browsers.status(scope())).running).toBe(false);
    await expect(browsers.page(scope())).rejects.toMatchObject({
      reason: "browser_gone",
      message: expect.stringContaining("2 minutes without a call"),
    });
    await browsers.page(scope());
  });

  it("is left alone with idleMinutes 0", async () => {
    const clock = createLongClock();
    const { browsers } = await begin({ clock, browser: { idleMinutes: 0 } });
    await browsers.start(scope());
    expect(clock.pending()).toBe(0);
  });
});

describe("tabs", () => {
  it("are refused beyond the cap, with those that are open", async () => {
    const { browsers } = await begin({ browser: { maxTabs: 2 } });
    const open = (path: string) => browsers.open({ ...scope(), url: `${pages.url}${path}` });
    await open("/");
    await open("/second");
    await expect(open("/")).rejects.toMatchObject({
      code: "limit",
      reason: "browser_tabs_full",
      details: { tabs: ["t1", "t2"] },
    });
    await browsers.closeTab({ ...scope(), targetId: "t1" });
    expect((await open("/")).targetId).toBe("t3");
  });

  it("that are on their way count as open ones", async () => {
    const { browsers } = await begin({ browser: { maxTabs: 3 } });
    await browsers.open({ ...scope(), url: `${pages.url}/` });
    const opened = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((number) =>
        browsers.open({ ...scope(), url: `${pages.url}/second?${number}` }),
      ),
    );
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    for (const one of opened) {
      if (one.status === "rejected") expect(one.reason.reason).toBe("browser_tabs_full");
    }
    expect(await browsers.tabs(scope())).toHaveLength(3);
  });

  it("whose page writes its history without a pause close like others", async () => {
    const { browsers } = await begin({});
    await browsers.open({ ...scope(), url: `${pages.url}/` });
    const { targetId } = await browsers.open({ ...scope(), url: `${pages.url}/flood` });
    await browsers.closeTab({ ...scope(), targetId });
    expect((await browsers.tabs(scope())).map((tab) => tab.targetId)).toEqual(["t1"]);
  });

  it("that were only looked at while empty are used for the next address", async () => {
    const { browsers } = await begin({});
    await browsers.start(scope());
    await (await browsers.page(scope())).list(scope());
    const page = await browsers.open({ ...scope(), url: `${pages.url}/` });
    expect(page.targetId).toBe("t1");
    expect((await browsers.open({ ...scope(), url: `${pages.url}/second` })).targetId).toBe("t2");
  });

  it("that close by what is done in them are told as closed", async () => {
    const { browsers } = await begin({});
    const opener = await browsers.open({ ...scope(), url: `${pages.url}/closing` });
    const press = async (page: BrowserPage, wanted: string) => {
      const { elements } = await page.list(scope());
      const ref = elements.find(({ name }) => name === wanted)?.ref ?? "";
      return page.act({ kind: "click", ref }, scope());
    };
    await press(opener, "Open");
    const closing = await browsers.page({ ...scope(), targetId: "t2" });
    const { change } = await press(closing, "Close me");
    expect(change.events.join()).toMatch(/Tab t2 closed/);
    expect((await browsers.tabs(scope())).map(({ targetId }) => targetId)).toEqual(["t1"]);
  });

  it("that a page opens beyond the cap are closed at once, and told with the act", async () => {
    const { browsers } = await begin({ browser: { maxTabs: 3 } });
    const page = await browsers.open({ ...scope(), url: `${pages.url}/popups` });
    const { elements } = await page.list(scope());
    const ref = elements.find(({ name }) => name === "Open five")?.ref ?? "";
    const { change } = await page.act({ kind: "click", ref }, scope());
    const events = [...change.events];
    // The last of them may come after the act was answered.
    await eventually(async () => {
      const later = await page.act({ kind: "wait", timeMs: 1 }, scope());
      events.push(...later.change.events);
      const closed = events.flatMap((event) => /(\w+) more tabs? w/.exec(event)?.[1] ?? []);
      expect(closed.reduce((sum, word) => sum + (Number(word) || 1), 0)).toBe(3);
    });
    expect(events.join("\n")).toMatch(/closed at once: at most 3 are open \(browser\.maxTabs\)/);
    expect(await browsers.tabs(scope())).toHaveLength(3);
  });

  it("that are closed while somebody waits in them say so at once", async () => {
    const { browsers } = await begin({});
    for (const action of [
      { kind: "wait", text: "never there" },
      { kind: "wait", selector: "#never" },
      { kind: "wait", fn: "() => false" },
      { kind: "wait", timeMs: LONG_MS },
      { kind: "wait", textGone: "Home" },
    ] as const) {
      const page = await browsers.open({ ...scope(), url: `${pages.url}/` });
      const beganMs = performance.now();
      const waiting = page.act(action, { ...scope(), timeoutMs: LONG_MS });
      const told = expect(waiting, JSON.stringify(action)).rejects.toMatchObject({
        ...{ code: "not_found", reason: "tab_not_found" },
        message: expect.stringContaining(`${page.targetId} was closed`),
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await browsers.closeTab({ ...scope(), targetId: page.targetId });
      await told;
      expect(performance.now() - beganMs).toBeLessThan(LONG_MS / 2);
    }
  });

  it("that could not be opened are not left behind", async () => {
    const { browsers } = await begin({ browser: { ssrfPolicy: {} } });
    await expect(browsers.open({ ...scope(), url: `${pages.url}/` })).rejects.toMatchObject({
      code: "denied",
    });
    expect(await browsers.tabs(scope())).toEqual([]);
  });
});

describe("a browser that does not start", () => {
  it("says what its program said, and leaves nothing behind", async () => {
    await begin({});
    const program = join(await mkdtemp(join(tmpdir(), "claw-broken-")), "broken");
    onTestFinished(() => rm(dirname(program), { recursive: true }));
    await writeFile(program, "#!/bin/sh\necho library missing >&2\nexit 3\n");
    await chmod(program, 0o755);
    const browsers = setting.another({ executablePath: program });
    await expect(browsers.start(scope())).rejects.toMatchObject({
      reason: "browser_start_failed",
      message: expect.stringContaining("library missing"),
    });
    expect(findScratch()).toEqual([]);
  });

  it("for want of a screen says so, and doctor does too", async () => {
    const { DISPLAY, WAYLAND_DISPLAY } = process.env;
    delete process.env.DISPLAY;
    delete process.env.WAYLAND_DISPLAY;
    try {
      const { browsers } = await begin({ browser: { headless: false } });
      await expect(browsers.start(scope())).rejects.toMatchObject({
        reason: "browser_start_failed",
        message: expect.stringMatching(/no screen.*browser\.headless/),
      });
      const findings = await browsers.doctor(scope());
      expect(findings.find(({ name }) => name === "window")).toMatchObject({
        isGood: false,
        text: expect.stringContaining("no screen"),
      });
    } finally {
      if (DISPLAY !== undefined) process.env.DISPLAY = DISPLAY;
      if (WAYLAND_DISPLAY !== undefined) process.env.WAYLAND_DISPLAY = WAYLAND_DISPLAY;
    }
  });

  it("says what to install when there is none", async () => {
    const { browsers } = await begin({ browser: { executablePath: "/no/such/browser" } });
    await expect(browsers.start(scope())).rejects.toMatchObject({ reason: "browser_missing" });
    const status = await browsers.status(scope());
    expect(status.detectError).toContain("/no/such/browser");
    const findings = await browsers.doctor(scope());
    expect(findings.find(({ name }) => name === "browser")).toMatchObject({ isGood: false });
  });

  it("can be stopped while it starts", async () => {
    const { browsers, stateDir } = await begin({});
    const starting = expect(browsers.start(scope())).rejects.toMatchObject({
      reason: "browser_gone",
    });
    expect(await holdsSoon(() => findProcesses(stateDir).length > 0)).toBe(true);
    await browsers.stop(scope());
    await starting;
    expect(await holdsSoon(() => findProcesses(stateDir).length === 0)).toBe(true);
    expect(findScratch()).toEqual([]);
  });
});

it("a download that a page begins by itself stops at its quota, and its file is removed", async () => {
  const { browsers } = await begin({ browser: { maxTabDownloadMb: 1 } });
  const part = Buffer.alloc(64 * 1024);
  let isCut = false;
  const server = createHttpServer((request, response) => {
    if (request.url !== "/endless") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end('<a id=a href="/endless">Get</a><script>a.click()</script>');
      return;
    }
    response.on("close", () => {
      isCut = true;
    });
    response.writeHead(200, { "content-disposition": "attachment; filename=endless.bin" });
    const timer = setInterval(() => response.write(part), 5);
    response.on("close", () => clearInterval(timer));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const events: string[] = [];
  const url = `http://127.0.0.1:${port}/`;
  const page = await browsers.open({ ...scope(), url, tell: (event) => events.push(event) });
  const look = async () => {
    const { change } = await page.act({ kind: "wait", timeMs: 20 }, scope());
    events.push(...change.events);
    return events.join();
  };
  await expect
    .poll(look, { timeout: 20_000 })
    .toContain("cancelled and its file removed: browser.maxTabDownloadMb allows 1 MB");
  expect(await holdsSoon(() => isCut)).toBe(true);
  const [scratch = ""] = findScratch();
  expect(await holdsSoon(() => readdirSync(join(tmpdir(), scratch, "a")).length === 0)).toBe(true);
});

it("a port that another program has is not said to be the browser's", async () => {
  const { browsers } = await begin({
    browser: { port: true, profiles: { chrome: { cdpPort: 18_876 } } },
  });
  const first = await browsers.start(scope());
  expect(first.cdpPort).toBe(18_876);
  await browsers.stop(scope());
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(first.cdpPort, "127.0.0.1", resolve));
  try {
    expect((await browsers.start(scope())).cdpPort).toBeUndefined();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
