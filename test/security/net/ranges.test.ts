// The ranges that are refused, exactly: their first and last address, one inside, and the neighbours
// on both sides, which are decided by their own range. Counted with whole numbers, apart from the code.
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AddressPolicy } from "../../../src/core/index.js";
import { campaignSeed, seededRandom } from "../../fakes/campaign.js";
import { createTown, outcomeOf, type Town } from "./net-setting.js";

const RANGES = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["255.255.255.255/32", "::/128", "::1/128", "::ffff:0:0/96", "::/96", "64:ff9b::/96"],
  ...["64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
  ...["5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];
const RANDOM_ADDRESSES = 2_000;

interface Range {
  readonly text: string;
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
}

const { signal } = new AbortController();
let town: Town;
beforeAll(async () => {
  town = await createTown();
});
afterAll(() => town.close());

function toNumber(text: string): bigint {
  return ipaddr
    .parse(text)
    .toByteArray()
    .reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function toAddress(value: bigint, bits: 32 | 128): string {
  const bytes = Array.from({ length: bits / 8 }, (_, index) =>
    Number((value >> BigInt(bits - 8 * (index + 1))) & 0xffn),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

function toRange(text: string): Range {
  const [address = "", length = ""] = text.split("/");
  const bits = isIPv4(address) ? 32 : 128;
  const size = 1n << BigInt(bits - Number(length));
  const first = toNumber(address);
  return { text, bits, first, last: first + size - 1n };
}

const ranges = RANGES.map(toRange);

function isListed(value: bigint, bits: number): boolean {
  return ranges.some((range) => range.bits === bits && range.first <= value && value <= range.last);
}

async function judge(address: string, policy: AddressPolicy = {}): Promise<string> {
  const literal = isIPv4(address) ? address : `[${address}]`;
  const byUrl = await outcomeOf(town.net({ policy }).check(`http://${literal}/`, { signal }));
  // A name that resolves to it gets the same verdict.
  const net = town.net({ policy, resolve: async () => [address] });
  expect(await outcomeOf(net.check("http://example.com/", { signal }))).toBe(byUrl);
  return byUrl;
}

describe("ranges that are not public", () => {
  it("are 32", () => {
    expect(new Set(RANGES).size).toBe(32);
  });

  it.each(ranges)("$text is refused at both ends and inside", async ({ first, last, bits }) => {
    const inside = first + (last - first) / 2n;
    for (const value of [first, inside, last]) {
      expect(await judge(toAddress(value, bits))).toBe("address_refused");
    }
  });

  it.each(ranges)("the neighbours of $text are decided by their own range", async (range) => {
    const { first, last, bits } = range;
    for (const value of [first - 1n, last + 1n]) {
      if (value < 0n || value >> BigInt(bits) !== 0n) continue;
      const wanted = isListed(value, bits) ? "address_refused" : "ok";
      expect(await judge(toAddress(value, bits)), toAddress(value, bits)).toBe(wanted);
    }
  });

  it("are refused wherever another library sees none of the public internet", async () => {
    const random = seededRandom(campaignSeed());
    const wrong: string[] = [];
    for (let count = 0; count < RANDOM_ADDRESSES; count++) {
      const bytes = Array.from({ length: 4 }, () => Math.floor(random() * 256));
      const address = bytes.join(".");
      const isPublic = ipaddr.parse(address).range() === "unicast";
      const outcome = await outcomeOf(town.net().check(`http://${address}/`, { signal }));
      if ((outcome === "ok") !== isPublic) wrong.push(address);
    }
    expect(wrong).toEqual([]);
  });
});

describe("an IPv4 address inside an IPv6 one", () => {
  it.each([
    ["mapped", "::ffff:127.0.0.1"],
    ["mapped, in full", "0:0:0:0:0:ffff:7f00:1"],
    ["compatible", "::127.0.0.1"],
    ["translated", "::ffff:0:127.0.0.1"],
    ["of a translating network", "64:ff9b::169.254.169.254"],
    ["of a translating network, local", "64:ff9b:1::a00:1"],
    ["of a tunnel (6to4)", "2002:7f00:1::"],
    ["of a tunnel (Teredo)", "2001:0:7f00:1::80ff:fffe"],
    ["of a tunnel inside a site", "2606:4700::5efe:127.0.0.1"],
    ["of a tunnel inside a site, global", "2606:4700::200:5efe:10.0.0.1"],
  ])("is refused: %s", async (_kind, address) => {
    expect(await judge(address)).toBe("address_refused");
  });

  it("is public in a tunnel inside a site when the inner address is", async () => {
    expect(await judge("2606:4700::5efe:8.8.8.8")).toBe("ok");
  });

  it("counts as itself when private networks are open", async () => {
    const policy = { dangerouslyAllowPrivateNetwork: true };
    expect(await judge("::ffff:127.0.0.1", policy)).toBe("ok");
    expect(await judge("64:ff9b::8.8.8.8", policy)).toBe("ok");
    expect(await judge("::ffff:169.254.169.254", policy)).toBe("address_refused");
    expect(await judge("2002:a9fe:a9fe::", policy)).toBe("address_refused");
    expect(await judge("64:ff9b::6464:64c8", policy)).toBe("address_refused");
  });

  it("is refused when it has a zone, or is no address at all", async () => {
    for (const answer of ["fe80::1%eth0", "2606:4700::1%eth0", "", "1.2.3", "localhost"]) {
      const net = town.net({ resolve: async () => [answer] });
      expect(await outcomeOf(net.check("http://example.com/", { signal }))).toBe("address_refused");
    }
  });
});
