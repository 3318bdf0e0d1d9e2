// The address of a link, in full. Data in addresses is no address.

const MAX_URL_CHARS = 2_000;
const MAX_DATA_CHARS = 40;

export function linkUrl(element: Element): string | null {
  const href =
    element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement
      ? element.href
      : inDocument(element.getAttribute("href") ?? element.getAttribute("xlink:href"));
  if (!href) return null;
  const isData = href.startsWith("data:") || href.startsWith("javascript:");
  const max = isData ? MAX_DATA_CHARS : MAX_URL_CHARS;
  return href.length > max ? `${href.slice(0, max)}…` : href;
}

function inDocument(href: string | null): string | null {
  if (!href) return null;
  return URL.canParse(href, document.baseURI) ? new URL(href, document.baseURI).href : href;
}
