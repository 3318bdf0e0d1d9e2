// The address of a link, in full. Data in addresses is not an address.

import { attributeOf, page } from "../tree/clobbered.js";

const MAX_URL_CHARS = 2_000;
const MAX_DATA_CHARS = 40;

export function linkUrl(element: Element): string | null {
  const href =
    element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement
      ? element.href
      : inDocument(attributeOf(element, "href") ?? attributeOf(element, "xlink:href"));
  if (!href) return null;
  const isData = href.startsWith("data:") || href.startsWith("javascript:");
  const max = isData ? MAX_DATA_CHARS : MAX_URL_CHARS;
  return href.length > max ? `${href.slice(0, max)}…` : href;
}

function inDocument(href: string | null): string | null {
  if (!href) return null;
  return URL.canParse(href, page.baseUrl()) ? new URL(href, page.baseUrl()).href : href;
}
