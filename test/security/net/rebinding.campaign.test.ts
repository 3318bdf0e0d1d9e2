// Names whose answers lie: mixed, flipping between two questions, mapped, empty, endless, late. What
// was judged is what is connected to; a fetch that asks twice is led to the canary in the same run.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../../fakes/campaign.js";
import { naiveFetch } from "./naive-fetch.js";
import { createTown, get, outcomeOf, PUBLIC_ADDRESS, type Town } from "./net-setting.js";

const FLIPS = campaignSize({ slice: 300, campaign: 10_000 });
const AT_ONCE = 20;
const NAIVE_FLIPS = 20;
const TITLE = "no flip of an answer between two questions reaches the canary";
const OTHER_PUBLIC = "151.101.1.69";
const PRIVATE = ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "fd00::1"];
const TIMEOUT_MS = 300;
const TIMEOUT_SLACK_MS = 10_000;

let town: Town;
beforeAll(async () => {
  town = await createTown((request, response) => {
    const target = new URL(request.url ?? "/", "http://x.test").searchParams.get("to");
    if (target !== null) response.writeHead(302, { location: target });
    response.end("hello");
  });
  town.publicAddresses.add(OTHER_PUBLIC);
});
afterAll(() => town.close());

const fetchWith = (answers: readonly string[]) =>
  outcomeOf(town.net({ resolve: async () => answers }).fetch(get("http://name.example/")));

describe("answers of a resolver", () => {
  it.each([
    ["public, then private", [PUBLIC_ADDRESS, "10.0.0.1"]],
    ["private, then public", ["127.0.0.1", PUBLIC_ADDRESS]],
    ["mapped", ["::ffff:127.0.0.1"]],
    ["public and mapped", [PUBLIC_ADDRESS, "::ffff:7f00:1"]],
    ["a thousand, the last one private", [...Array(999).fill(PUBLIC_ADDRESS), "10.0.0.1"]],
    ["what a name of this machine has", ["127.0.0.1", "::1"]],
  ])("are refused together: %s", async (_what, answers) => {
    expect(await fetchWith(answers)).toBe("address_refused");
    expect(town.canaryHits()).toBe(0);
  });

  it("may be many when all are public", async () => {
    expect(await fetchWith(Array(1_000).fill(PUBLIC_ADDRESS))).toBe("ok");
    expect(await fetchWith([OTHER_PUBLIC, PUBLIC_ADDRESS])).toBe("ok");
  });

  it("that are empty or missing are an error of their own", async () => {
    expect(await fetchWith([])).toBe("name_not_found");
    const missing = Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
    const net = town.net({ resolve: () => Promise.reject(missing) });
    expect(await outcomeOf(net.fetch(get("http://name.example/")))).toBe("name_not_found");
  });

  it("that never come end with the time of the request", async () => {
    const net = town.net({ resolve: () => new Promise(() => undefined) });
    const startMs = performance.now();
    const limits = { maxBytes: 1_000, timeoutMs: TIMEOUT_MS };
    expect(await outcomeOf(net.fetch(get("http://name.example/", { limits })))).toBe("net_timeout");
    expect(performance.now() - startMs).toBeLessThan(TIMEOUT_MS + TIMEOUT_SLACK_MS);
  });
});

describe("rebinding", () => {
  /** Public at the first question of each name, private from then on. */
  function createFlipping(random: () => number) {
    const asked = new Map<string, number>();
    const resolve = async (host: string) => {
      const count = asked.get(host) ?? 0;
      asked.set(host, count + 1);
      const first = random() < 0.5 ? PUBLIC_ADDRESS : OTHER_PUBLIC;
      return count === 0 ? [first] : [PRIVATE[Math.floor(random() * PRIVATE.length)] ?? "::1"];
    };
    return { resolve, asked };
  }

  it(TITLE, async () => {
    const { resolve, asked } = createFlipping(seededRandom(campaignSeed()));
    const net = town.net({ resolve });
    const seen = new Map<string, number>();
    const flip = async (index: number) => {
      const host = `flip-${index}.example`;
      // Every third asks again by a redirect to itself, every third by a second request.
      const path = index % 3 === 0 ? `/?to=${encodeURIComponent(`http://${host}/b`)}` : "/";
      const first = await outcomeOf(net.fetch(get(`http://${host}${path}`)));
      const again = index % 3 === 1 ? await outcomeOf(net.fetch(get(`http://${host}/`))) : "";
      const key = `${index % 3}: ${first} ${again}`.trim();
      seen.set(key, (seen.get(key) ?? 0) + 1);
      expect(asked.get(host)).toBe(index % 3 === 2 ? 1 : 2);
    };
    for (let from = 0; from < FLIPS; from += AT_ONCE) {
      const size = Math.min(AT_ONCE, FLIPS - from);
      await Promise.all(Array.from({ length: size }, (_, index) => flip(from + index)));
    }
    expect([...seen.keys()].sort()).toEqual([
      "0: address_refused",
      "1: ok address_refused",
      "2: ok",
    ]);
    expect(town.canaryHits()).toBe(0);
    reportCampaign({ title: TITLE, size: FLIPS, detail: "0 connections to the canary" });
  });

  it("hits the canary every time when a name is asked for twice", async () => {
    const naive = await createTown();
    try {
      naive.publicAddresses.add(OTHER_PUBLIC);
      const { resolve } = createFlipping(() => 0);
      for (let index = 0; index < NAIVE_FLIPS; index++) {
        await naiveFetch(`http://flip-${index}.example/`, { resolve, dial: naive.dial });
      }
      expect(naive.canaryHits()).toBe(NAIVE_FLIPS);
    } finally {
      await naive.close();
    }
  });
});
