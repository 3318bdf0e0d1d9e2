// Secrets in the addresses that are shown.
import { describe, expect, it } from "vitest";
import { redactUrl } from "./redact-url.js";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123-_";
const CODE = "4/0AX4XfWh_long_code_of_a_sign_in";

describe("a shown address", () => {
  it.each([
    [
      "https://a.example/path?q=shoes&page=2#reviews",
      "https://a.example/path?q=shoes&page=2#reviews",
    ],
    ["https://a.example/?code=US&state=open", "https://a.example/?code=US&state=open"],
    [
      "https://a.example/?code=404&session=morning#code=SUMMER2026",
      "https://a.example/?code=404&session=morning#code=SUMMER2026",
    ],
    ["about:blank", "about:blank"],
    ["", ""],
    ["not an address", "not an address"],
    ["https://a.example/?a=%zz&b=1", "https://a.example/?a=%zz&b=1"],
    ["https://a.example/@user/x", "https://a.example/@user/x"],
    [
      "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fq%3D1",
      "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fq%3D1",
    ],
  ])("without secrets stays as it is: %s", (text, shown) => {
    expect(redactUrl(text)).toBe(shown);
  });

  it.each([
    ["https://user:pa%40ss@a.example/x", "https://[redacted]@a.example/x"],
    ["https://token@a.example", "https://[redacted]@a.example"],
    ["https://a@b:c@d@e.example/", "https://[redacted]@e.example/"],
    ["wss://u:p@a.example/live", "wss://[redacted]@a.example/live"],
    ["https://a.example/?access_token=abc&x=1", "https://a.example/?access_token=[redacted]&x=1"],
    ["https://a.example/?x=1;password=abc", "https://a.example/?x=1;password=[redacted]"],
    ["https://a.example/?api%5Fkey=abc", "https://a.example/?api%5Fkey=[redacted]"],
    ["https://a.example/?APIKEY=abc", "https://a.example/?APIKEY=[redacted]"],
    [`https://a.example/cb?code=${CODE}`, "https://a.example/cb?code=[redacted]"],
    ["https://a.example/cb?code=a81bc81d4f", "https://a.example/cb?code=[redacted]"],
    ["https://a.example/?session=s3cr3t99", "https://a.example/?session=[redacted]"],
    ["https://a.example/?connect.sid=abc", "https://a.example/?connect.sid=[redacted]"],
    ["https://a.example/?PHPSESSID=abc", "https://a.example/?PHPSESSID=[redacted]"],
    ["https://a.example/#code=a81bc81d4f&x=1", "https://a.example/#code=[redacted]&x=1"],
    [
      "https://a.example/#sid=abc?session=s3cr3t99",
      "https://a.example/#sid=[redacted]?session=[redacted]",
    ],
    ["?code=a81bc81d4f", "?code=[redacted]"],
    [
      "https://s3.example/o?X-Amz-Credential=AK%2F1&X-Amz-Signature=ff&X-Amz-Date=20260101",
      "https://s3.example/o?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&X-Amz-Date=20260101",
    ],
    ["https://a.example/?sig=abc&se=1", "https://a.example/?sig=[redacted]&se=1"],
    [
      "https://a.example/#access_token=abc&expires=1",
      "https://a.example/#access_token=[redacted]&expires=1",
    ],
    ["https://a.example/#/reset?token=abc", "https://a.example/#/reset?token=[redacted]"],
    [`https://a.example/verify/${JWT}/now`, "https://a.example/verify/[redacted]/now"],
    [`https://a.example/?x=${JWT}`, "https://a.example/?x=[redacted]"],
    ["https://a.example/?q=ghp_abcdefghijklmnopqrstuvwxyz", "https://a.example/?q=[redacted]"],
    ["https://a.example/?q=sk%2Dabcdefghijklmnopqrstuvwxyz", "https://a.example/?q=[redacted]"],
    ["https://hooks.slack.com/services/T0/B0/XyZ", "https://hooks.slack.com/services/[redacted]"],
    [
      "https://a.example/?next=https%3A%2F%2Fu%3Ap%40b.example%2F%3Ftoken%3Dabc",
      "https://a.example/?next=https%3A%2F%2F[redacted]%40b.example%2F%3Ftoken%3D[redacted]",
    ],
    [
      "https://a.example/x;jsessionid=ABC/y;v=1?q=2",
      "https://a.example/x;jsessionid=[redacted]/y;v=1?q=2",
    ],
    ["//u:p@a.example/x?token=abc", "//[redacted]@a.example/x?token=[redacted]"],
    ["https://a.example:99999/?token=abc", "https://a.example:99999/?token=[redacted]"],
  ])("has its secrets replaced: %s", (text, shown) => {
    expect(redactUrl(text)).toBe(shown);
    expect(redactUrl(shown)).toBe(shown);
  });

  it("that holds its own content is cut", () => {
    expect(redactUrl(`data:text/html,${"x".repeat(500)}`)).toHaveLength(65);
    expect(redactUrl("data:text/html,hello")).toBe("data:text/html,hello");
  });

  it("of a hundred thousand characters takes no time worth telling", () => {
    const long = [
      `https://a.example/?${"a=1&".repeat(25_000)}`,
      `https://${"a@".repeat(50_000)}b.example/`,
      `https://a.example/?u=${"https%3A%2F%2Fa%3Fu%3D".repeat(4_000)}`,
      `https://a.example/${"eyJ".repeat(33_000)}`,
      `https://a.example/?u=${"eyJaaaaaaaa.".repeat(8_000)}`,
    ];
    const startMs = performance.now();
    for (const url of long) redactUrl(url);
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });
});
