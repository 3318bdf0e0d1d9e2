// What may be opened in a tab, in every spelling.
import { describe, expect, it } from "vitest";
import { isOpenUrl, readPageUrl } from "./schemes.js";

describe("an address that is opened", () => {
  it.each([
    ["https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["  https://example.com/  ", "https://example.com/"],
    ["HTTP://EXAMPLE.com", "http://example.com/"],
    ["about:blank", "about:blank"],
    ["ABOUT:blank", "about:blank"],
    ["data:text/html,<p>hi", "data:text/html,<p>hi"],
    ["blob:http://127.0.0.1/3b1a", "blob:http://127.0.0.1/3b1a"],
  ])("%s is %s", (text, href) => {
    expect(readPageUrl(text)).toBe(href);
  });

  it.each([
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    " \tfile:///etc/passwd",
    "fi\tle:///etc/passwd",
    "f\nile:/etc/passwd",
    "\u0001file:///etc/passwd",
    "file:\\\\server\\share",
    "file:etc/passwd",
    "view-source:https://example.com",
    "view-source:file:///etc/passwd",
    "chrome://version",
    "Chrome://settings",
    "chrome-extension://abc/x.html",
    "chrome-untrusted://x",
    "chrome-search://x",
    "devtools://devtools/bundled/inspector.html",
    "edge://settings",
    "brave://settings",
    "about:version",
    "about:srcdoc",
    "about:blank/x",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "vbscript:x",
    "filesystem:http://example.com/temporary/x",
    "ftp://example.com/",
    "ws://example.com/",
    "mailto:a@example.com",
    "intent://x",
    "externalfile:x",
    "isolated-app://x",
    "blob:file:///3b1a",
    "blob:chrome://3b1a",
  ])("%j is refused by its scheme", (text) => {
    expect(() => readPageUrl(text)).toThrow(
      expect.objectContaining({ code: "denied", reason: "scheme_refused" }),
    );
  });

  it.each([
    "",
    "  ",
    "hello world",
    "//example.com",
    "/path",
    "http://",
    "https://a b/",
    "http://[::1/",
  ])("%j is no address", (text) => {
    expect(() => readPageUrl(text)).toThrow(
      expect.objectContaining({ code: "invalid_input", reason: "browser_url_invalid" }),
    );
  });
});

describe("a page that is there already", () => {
  it.each(["", "about:blank", "https://a.example/", "data:,x", "about:blank#x"])(
    "may be shown at %j",
    (href) => expect(isOpenUrl(href)).toBe(true),
  );
  it.each([
    "chrome://version/",
    "file:///etc/passwd",
    "view-source:https://a.example/",
    "nonsense",
  ])("may not be shown at %j", (href) => expect(isOpenUrl(href)).toBe(false));
});
