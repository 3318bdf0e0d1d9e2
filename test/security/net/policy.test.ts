// What the keys of the policy open and close, how hosts are matched, and what a refusal says.
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AddressPolicy } from "../../../src/core/index.js";
import { createTown, get, outcomeOf, PUBLIC_ADDRESS, type Town } from "./net-setting.js";

const { signal } = new AbortController();
let town: Town;
beforeAll(async () => {
  town = await createTown();
});
afterAll(() => town.close());

interface Case {
  readonly policy: AddressPolicy;
  readonly host: string;
  readonly answer?: string;
  readonly outcome: string;
}

const judge = ({ policy, host, answer = PUBLIC_ADDRESS }: Omit<Case, "outcome">) =>
  outcomeOf(
    town.net({ policy, resolve: async () => [answer] }).check(`http://${host}/`, { signal }),
  );

const ok = "ok";
const address = "address_refused";
const host = "host_refused";
const allow = (...allowedHostnames: string[]): AddressPolicy => ({ allowedHostnames });
const block = (...blockedHostnames: string[]): AddressPolicy => ({ blockedHostnames });
const only = (...hostnameAllowlist: string[]): AddressPolicy => ({ hostnameAllowlist });
const open: AddressPolicy = { dangerouslyAllowPrivateNetwork: true };

const CASES: readonly Case[] = [
  { policy: allow("db.example.com"), host: "db.example.com", answer: "10.0.0.5", outcome: ok },
  { policy: allow("DB.Example.com."), host: "db.example.com.", answer: "10.0.0.5", outcome: ok },
  { policy: allow("*.example.com"), host: "a.example.com", answer: "10.0.0.5", outcome: ok },
  { policy: allow("*.example.com"), host: "a.b.example.com", answer: "10.0.0.5", outcome: ok },
  { policy: allow("*.example.com"), host: "example.com", answer: "10.0.0.5", outcome: address },
  {
    policy: allow("*.example.com"),
    host: "evil-example.com",
    answer: "10.0.0.5",
    outcome: address,
  },
  {
    policy: allow("example.com"),
    host: "example.com.evil.net",
    answer: "10.0.0.5",
    outcome: address,
  },
  {
    policy: allow("bücher.example"),
    host: "xn--bcher-kva.example",
    answer: "10.0.0.5",
    outcome: ok,
  },
  {
    policy: allow("xn--bcher-kva.example"),
    host: "BÜCHER.example",
    answer: "10.0.0.5",
    outcome: ok,
  },
  { policy: allow("router.local"), host: "router.local", answer: "192.168.0.1", outcome: ok },
  { policy: allow("localhost"), host: "localhost", outcome: ok },
  { policy: allow("localhost"), host: "localhost.", outcome: ok },
  { policy: allow("localhost"), host: "foo.localhost", outcome: address },
  { policy: allow("*.localhost"), host: "foo.localhost", outcome: ok },
  { policy: allow("127.0.0.1"), host: "127.0.0.1", outcome: ok },
  { policy: allow("127.0.0.1"), host: "2130706433", outcome: ok },
  { policy: allow("127.0.0.1"), host: "127.0.0.2", outcome: address },
  { policy: allow("::1"), host: "[0:0:0:0:0:0:0:1]", outcome: ok },
  { policy: allow("[::1]"), host: "[::1]", outcome: ok },
  { policy: allow("127.0.0.1"), host: "[::ffff:127.0.0.1]", outcome: address },
  // A name of others may not lead to this machine, to its link, or to the keys of a cloud.
  {
    policy: allow("db.example.com"),
    host: "db.example.com",
    answer: "127.0.0.1",
    outcome: address,
  },
  {
    policy: allow("db.example.com"),
    host: "db.example.com",
    answer: "169.254.1.1",
    outcome: address,
  },
  { policy: allow("db.example.com"), host: "db.example.com", answer: "0.0.0.0", outcome: address },
  { policy: allow("169.254.169.254"), host: "169.254.169.254", outcome: address },
  { policy: allow("fd00:ec2::254"), host: "[fd00:ec2::254]", outcome: address },
  ...["fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42"].flatMap((metadata) => [
    { policy: allow(metadata), host: `[${metadata}]`, outcome: address },
    { policy: open, host: "x.net", answer: metadata, outcome: address },
    {
      policy: { allowIpv6UniqueLocalRange: true },
      ...{ host: "x.net", answer: metadata, outcome: address },
    },
  ]),
  { policy: allow("metadata.google.internal"), host: "metadata.google.internal", outcome: address },
  { policy: open, host: "127.0.0.1", outcome: ok },
  { policy: open, host: "localhost", outcome: ok },
  { policy: open, host: "db.example.com", answer: "10.0.0.5", outcome: ok },
  { policy: open, host: "db.internal", answer: "fd00::5", outcome: ok },
  { policy: open, host: "169.254.169.254", outcome: address },
  { policy: open, host: "100.100.100.200", outcome: address },
  { policy: open, host: "0.0.0.0", outcome: address },
  { policy: open, host: "224.0.0.1", outcome: address },
  {
    policy: { allowRfc2544BenchmarkRange: true },
    host: "x.net",
    answer: "198.18.0.7",
    outcome: ok,
  },
  {
    policy: { allowRfc2544BenchmarkRange: true },
    host: "x.net",
    answer: "10.0.0.7",
    outcome: address,
  },
  { policy: { allowIpv6UniqueLocalRange: true }, host: "x.net", answer: "fd12::1", outcome: ok },
  {
    policy: { allowIpv6UniqueLocalRange: true },
    host: "x.net",
    answer: "fd00:ec2::254",
    outcome: address,
  },
  { policy: block("evil.com"), host: "evil.com", outcome: host },
  { policy: block("evil.com"), host: "EVIL.com.", outcome: host },
  { policy: block("evil.com"), host: "www.evil.com", outcome: ok },
  { policy: block("*.evil.com"), host: "www.evil.com", outcome: host },
  { policy: block("8.8.8.8"), host: "0x08080808", outcome: host },
  { policy: { ...block("localhost"), ...allow("localhost") }, host: "localhost", outcome: host },
  { policy: only("example.com", "*.example.com"), host: "www.example.com", outcome: ok },
  { policy: only("example.com"), host: "www.example.com", outcome: host },
  { policy: only("*.example.com"), host: "evil-example.com", outcome: host },
  { policy: only("example.com"), host: "example.com", answer: "10.0.0.1", outcome: address },
  { policy: only(), host: "example.com", outcome: host },
  { policy: {}, host: "127.evil.com", outcome: ok },
  { policy: {}, host: "localhost.evil.com", outcome: ok },
  { policy: {}, host: "localhost.localdomain", outcome: address },
];

/** One that a list of hostnames would open if it were of another machine. */
const OWN_ADDRESS = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .filter(({ internal }) => !internal)
  .map((entry) => entry.address)
  .find((text) => /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd])/.test(text));

describe("the policy of addresses", () => {
  it.each(CASES)("$policy gives $host ($answer): $outcome", async (row) => {
    expect(await judge(row)).toBe(row.outcome);
  });

  it.skipIf(OWN_ADDRESS === undefined)(
    "refuses a listed name that leads to an address of this machine, as it does for loopback",
    async () => {
      const answer = OWN_ADDRESS ?? "";
      const literal = answer.includes(":") ? `[${answer}]` : answer;
      expect(await judge({ policy: allow("x.net"), host: "x.net", answer })).toBe(address);
      expect(await judge({ policy: allow("*.x.net"), host: "a.x.net", answer })).toBe(address);
      expect(await judge({ policy: allow(answer), host: literal })).toBe(ok);
      expect(await judge({ policy: open, host: "x.net", answer })).toBe(ok);
      expect(await judge({ policy: allow("x.net"), host: "x.net", answer: "10.9.8.7" })).toBe(ok);
    },
  );

  it("opens a host for one request alone when the request brings it", async () => {
    const net = town.net({ resolve: async () => ["10.0.0.5"] });
    town.publicAddresses.add("10.0.0.5");
    const request = get("http://search.example.com/", {
      alsoAllowedHostnames: ["search.example.com"],
    });
    expect(await outcomeOf(net.fetch(request))).toBe(ok);
    // The connection of the first is still open, and must not serve the second.
    expect(await outcomeOf(net.fetch(get("http://search.example.com/")))).toBe(address);
    town.publicAddresses.delete("10.0.0.5");
  });

  it.each([
    "",
    "http://localhost",
    "localhost:3000",
    "a b",
    "*",
    "*.",
    "*.127.0.0.1",
    "a/b",
    "[::1]:80",
  ])("refuses %j in a list of hosts instead of never matching it", (entry) => {
    expect(() => town.net({ policy: block(entry) })).toThrowError(
      expect.objectContaining({ code: "invalid_input", reason: "ssrf_policy_invalid" }),
    );
  });
});

describe("a refusal", () => {
  const messageOf = (text: string, answer?: string) =>
    town
      .net({ resolve: async () => [answer ?? PUBLIC_ADDRESS] })
      .check(text, { signal })
      .then(
        () => "",
        (error: Error) => error.message,
      );

  it("names the rule and the key that would allow it", async () => {
    expect(await messageOf("http://db.example.com/", "10.0.0.5")).toBe(
      '"db.example.com" has the address 10.0.0.5, which is private (10.0.0.0/8), so it is not reached; to allow it add the host to tools.net.ssrfPolicy.allowedHostnames or set tools.net.ssrfPolicy.dangerouslyAllowPrivateNetwork.',
    );
    expect(await messageOf("http://localhost/")).toBe(
      '"localhost" is a name of this machine or its network, so it is not reached; to allow it add the host to tools.net.ssrfPolicy.allowedHostnames or set tools.net.ssrfPolicy.dangerouslyAllowPrivateNetwork.',
    );
    expect(await messageOf("http://x.net/", "198.18.0.1")).toContain(
      "tools.net.ssrfPolicy.allowRfc2544BenchmarkRange",
    );
  });

  it("says when no setting allows it", async () => {
    expect(await messageOf("http://169.254.169.254/")).toBe(
      '"169.254.169.254" is cloud metadata (169.254.169.254/32), so it is not reached; no setting allows it.',
    );
  });

  it("shows nothing of a password in the URL", async () => {
    const message = await messageOf("http://user:geheim@example.com/?token=abc");
    expect(message).toContain("example.com");
    expect(message).not.toMatch(/geheim|abc|user:/);
  });
});
