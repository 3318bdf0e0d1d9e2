// Addresses that people write into a config: which may be asked, and what is wrong with the others.

import { describe, expect, it } from "vitest";
import { findBaseUrlFault } from "./base-url.js";

const faultOf = (baseUrl: string) => findBaseUrlFault(baseUrl, "https://search.example.com");

describe("an address of a service", () => {
  it.each([
    "https://example.com",
    "https://8.8.8.8/v1",
    "http://localhost:8080",
    "http://searxng:8080",
    "http://box.lan",
    "http://127.0.0.1:1",
    "http://10.1.2.3",
    "http://172.16.0.1",
    "http://192.168.1.1",
    "http://100.64.0.1",
    "http://[::1]:8080",
    "http://[fd00::1]",
  ])("may be asked: %s", (address) => {
    expect(faultOf(address)).toBeUndefined();
  });

  it.each([
    "http://example.com",
    "http://10.evil.example",
    "http://127.evil.example",
    "http://192.168.evil.example",
    "http://evil.local.example",
    "http://8.8.8.8",
    "http://172.32.0.1",
    "http://100.128.0.1",
    "http://[2001:db8::1]",
    "http://[::ffff:8.8.8.8]",
  ])("would show its key to everybody: %s", (address) => {
    expect(faultOf(address)).toContain("without encryption");
  });

  it.each(["", "example.com", "ftp://example.com", "file:///etc/passwd"])("is none: %j", (text) => {
    expect(faultOf(text)).toBe("is not an address; write one like https://search.example.com.");
  });

  it("has no name or password in it", () => {
    expect(faultOf("https://user@example.com")).toContain("leave them out");
    expect(faultOf("https://:word@example.com")).toContain("leave them out");
  });
});
