// Addresses of browsers that run already, as people write them.

import { describe, expect, it } from "vitest";
import { readCdpUrl, throughDoor } from "./cdp-url.js";

describe("readCdpUrl", () => {
  it("takes the password out of the address and into a header", () => {
    const { url, headers, shown } = readCdpUrl("https://me:p%40ss@host.test:1/?token=abc");
    expect(url.href).toBe("https://host.test:1/?token=abc");
    expect(headers).toEqual({
      Authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
    });
    expect(shown).not.toMatch(/p%40ss|p@ss|abc/);
  });

  it.each(["", "localhost:9222", "ftp://a/", "file:///x", "127.0.0.1"])("refuses %j", (text) => {
    expect(() => readCdpUrl(text)).toThrow(/not a valid browser address/);
  });
});

describe("throughDoor", () => {
  it.each([
    [
      "http://far.test:9222",
      "ws://127.0.0.1/devtools/browser/1",
      "ws://far.test:9222/devtools/browser/1",
    ],
    ["https://far.test/?token=x", "ws://localhost:3000/d/1", "wss://far.test/d/1?token=x"],
    ["http://127.0.0.1:9222", "ws://127.0.0.1:9222/d/1", "ws://127.0.0.1:9222/d/1"],
    ["http://far.test", "wss://cloud.test/d/1", "wss://cloud.test/d/1"],
  ])("from %s the socket %s is %s", (asked, socket, expected) => {
    expect(throughDoor(socket, readCdpUrl(asked))).toBe(expected);
  });
});
