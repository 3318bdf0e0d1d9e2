// Every URL of the corpus has its verdict, and none of them opens a connection to an address that is
// not public. A fetch without these checks is hit by the same URLs in the same run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { naiveFetch } from "./naive-fetch.js";
import { createTown, get, outcomeOf, PUBLIC_ADDRESS, type Town } from "./net-setting.js";

interface Case {
  readonly url: string;
  readonly expect: string;
}

const DATA = join(import.meta.dirname, "../../data");
// The files are part of the project.
const CORPUS = JSON.parse(readFileSync(join(DATA, "ssrf.json"), "utf8")) as Case[];
const PUBLIC_HOSTS = JSON.parse(readFileSync(join(DATA, "public-hosts.json"), "utf8")) as string[];

const REASONS = new Map([
  ["reject-address", "address_refused"],
  ["reject-userinfo", "userinfo_refused"],
  ["reject-invalid", "url_invalid"],
  ["reject-scheme", "scheme_refused"],
  ["allow-public-ip", "ok"],
]);
const PRIVATE_ANSWERS = ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1"];

let town: Town;
beforeAll(async () => {
  town = await createTown();
  for (const address of ["87.0.0.1", "1.2.0.3"]) town.publicAddresses.add(address);
});
afterAll(() => town.close());

describe("the corpus of addresses", () => {
  it.each(CORPUS.filter(({ expect: verdict }) => REASONS.has(verdict)))(
    "$url is judged: $expect",
    async ({ url, expect: verdict }) => {
      const net = town.net();
      const before = town.publicHits();
      expect(await outcomeOf(net.fetch(get(url)))).toBe(REASONS.get(verdict));
      const { signal } = new AbortController();
      expect(await outcomeOf(net.check(url, { signal }))).toBe(REASONS.get(verdict));
      expect(town.publicHits() - before).toBe(verdict === "allow-public-ip" ? 1 : 0);
      expect(town.canaryHits()).toBe(0);
    },
  );

  it.each(CORPUS.filter(({ expect: verdict }) => verdict === "decide-after-dns"))(
    "$url is judged by what its name resolves to",
    async ({ url }) => {
      expect(await outcomeOf(town.net().fetch(get(url)))).toBe("ok");
      for (const address of PRIVATE_ANSWERS) {
        const net = town.net({ resolve: async () => [address] });
        expect(await outcomeOf(net.fetch(get(url)))).toBe("address_refused");
      }
      expect(town.canaryHits()).toBe(0);
    },
  );

  it("knows every verdict of the corpus", () => {
    const verdicts = new Set(CORPUS.map(({ expect: verdict }) => verdict));
    expect([...verdicts].filter((verdict) => !REASONS.has(verdict))).toEqual(["decide-after-dns"]);
    expect(CORPUS.length).toBeGreaterThan(60);
  });

  it("hits the canary when the fetch is a naive one", async () => {
    const naive = await createTown();
    try {
      const resolve = async () => ["127.0.0.1"];
      const runs = CORPUS.filter(({ url }) => URL.canParse(url)).map(({ url }) =>
        naiveFetch(url, { resolve, dial: naive.dial }).catch(() => undefined),
      );
      await Promise.all(runs);
      expect(naive.canaryHits()).toBeGreaterThan(20);
    } finally {
      await naive.close();
    }
  });
});

describe("60 names that only look local", () => {
  it.each(PUBLIC_HOSTS)("%s is reached", async (host) => {
    const asked: string[] = [];
    const net = town.net({
      resolve: async (name) => {
        asked.push(name);
        return [PUBLIC_ADDRESS];
      },
    });
    const answer = await net.fetch(get(`http://${host}/page`));
    expect(new TextDecoder().decode(answer.body)).toBe("hello");
    expect(asked).toHaveLength(1);
    expect(town.canaryHits()).toBe(0);
  });

  it("has 60 of them", () => {
    expect(new Set(PUBLIC_HOSTS).size).toBe(60);
  });
});
