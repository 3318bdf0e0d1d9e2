// Everything a page can ask for, tried in a real Chromium: behind the filter no host but the allowed one
// sees as much as a connection. The same pages without the arguments reach all of them.
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { NetFilter } from "../../../src/core/browser.js";
import { listNetFlags, toContextProxy } from "../../../src/drivers/browser/policy/net-filter.js";
import { ATTACHED_GUARD } from "../../../src/drivers/browser/session/attach-browser.js";
import { createFilterProxy } from "../../../src/drivers/net/index.js";
import type { Listener } from "../../security/net/net-setting.js";
import { addressOf, type Canary, createCanary } from "./canary.js";
import { PAGE_HOST, runKinds, servePage } from "./kinds-page.js";
import { launchPlain } from "./plain-chromium.js";
import { REQUEST_KINDS } from "./request-kinds.js";

const MAX_TEST_MS = 240_000;
const MAX_NOTICE_MS = 10_000;
const POLL_MS = 20;
const EXPECTED = REQUEST_KINDS.filter(({ isExpected }) => isExpected);
/** What a proxy can be asked for. Where there is one, Chromium does not speculate. */
const ASKED = EXPECTED.filter(({ isUdp, isEarly }) => !isUdp && !isEarly);

let filter: NetFilter;
let server: Listener;
let canary: Canary;
let browser: Browser | undefined;
const names: string[] = [];
beforeAll(async () => {
  filter = await createFilterProxy({
    policy: { allowedHostnames: [PAGE_HOST] },
    environment: {},
    // The page knows addresses only, so whoever asks for a name is the browser itself.
    resolve: async (host) => {
      names.push(host);
      return [];
    },
  });
  server = await servePage();
  canary = await createCanary();
});
afterEach(async () => {
  await browser?.close();
  browser = undefined;
  canary.forget();
  names.length = 0;
});
afterAll(async () => {
  await Promise.all([filter.close(), server.close(), canary.close()]);
});

/** Waits until the given names are among those that were noticed, or gives up and says which are not. */
async function missingOf(
  names: readonly string[],
  noticed: () => ReadonlySet<string>,
): Promise<string[]> {
  const endMs = performance.now() + MAX_NOTICE_MS;
  const missing = () => names.filter((name) => !noticed().has(name));
  while (missing().length > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return missing();
}

/** Which kinds of those that were expected nobody noticed. */
async function tryAll(
  context: BrowserContext,
  noticed: () => ReadonlySet<string>,
  expected = EXPECTED,
): Promise<string[]> {
  const page = await context.newPage();
  await page.goto(`http://${PAGE_HOST}:${server.port}/`);
  const missing: string[] = [];
  for (const when of ["early", "late"] as const) {
    await runKinds(page, { canaryPort: canary.port, when });
    const names = expected
      .filter(({ isEarly = false }) => isEarly === (when === "early"))
      .map(({ name }) => name);
    missing.push(...(await missingOf(names, noticed)));
  }
  return missing;
}

const deniedSince = (startMs: number) => () =>
  new Set(
    filter
      .problems()
      .filter(({ atMs, error }) => atMs >= startMs && error.code === "denied")
      .map(
        ({ host }) => REQUEST_KINDS.find((_kind, index) => addressOf(index) === host)?.name ?? host,
      ),
  );

describe("every kind of request", () => {
  it("there are more than fifty", () => {
    expect(EXPECTED.length).toBeGreaterThan(50);
  });

  it(
    "reaches other hosts of this machine when only a proxy is named (the control)",
    async () => {
      const [proxyFlag = ""] = listNetFlags(filter.address);
      browser = await launchPlain([proxyFlag]);
      expect(await tryAll(await browser.newContext(), canary.seen)).toEqual([]);
    },
    MAX_TEST_MS,
  );

  it("reaches this machine when nothing but the loopback argument is missing (the control)", async () => {
    const flags = listNetFlags(filter.address).filter((flag) => !flag.includes("bypass"));
    browser = await launchPlain(flags);
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${canary.port}/`);
    expect([...canary.seen()]).toEqual(["127.0.0.1"]);
  });

  it(
    "is refused in a browser that was started behind the filter, without as much as a connection",
    async () => {
      const startMs = Date.now();
      browser = await launchPlain(listNetFlags(filter.address));
      const context = await browser.newContext();
      expect(await tryAll(context, deniedSince(startMs), ASKED)).toEqual([]);
      await browser.close();
      expect([...canary.seen()]).toEqual([]);
      expect(names).toEqual([]);
    },
    MAX_TEST_MS,
  );

  it(
    "is refused in a context of our own of a browser that ran already",
    async () => {
      const startMs = Date.now();
      browser = await launchPlain([]);
      const context = await browser.newContext({ proxy: toContextProxy(filter.address) });
      await context.addInitScript({ content: ATTACHED_GUARD });
      // WebRTC is gone there, so nothing asks for it.
      const asked = ASKED.filter(({ name }) => !name.startsWith("WebRTC"));
      expect(await tryAll(context, deniedSince(startMs), asked)).toEqual([]);
      await browser.close();
      expect([...canary.seen()]).toEqual([]);
    },
    MAX_TEST_MS,
  );
});
