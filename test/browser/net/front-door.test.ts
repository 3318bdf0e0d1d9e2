// The network boundary as the browser port shows it: what is refused, with which words, and that the
// refused host sees nothing.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browsers } from "../../../src/core/browser.js";
import { createSystemClock, createSystemRandom } from "../../../src/drivers/clock.js";
import { openBrowsers } from "../../../src/toolkit/ports/open-browsers.js";
import { type Listener, listen } from "../../security/net/net-setting.js";

const PAGE_HOST = "127.0.0.3";
const REFUSED_HOST = "127.0.0.5";
const OWN_HOST = "127.0.0.1";
const MAX_TEST_MS = 240_000;

let folder: string;
let browsers: Browsers;
let server: Listener;
let canary: Listener;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "claw-net-"));
  canary = await listen((_request, response) => void response.end("canary"), {
    host: REFUSED_HOST,
  });
  server = await listen(
    (request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://page");
      response.setHeader("content-type", "text/html");
      if (pathname === "/away") response.writeHead(302, { location: refused() });
      response.end("<title>page</title><h1>Page</h1>");
    },
    { host: PAGE_HOST },
  );
  browsers = openBrowsers({
    root: folder,
    stateDir: join(folder, "state"),
    config: {
      browser: {
        ...{ port: true, profiles: { chrome: { cdpPort: 18_878 } } },
        ssrfPolicy: { allowedHostnames: [PAGE_HOST, OWN_HOST] },
      },
    },
    system: { clock: createSystemClock(), random: createSystemRandom() },
  });
});
afterAll(async () => {
  await browsers?.close();
  await Promise.all([server.close(), canary.close()]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const scope = () => ({ signal: new AbortController().signal });
const refused = () => `http://${REFUSED_HOST}:${canary.port}/secret`;
const page = () => `http://${PAGE_HOST}:${server.port}/`;

describe("the boundary at the browser port", () => {
  it.each([
    "file:///etc/passwd",
    "chrome://version",
    "view-source:http://127.0.0.3/",
    " java\tscript:1",
  ])(
    "%j is refused by its scheme",
    async (url) => {
      await expect(browsers.open({ ...scope(), url })).rejects.toMatchObject({
        code: "denied",
        reason: "scheme_refused",
      });
    },
    MAX_TEST_MS,
  );

  it(
    "an address of the policy is refused with the key that would allow it, by whatever way it is opened",
    async () => {
      const open = await browsers.open({ ...scope(), url: page() });
      for (const url of [refused(), `${page()}away`]) {
        await expect(open.navigate({ ...scope(), url })).rejects.toMatchObject({
          code: "denied",
          reason: "address_refused",
          message: expect.stringContaining("browser.ssrfPolicy.allowedHostnames"),
        });
      }
      await expect(browsers.open({ ...scope(), url: refused() })).rejects.toMatchObject({
        reason: "address_refused",
      });
      expect(canary.hits()).toBe(0);
    },
    MAX_TEST_MS,
  );

  it(
    "a request of a page is refused, and its record says why",
    async () => {
      const open = await browsers.open({ ...scope(), url: page() });
      const fn = `() => fetch(${JSON.stringify(refused())}, { mode: "no-cors" }).then((answer) => answer.type)`;
      await open.act({ kind: "evaluate", fn }, scope()).catch(() => undefined);
      const { entries } = await open.requests({ ...scope(), limit: 10, query: "secret" });
      expect(entries[0]?.failure).toContain("browser.ssrfPolicy.allowedHostnames");
      expect(canary.hits()).toBe(0);
    },
    MAX_TEST_MS,
  );

  it(
    "the port by which the browser is driven is not reached, though its host is allowed",
    async () => {
      const { cdpPort } = await browsers.start(scope());
      const url = `http://${OWN_HOST}:${cdpPort}/json/version`;
      await expect(browsers.open({ ...scope(), url })).rejects.toMatchObject({
        reason: "address_refused",
        message: expect.stringContaining("belongs to clawtools"),
      });
    },
    MAX_TEST_MS,
  );

  it(
    "a host where nobody listens could not be opened",
    async () => {
      const gone = await listen((_request, response) => void response.end(), { host: PAGE_HOST });
      await gone.close();
      for (const scheme of ["http", "https"]) {
        const url = `${scheme}://${PAGE_HOST}:${gone.port}/`;
        await expect(browsers.open({ ...scope(), url })).rejects.toMatchObject({
          code: "failed",
          reason: "navigation_failed",
          message: expect.stringContaining("ECONNREFUSED"),
        });
      }
    },
    MAX_TEST_MS,
  );
});
