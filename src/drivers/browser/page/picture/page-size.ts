// Whether a picture of a whole page can be shown: one that is too large takes seconds, for nothing.

import type { Page } from "playwright-core";
import { ToolError } from "../../../../core/index.js";

/** More are not decoded. */
const MAX_PIXELS = 100_000_000;

/** Throws `limit` / `image_too_large`. */
export async function assertFits(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  try {
    const { cssContentSize } = await session.send("Page.getLayoutMetrics");
    const [width, height] = [Math.ceil(cssContentSize.width), Math.ceil(cssContentSize.height)];
    if (width * height <= MAX_PIXELS) return;
    throw new ToolError(
      "limit",
      `The whole page has ${width}x${height} pixels, more than a picture shows; leave fullPage out and scroll, or give the ref of a part of it.`,
      { reason: "image_too_large", details: { width, height } },
    );
  } finally {
    // It may be gone with the page.
    await session.detach().catch(() => undefined);
  }
}
