// The corpus of addresses and names that change their answer, tried in a Chromium behind the filter: no
// connection is made to an address that is not public. With a policy that allows all of them there is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readPageUrl } from "../../../src/drivers/browser/policy/schemes.js";
import { campaignSize, reportCampaign } from "../../fakes/campaign.js";
import { PUBLIC_ADDRESS } from "../../security/net/net-setting.js";
import { createSites, type Sites } from "./sites.js";

const DATA = join(import.meta.dirname, "../../data");
// The file is part of the project.
const CORPUS = JSON.parse(readFileSync(join(DATA, "ssrf.json"), "utf8")) as { url: string }[];
const URLS = CORPUS.map(({ url }) => url);
/** What a tab shows: addresses that only look private, and what holds its own content. */
const SHOWN = [
  "http://0127.0.0.1/",
  "http://1.2.3/",
  "data:text/html,hi",
  // Nobody has made it, so it shows nothing.
  "blob:http://x/1",
];
const PUBLIC_ONES = ["87.0.0.1", "1.2.0.3"];
/** Every so many addresses one is opened in a tab. */
const STEP = campaignSize({ slice: 4, campaign: 1 });
const REBINDINGS = campaignSize({ slice: 60, campaign: 5_000 });
const TAB_TITLE = "opened in a tab is refused by its scheme, by the policy, or is none";
const REBINDING_TITLE = "never leads a page to this machine";
const MAX_TEST_MS = campaignSize({ slice: 240_000, campaign: 30 * 60_000 });

let sites: Sites;
beforeAll(async () => {
  sites = await createSites();
  for (const address of PUBLIC_ONES) sites.town.publicAddresses.add(address);
});
afterEach(async () => {
  await Promise.all(sites.browser.contexts().map((context) => context.close()));
});
afterAll(() => sites?.close());

/** As a page would: asked for, framed, and by way of a redirect. Some of them never tell their end. */
const TRY_URLS = `(async (urls) => {
  const tries = urls.flatMap((url, index) => [
    fetch(url, { mode: "no-cors" }).catch(() => undefined),
    fetch("/to?url=" + encodeURIComponent(url), { mode: "no-cors" }).catch(() => undefined),
    index % ${STEP} === 0 && new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = resolve;
      setTimeout(resolve, 2000);
      frame.src = url;
      document.body.append(frame);
    }),
  ]);
  await Promise.all(tries);
})`;

/** undefined: it was refused before a browser saw it. */
function readOrRefuse(text: string): string | undefined {
  try {
    return readPageUrl(text);
  } catch (error) {
    const reason: unknown = Reflect.get(Object(error), "reason");
    if (reason === "scheme_refused" || reason === "browser_url_invalid") return undefined;
    throw error;
  }
}

describe("the corpus of addresses", () => {
  it(
    "tried by a page opens no connection to an address that is not public",
    async () => {
      const filter = await sites.filterWith();
      const page = await sites.openSite(filter);
      await page.evaluate(`${TRY_URLS}(${JSON.stringify(URLS)})`);
      expect(sites.town.canaryHits()).toBe(0);
      expect(filter.counts().denied).toBeGreaterThan(100);
    },
    MAX_TEST_MS,
  );

  it(
    TAB_TITLE,
    async () => {
      const filter = await sites.filterWith();
      const context = (await sites.openSite(filter)).context();
      const opened: string[] = [];
      const tried = URLS.filter((_url, index) => index % STEP === 0);
      for (const text of tried) {
        const url = readOrRefuse(text);
        if (url === undefined) continue;
        // A page of its own: what failed may still be on its way when the next one begins.
        const page = await context.newPage();
        const answer = await page.goto(url).catch(() => null);
        if (answer?.headers()["clawtools-filter"] === undefined) opened.push(text);
        await page.close();
      }
      expect(sites.town.canaryHits()).toBe(0);
      expect(opened.filter((text) => !SHOWN.includes(text))).toEqual([]);
      reportCampaign({ title: TAB_TITLE, size: tried.length });
    },
    MAX_TEST_MS,
  );

  it(
    "reaches the canary when the policy allows everything (the control)",
    async () => {
      const before = sites.town.canaryHits();
      const filter = await sites.filterWith({ policy: { dangerouslyAllowPrivateNetwork: true } });
      const page = await sites.openSite(filter);
      await page.evaluate(
        `Promise.all(${JSON.stringify(URLS)}.map((url) => fetch(url, { mode: "no-cors" }).catch(() => 0)))`,
      );
      expect(sites.town.canaryHits() - before).toBeGreaterThan(20);
    },
    MAX_TEST_MS,
  );
});

describe("a name that changes its answer", () => {
  it(
    REBINDING_TITLE,
    async () => {
      let lookups = 0;
      const filter = await sites.filterWith({
        resolve: async (host) => {
          if (host !== "rebind.example") return [PUBLIC_ADDRESS];
          lookups += 1;
          return lookups % 2 === 1 ? [PUBLIC_ADDRESS] : ["127.0.0.1"];
        },
      });
      const before = sites.town.canaryHits();
      const page = await sites.openSite(filter);
      const statuses: unknown = await page.evaluate(`(async () => {
        const counts = { passed: 0, refused: 0 };
        for (let round = 0; round < ${REBINDINGS}; round += 1) {
          const work = fetch("http://rebind.example/once?" + round, { mode: "no-cors" });
          await work.then(() => { counts.passed += 1; }, () => { counts.refused += 1; });
        }
        return counts;
      })()`);
      expect(statuses).toEqual({ passed: REBINDINGS, refused: 0 });
      expect(lookups).toBeGreaterThanOrEqual(REBINDINGS);
      expect(filter.counts().denied).toBeGreaterThanOrEqual(REBINDINGS / 2 - 1);
      expect(sites.town.canaryHits() - before).toBe(0);
      reportCampaign({ title: REBINDING_TITLE, size: REBINDINGS });
    },
    MAX_TEST_MS,
  );
});
