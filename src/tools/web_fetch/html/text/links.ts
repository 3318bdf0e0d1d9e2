// Addresses in a page as absolute ones. What would run code, or carries its content in itself, is
// no address that a reader could follow.

import { attributesOf, type Measures, textOf } from "../tree/measure.js";
import { at, HTML, TEXT } from "../tree/tags.js";

const ABSOLUTE = /^https?:\/\//i;
const REFUSED = /^(?:javascript|data|file|vbscript|blob|about):/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const MAX_ADDRESS_CHARS = 2_048;
/** What would end the address early in Markdown. */
const AWKWARD = /[()\s<>]/g;

export type Resolve = (href: string) => string | undefined;

export function createResolver(pageUrl: string, baseHref: string | undefined): Resolve {
  const base = parse(baseHref ?? "", pageUrl) ?? parse(pageUrl);
  const origin = base?.origin;
  return (href) => {
    const address = href.trim();
    if (address === "" || address.startsWith("#") || address.length > MAX_ADDRESS_CHARS)
      return undefined;
    if (REFUSED.test(address.replace(/[\s\p{Cc}]/gu, ""))) return undefined;
    if (ABSOLUTE.test(address) || (SCHEME.test(address) && !/^https?:/i.test(address)))
      return toSafe(address);
    const isRooted =
      address.startsWith("/") && !address.startsWith("//") && !address.includes("..");
    if (isRooted && origin !== undefined) return toSafe(origin + address);
    const resolved = parse(address, base?.href);
    return resolved === undefined ? undefined : toSafe(resolved.href);
  };
}

function parse(address: string, base?: string): URL | undefined {
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

function toSafe(address: string): string {
  return address.replace(
    AWKWARD,
    (found) => `%${found.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}

/** An element of another look that begins with a letter: a rank behind a name is not an ending of it. */
export function isApart({ page }: Measures, next: number): boolean {
  const isStyled =
    next + 1 < page.count &&
    at(page.tags, next) === HTML.span &&
    attributesOf(page, next).className !== undefined;
  if (!isStyled || at(page.tags, next + 1) !== TEXT) return false;
  return /^[\p{L}\d]/u.test(textOf(page, next + 1));
}

/** More than one character. */
export function hasText({ page, chars }: Measures, element: number): boolean {
  let count = 0;
  for (let node = element + 1; node < at(page.ends, element) && count < 2; node++) {
    count += at(chars, node);
  }
  return count > 1;
}
