// The life of a managed browser by the port: started when it is needed, told of, stopped, and nothing
// left of it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

let setting: LifeSetting;
let pages: PageServer;

beforeAll(async () => {
  [setting, pages] = await Promise.all([
    createLifeSetting({ browser: { port: true, profiles: { chrome: { cdpPort: 18_877 } } } }),
    servePages(),
  ]);
});
afterAll(async () => {
  await setting.close();
  await pages.close();
});

describe("a managed browser", () => {
  it("is told of before it runs", async () => {
    const status = await setting.browsers.status(scope());
    expect(status).toMatchObject({ running: false, profile: "chrome", kind: "managed" });
    expect(status.version).toMatch(/^\d+\./);
    expect(status.policy).toBe("enforced");
    expect(await setting.browsers.tabs(scope())).toEqual([]);
    if (process.getuid?.() === 0) expect(status.noSandboxReason).toBe("root");
  });

  it("is not started for an address that the policy refuses", async () => {
    const closed = setting.another({ ssrfPolicy: { dangerouslyAllowPrivateNetwork: false } });
    const { hostname, port } = new URL(pages.url);
    await expect(closed.open({ ...scope(), url: `${pages.url}/` })).rejects.toMatchObject({
      ...{ code: "denied", reason: "address_refused" },
      message: expect.stringContaining("is loopback"),
      details: { host: hostname, port: Number(port) },
    });
    expect(await closed.status(scope())).toMatchObject({ running: false });
  });

  it("starts with a port of the pool where the config asks for one, one tab and a note of its process", async () => {
    const status = await setting.browsers.start(scope());
    expect(status).toMatchObject({ running: true, tabCount: 1, kind: "managed" });
    expect(status.cdpPort).toBeGreaterThanOrEqual(18_800);
    expect(status.cdpPort).toBeLessThanOrEqual(18_899);
    expect(findProcesses(setting.stateDir)).toContain(status.pid);
    const answer = await fetch(`http://127.0.0.1:${status.cdpPort}/json/version`);
    expect(answer.status).toBe(200);
    expect(existsSync(join(setting.stateDir, "browser/chrome/running.json"))).toBe(true);
  });

  it("opens the first address in the tab that nobody has used, the next in another", async () => {
    const first = await setting.browsers.open({ ...scope(), url: `${pages.url}/` });
    const second = await setting.browsers.open({ ...scope(), url: `${pages.url}/second` });
    expect([first.targetId, second.targetId]).toEqual(["t1", "t2"]);
    expect(await setting.browsers.tabs(scope())).toMatchObject([
      { targetId: "t1", title: "Home", isCurrent: false },
      { targetId: "t2", title: "Second", isCurrent: true },
    ]);
  });

  it("loads no pages for its own window", () => {
    const own = findProcesses(setting.stateDir);
    expect(own.length).toBeGreaterThan(2);
    expect(findProcesses("--top-chrome-webui").filter((pid) => own.includes(pid))).toEqual([]);
  });

  it("means the tab that was used last when a call names none", async () => {
    expect(await setting.browsers.focus({ ...scope(), targetId: "t1" })).toMatchObject({
      isCurrent: true,
    });
    expect((await setting.browsers.page(scope())).targetId).toBe("t1");
    await setting.browsers.closeTab({ ...scope(), targetId: "t1" });
    expect((await setting.browsers.page(scope())).targetId).toBe("t2");
  });

  it("does not give a closed tab's id to another", async () => {
    const third = await setting.browsers.open({ ...scope(), url: `${pages.url}/` });
    expect(third.targetId).toBe("t3");
    await expect(setting.browsers.page({ ...scope(), targetId: "t1" })).rejects.toMatchObject({
      reason: "tab_not_found",
    });
  });

  it("says which tabs a beginning could mean", async () => {
    await expect(setting.browsers.page({ ...scope(), targetId: "t" })).rejects.toMatchObject({
      reason: "tab_ambiguous",
      details: { tabs: ["t2", "t3"] },
    });
  });

  it("makes a pop-up a tab", async () => {
    const opener = await setting.browsers.open({ ...scope(), url: `${pages.url}/popup` });
    const { elements } = await opener.list(scope());
    const button = elements.find(({ role }) => role === "button");
    await opener.act({ kind: "click", ref: button?.ref ?? "" }, scope());
    const tabs = await setting.browsers.tabs(scope());
    expect(tabs.map(({ targetId }) => targetId)).toEqual(["t2", "t3", "t4", "t5"]);
    expect(tabs.find(({ isCurrent }) => isCurrent)?.targetId).toBe("t4");
    expect((await setting.browsers.page({ ...scope(), targetId: "t5" })).targetId).toBe("t5");
  });

  it("refuses what is no page of the network", async () => {
    for (const url of ["file:///etc/hostname", "chrome://version", "view-source:http://a.test/"]) {
      await expect(setting.browsers.open({ ...scope(), url })).rejects.toMatchObject({
        reason: "scheme_refused",
      });
    }
  });

  it("leaves no process, folder or note when it is stopped", async () => {
    const { pid, cdpPort } = await setting.browsers.status(scope());
    const stopped = await setting.browsers.stop(scope());
    expect(stopped).toMatchObject({ running: false, tabCount: 0 });
    expect(await holdsSoon(() => findProcesses(setting.stateDir).length === 0)).toBe(true);
    expect(findProcesses(setting.stateDir)).not.toContain(pid);
    expect(findScratch()).toEqual([]);
    expect(existsSync(join(setting.stateDir, "browser/chrome/running.json"))).toBe(false);
    await expect(fetch(`http://127.0.0.1:${cdpPort}/json/version`)).rejects.toThrow();
  });

  it("has the same port again, and other tab ids", async () => {
    const status = await setting.browsers.start(scope());
    expect(status.cdpPort).toBe(18_877);
    const [tab] = await setting.browsers.tabs(scope());
    expect(tab?.targetId).toBe("t6");
  });
});
