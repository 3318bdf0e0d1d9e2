// Where a page without much text leads: by a refresh, or to what it shows in a frame. The address is
// named and not followed.

const WITHIN_CHARS = 20_000;
const MAX_SHOWN_URL_CHARS = 500;
const REFRESH =
  /<meta\s[^<>]{0,200}?http-equiv\s*=\s*["']?refresh\b[^<>]{0,200}?\burl\s*=\s*['"]?([^"'<>\s]{1,2000})/i;
const FRAMES = /<i?frame\s[^<>]{1,3000}>/gi;
const FRAME_SOURCE = /\ssrc\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|([^"'<>\s]{1,2000}))/i;
/** Frames that no one sees count readers. */
const UNSEEN_FRAME =
  /display\s*:\s*none|visibility\s*:\s*hidden|\shidden\b|\s(?:width|height)\s*=\s*["']?[01](?:px)?["'\s>]/i;

export interface Onward {
  readonly kind: "refresh" | "frame";
  readonly url: string;
}

export function findRefresh(source: string, url: string): string | undefined {
  const [, written] = REFRESH.exec(source.slice(0, WITHIN_CHARS)) ?? [];
  return written === undefined ? undefined : toWebAddress(written, url);
}

/** The first that a reader would see. */
export function findFrame(source: string, url: string): string | undefined {
  for (const [tag] of source.slice(0, WITHIN_CHARS).matchAll(FRAMES)) {
    if (UNSEEN_FRAME.test(tag)) continue;
    const [, quoted, single, bare] = FRAME_SOURCE.exec(tag) ?? [];
    const address = toWebAddress((quoted ?? single ?? bare ?? "").trim(), url);
    if (address !== undefined) return address;
  }
  return undefined;
}

function toWebAddress(written: string, url: string): string | undefined {
  const address = written.replaceAll("&amp;", "&");
  if (address === "" || !URL.canParse(address, url)) return undefined;
  const { href, protocol } = new URL(address, url);
  const isWeb = protocol === "http:" || protocol === "https:";
  return isWeb && href.length <= MAX_SHOWN_URL_CHARS ? href : undefined;
}
