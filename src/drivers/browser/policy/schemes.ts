// Which addresses may be opened in a tab. Only http and https go through the filtering proxy; what is
// of this machine (file:) or of the browser itself (chrome:, devtools:, view-source:) never reaches it.

import { ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const MAX_SHOWN_CHARS = 200;
const BLANK = "about:blank";
/** `data:` holds its own content, and what that asks for goes through the proxy. */
const OPEN_SCHEMES = ["http:", "https:", "data:"];
const ADVICE: Readonly<Record<string, string>> = {
  "file:": " For files use the read tool, or serve them.",
  "javascript:": " Scripts are run by act with kind evaluate.",
};
const BLOB = /^blob:(?:https?:\/\/|null\/)/;
/** `example.com`, `localhost:3000/x`, `[::1]:80`: people leave out the scheme. */
const BARE_HOST =
  /^(?:localhost|\[[\da-f:.]+\]|(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+)(?::\d{1,5})?(?:[/?#]|$)/iu;
const LOCAL_HOST = /^(?:localhost|\[|[\d.]+(?:[:/?#]|$))/i;

/** Adds `https://`, or `http://` for this machine. Throws `browser_url_invalid`, `scheme_refused`. */
export function readPageUrl(text: string): string {
  const written = text.trim();
  const full = BARE_HOST.test(written)
    ? `${LOCAL_HOST.test(written) ? "http" : "https"}://${written}`
    : written;
  if (!URL.canParse(full)) throw urlInvalid(text);
  const url = new URL(full);
  if (!isOpenUrl(url.href)) throw schemeRefused(url.protocol);
  return url.href;
}

/** Of a page that is there already, however it came: `chrome:` pages opened by a script, say. */
export function isOpenUrl(href: string): boolean {
  if (href === "") return true;
  if (!URL.canParse(href)) return false;
  const { protocol, pathname } = new URL(href);
  if (OPEN_SCHEMES.includes(protocol)) return true;
  // Chromium reads other names behind `about:` as its own pages.
  return `${protocol}${pathname}` === BLANK || BLOB.test(href);
}

function urlInvalid(text: string): ToolError {
  return new ToolInputError(
    `"${toPrintable(text, MAX_SHOWN_CHARS)}" is not a valid URL; write one such as https://example.com/page.`,
    { reason: "browser_url_invalid" },
  );
}

function schemeRefused(protocol: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(protocol, MAX_SHOWN_CHARS)}" addresses are not opened in the browser; only http:, https:, data: and about:blank are.${ADVICE[protocol] ?? ""}`,
    { reason: "scheme_refused", details: { scheme: protocol } },
  );
}
