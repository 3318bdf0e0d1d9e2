// What happens when a page or the browser ends by itself: a typed error in time, and the next call
// works.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserPage } from "../../../src/core/browser.js";
import {
  createLifeSetting,
  findProcesses,
  findScratch,
  holdsSoon,
  type LifeSetting,
  type PageServer,
  scope,
  servePages,
} from "./life-setting.js";

const MAX_ANSWER_MS = 30_000;
let setting: LifeSetting;
let pages: PageServer;

beforeAll(async () => {
  [setting, pages] = await Promise.all([createLifeSetting(), servePages()]);
});
afterAll(async () => {
  await setting.close();
  await pages.close();
});

const open = (path: string) => setting.browsers.open({ ...scope(), url: `${pages.url}${path}` });

async function killBrowser(): Promise<void> {
  const { pid } = await setting.browsers.status(scope());
  if (pid === undefined) throw new Error("no browser runs");
  process.kill(pid, "SIGKILL");
  await holdsSoon(() => findProcesses(setting.stateDir).length === 0);
  // This process hears of the end a moment later.
  await expect.poll(async () => (await setting.browsers.status(scope())).pid).toBeUndefined();
}

/** The renderers of the browser: all of them crash. */
function killRenderers(): void {
  for (const pid of findProcesses("--type=renderer")) {
    if (findProcesses(setting.stateDir).includes(pid)) process.kill(pid, "SIGKILL");
  }
}

async function listRefs(page: BrowserPage): Promise<number[]> {
  const { elements } = await page.list(scope());
  return elements.flatMap(({ ref }) => (ref === undefined ? [] : Number(ref.slice(1))));
}

async function timed<Value>(work: Promise<Value>): Promise<Value> {
  const startMs = performance.now();
  try {
    return await work;
  } finally {
    expect(performance.now() - startMs).toBeLessThan(MAX_ANSWER_MS);
  }
}

describe("a browser that is killed", () => {
  it("is told to whoever waits, and the next call starts another", async () => {
    const page = await open("/");
    const waiting = page.act({ kind: "wait", text: "never there" }, scope());
    const told = expect(waiting).rejects.toMatchObject({
      code: "unavailable",
      reason: "browser_gone",
    });
    const startMs = performance.now();
    await killBrowser();
    await told;
    expect(performance.now() - startMs).toBeLessThan(MAX_ANSWER_MS);
    const again = await setting.browsers.page(scope());
    expect((await again.list(scope())).elements).toEqual([]);
    expect(again.targetId).not.toBe(page.targetId);
  });

  it("is told once to whoever comes next, when nobody waited", async () => {
    await open("/");
    await killBrowser();
    await expect(timed(setting.browsers.page(scope()))).rejects.toMatchObject({
      reason: "browser_gone",
    });
    expect((await setting.browsers.page(scope())).targetId).toMatch(/^t\d+$/);
  });

  it("needs no telling when a page is opened anew", async () => {
    await killBrowser();
    const page = await open("/second");
    expect((await page.tab(scope())).title).toBe("Second");
    expect(findScratch()).toHaveLength(1);
  });
});

describe("a page that crashes", () => {
  it("is told to whoever waits, keeps its tab, and the next call works", async () => {
    const page = await open("/");
    const waiting = page.act({ kind: "wait", text: "never there" }, scope());
    const told = expect(waiting).rejects.toMatchObject({ reason: "page_crashed" });
    const startMs = performance.now();
    killRenderers();
    await told;
    expect(performance.now() - startMs).toBeLessThan(MAX_ANSWER_MS);
    const again = await setting.browsers.page({ ...scope(), targetId: page.targetId });
    await again.navigate({ ...scope(), url: `${pages.url}/second` });
    expect(await again.tab(scope())).toMatchObject({ targetId: page.targetId, title: "Second" });
  });

  it("is told once to whoever looks next, when nobody waited", async () => {
    const page = await open("/");
    killRenderers();
    const id = page.targetId;
    const isTold = async () =>
      (await setting.browsers.tabs(scope())).find(({ targetId }) => targetId === id)
        ?.urlUnavailableReason === "the page crashed";
    const untilMs = performance.now() + MAX_ANSWER_MS;
    while (!(await isTold()) && performance.now() < untilMs);
    await expect(timed(page.list(scope()))).rejects.toMatchObject({ reason: "page_crashed" });
    expect((await page.list(scope())).elements).toEqual([]);
    expect((await setting.browsers.tabs(scope())).map((tab) => tab.targetId)).toContain(id);
  });
});

describe("a ref", () => {
  it("is given once, whatever ends its page or its browser, also in tabs listed at once", async () => {
    const [one, two] = [await open("/"), await open("/")];
    const given = (await Promise.all([one, two].map(listRefs))).flat();
    expect(new Set(given).size).toBe(given.length);
    const old = `e${given[0]}`;
    const waiting = one.act({ kind: "wait", text: "never there" }, scope());
    const told = expect(waiting).rejects.toMatchObject({ reason: "page_crashed" });
    killRenderers();
    await told;
    const expectNew = async (page: BrowserPage) => {
      await page.navigate({ ...scope(), url: `${pages.url}/` });
      const refs = await listRefs(page);
      expect(Math.min(...refs)).toBeGreaterThan(Math.max(...given));
      given.push(...refs);
    };
    await expectNew(one);
    await expect(one.act({ kind: "click", ref: old }, scope())).rejects.toMatchObject({
      ...{ reason: "stale_ref", details: { why: "other_document" } },
    });
    await killBrowser();
    await expectNew(await open("/second"));
  });
});

describe("a page that hangs", () => {
  /** Ends the click when the page has said that it hangs. */
  async function hang(page: BrowserPage): Promise<void> {
    const before = pages.asked.filter((path) => path === "/hanging").length;
    const { elements } = await page.list(scope());
    const ref = elements.find(({ role }) => role === "button")?.ref ?? "";
    const stop = new AbortController();
    const click = page.act({ kind: "click", ref }, { signal: stop.signal }).catch(() => undefined);
    await expect
      .poll(() => pages.asked.filter((path) => path === "/hanging").length)
      .toBe(before + 1);
    stop.abort();
    await click;
  }

  it("is ended by going to another place in it only after half the time of the call", async () => {
    const hung = await open("/hang");
    await hang(hung);
    const beganMs = Date.now();
    const url = `${pages.url}/hang#part`;
    const left = await hung.navigate({ ...scope(), url, timeoutMs: 10_000 });
    // A page that others lead away from is given up after two seconds.
    expect(Date.now() - beganMs).toBeGreaterThan(2_700);
    expect(left.events.join()).toMatch(/did not answer and was ended/);
    expect(left.tab.url).toBe(url);
  });

  it("does not keep the list of tabs, other tabs or stopping waiting", async () => {
    const hung = await open("/hang");
    const other = await open("/second");
    const { elements } = await hung.list(scope());
    const button = elements.find(({ role }) => role === "button")?.ref ?? "";
    const clicked = hung.act({ kind: "click", ref: button }, { ...scope(), timeoutMs: 1_000 });
    await expect(timed(clicked)).rejects.toMatchObject({ code: "timeout" });
    const tabs = await timed(setting.browsers.tabs(scope()));
    expect(tabs.map(({ targetId }) => targetId)).toContain(hung.targetId);
    expect((await timed(other.tab(scope()))).title).toBe("Second");
    await expect(timed(hung.list(scope()))).rejects.toMatchObject({ reason: "page_hung" });
    const left = await timed(hung.navigate({ ...scope(), url: `${pages.url}/` }));
    expect(left.events.join()).toMatch(/did not answer and was ended/);
    expect(left.tab).toMatchObject({ targetId: hung.targetId, title: "Home" });
    await hung.navigate({ ...scope(), url: `${pages.url}/hang` });
    await hang(hung);
    await setting.browsers.closeTab({ ...scope(), targetId: hung.targetId });
    await setting.browsers.stop(scope());
    expect(await holdsSoon(() => findProcesses(setting.stateDir).length === 0)).toBe(true);
    expect(findScratch()).toEqual([]);
  });
});
