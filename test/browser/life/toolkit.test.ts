// The browser in a toolkit and in a bare registry: there, switched off, explained, and ended with it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, type ToolkitOptions, ToolRegistry } from "clawtools";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { browser } from "../../../src/tools/browser/index.js";
import {
  findProcesses,
  findScratch,
  holdsSoon,
  type PageServer,
  servePages,
} from "./life-setting.js";

let pages: PageServer;
let root: string;

beforeAll(async () => {
  pages = await servePages();
});
afterAll(() => pages.close());
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "claw-kit-"));
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const start = (config: ToolkitOptions["config"], stateDir: string | false = join(root, "state")) =>
  createToolkit({ root, stateDir, config: { tools: { profile: "full" }, ...config } });
const local = { ssrfPolicy: { allowedHostnames: ["127.0.0.1"] } };

describe("the browser of a toolkit", () => {
  it("is absent when it is switched off, with the key that says so", () => {
    const toolkit = start({ browser: { enabled: false } });
    expect(toolkit.explain("browser")).toMatchObject({
      status: "absent",
      rule: "browser.enabled false",
      restore: { browser: { enabled: true } },
    });
  });

  it("is explained by what was last seen of it, and looked at by nobody before", async () => {
    const toolkit = start({ browser: local });
    expect(toolkit.explain("browser").facts?.[0]).toContain("was not looked up yet");
    await toolkit.invoke({ id: "1", name: "browser", arguments: { action: "status" } });
    expect(toolkit.explain("browser").facts?.join(" ")).toMatch(/version \d+.*through the filter/);
    await toolkit.close();
  });

  it.each([
    ["in its state folder", undefined],
    ["with nothing that outlives it", false],
  ] as const)("ends with it, %s", async (_title, stateDir) => {
    const toolkit = start({ browser: local }, stateDir);
    const answer = await toolkit.invoke({
      id: "1",
      name: "browser",
      arguments: { action: "open", targetUrl: `${pages.url}/` },
    });
    expect(answer.isError).toBeFalsy();
    const place = stateDir === false ? `clawtools-web-${process.pid}-` : root;
    expect(findProcesses(place).length).toBeGreaterThan(0);
    await toolkit.close();
    expect(await holdsSoon(() => findProcesses(place).length === 0)).toBe(true);
    expect(findScratch()).toEqual([]);
  });

  it("reaches nothing private unless a key allows it", async () => {
    const toolkit = start({});
    const answer = await toolkit.invoke({
      id: "1",
      name: "browser",
      arguments: { action: "open", targetUrl: `${pages.url}/` },
    });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).toContain("browser.ssrfPolicy");
    await toolkit.close();
  });
});

describe("the browser of a bare registry", () => {
  it("works with a root, and ends when it is told to", async () => {
    const registry = new ToolRegistry();
    registry.register(browser);
    const [tool] = registry.resolveAll({ root, config: { browser: local } });
    const opened = await tool?.execute("1", { action: "open", targetUrl: `${pages.url}/` });
    expect(opened?.isError).toBeFalsy();
    const stopped = await tool?.execute("2", { action: "stop" });
    expect(stopped?.isError).toBeFalsy();
    expect(findScratch()).toEqual([]);
  });
});
