// A tab as it is listed. A page that hangs does not answer for its title, so the last one is told.

import type { BrowserTab } from "../../../core/browser.js";
import { toPrintable } from "../../../lib/printable.js";
import { cutUrl } from "../page/events/cut-url.js";
import { redactUrl } from "../policy/redact-url.js";
import { isOpenUrl } from "../policy/schemes.js";
import type { TabState } from "./tab.js";
import { within } from "./within.js";

const MAX_TITLE_MS = 500;
const MAX_TITLE_CHARS = 200;
const MAX_SHOWN_URL_CHARS = 80;

export interface DescribeOptions {
  readonly isCurrent: boolean;
  readonly signal: AbortSignal;
}

export async function describeTab(
  { targetId, page, inner, crashedAt }: TabState,
  { isCurrent, signal }: DescribeOptions,
): Promise<BrowserTab> {
  const limit = { timeoutMs: MAX_TITLE_MS, signal, what: "the title" };
  const dialog = inner.dialog();
  const title =
    crashedAt === undefined ? await within(limit, () => page.title()).catch(() => "") : "";
  return {
    targetId,
    title: toPrintable(title, MAX_TITLE_CHARS),
    ...describeAddress(page.url()),
    ...(crashedAt === undefined ? {} : { urlUnavailableReason: "the page crashed" }),
    ...(dialog && { dialog }),
    isCurrent,
  };
}

function describeAddress(url: string): Pick<BrowserTab, "url" | "urlUnavailableReason"> {
  if (isOpenUrl(url) || url === "about:blank") return { url: cutUrl(redactUrl(url)) };
  const [scheme = ""] = url.split(":");
  return { url: "", urlUnavailableReason: `pages of ${toPrintable(scheme)}: are not shown` };
}

/** For messages. */
export function shortUrl({ page }: TabState): string {
  const { url } = describeAddress(page.url());
  return url === "" ? "(no address)" : toPrintable(url, MAX_SHOWN_URL_CHARS);
}
