// Which addresses may be opened in a tab: only http and https go through the filtering proxy.

import { ToolError, ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const MAX_SHOWN_CHARS = 200;
const BLANK = "about:blank";
/** `data:` pages load everything through the proxy. */
const OPEN_SCHEMES = ["http:", "https:", "data:"];
const ADVICE: Readonly<Record<string, string>> = {
  "file:": " For files use the read tool, or serve them.",
  "javascript:": " Scripts are run by act with kind evaluate.",
};
const BLOB = /^blob:(?:https?:\/\/|null\/)/;

/** Throws `browser_url_invalid`, `scheme_refused`. */
export function readPageUrl(text: string): string {
  if (!URL.canParse(text)) throw urlInvalid(text);
  const url = new URL(text);
  if (!isOpenUrl(url.href)) throw schemeRefused(url.protocol);
  return url.href;
}

/** Also judges pages that scripts opened. */
export function isOpenUrl(href: string): boolean {
  if (href === "") return true;
  if (!URL.canParse(href)) return false;
  const { protocol, pathname } = new URL(href);
  if (OPEN_SCHEMES.includes(protocol)) return true;
  // Chromium has other internal `about:` pages.
  return `${protocol}${pathname}` === BLANK || BLOB.test(href);
}

function urlInvalid(text: string): ToolError {
  const message = `"${toPrintable(text, MAX_SHOWN_CHARS)}" is not a valid URL; write one such as https://example.com/page.`;
  return new ToolInputError(message, { reason: "browser_url_invalid" });
}

function schemeRefused(protocol: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(protocol, MAX_SHOWN_CHARS)}" addresses are not opened in the browser; only http:, https:, data: and about:blank are.${ADVICE[protocol] ?? ""}`,
    { reason: "scheme_refused", details: { scheme: protocol } },
  );
}
