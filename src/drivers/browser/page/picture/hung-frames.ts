// Pictures of a page with a frame of another site that hangs: the frame is shown as it was drawn last.

import type { Frame, Locator, Page } from "playwright-core";
import { toPrintable } from "../../../../lib/printable.js";
import { hostOf } from "../events/host-of.js";
import { atMost, type WorkTime } from "../work/page-work.js";

/** A frame that has not answered by then is not waited for. */
export const SILENT_MS = 2_000;
const MAX_ASKED_FRAMES = 40;
const MAX_HOST_CHARS = 120;

export async function findSilent(page: Page, time: WorkTime): Promise<readonly Frame[]> {
  const main = page.mainFrame();
  const inner = page.frames().filter((frame) => frame !== main);
  const silent = new Set(inner.slice(0, MAX_ASKED_FRAMES));
  const asked = [...silent].map(async (frame) => {
    // One that is gone does not hang.
    await frame.evaluate("0").catch(() => undefined);
    silent.delete(frame);
  });
  if (asked.length > 0) await atMost(time.part(SILENT_MS).timeoutMs, Promise.all(asked));
  return [...silent];
}

export function tellSilent(frame: Frame): string {
  const host = toPrintable(hostOf(frame.url()), MAX_HOST_CHARS);
  return `The iframe of ${host} does not answer: it is shown as it was drawn last, if at all.`;
}

interface Capture {
  readonly type: "png" | "jpeg";
  readonly quality?: number;
  readonly fullPage: boolean;
  readonly target: Locator | undefined;
}

/** Asks the browser and the page, none of its frames. */
export async function captureAlone(page: Page, options: Capture): Promise<Buffer> {
  const { type, quality, fullPage, target } = options;
  const session = await page.context().newCDPSession(page);
  try {
    const metrics = await session.send("Page.getLayoutMetrics");
    const { pageX, pageY, clientWidth, clientHeight } = metrics.cssVisualViewport;
    const whole = { ...metrics.cssContentSize, x: 0, y: 0 };
    const window = { x: pageX, y: pageY, width: clientWidth, height: clientHeight };
    const box = target && (await target.boundingBox());
    const part = box && { ...box, x: box.x + pageX, y: box.y + pageY };
    const ratio = Number(await page.evaluate("devicePixelRatio"));
    const { data } = await session.send("Page.captureScreenshot", {
      format: type,
      ...(quality === undefined ? {} : { quality }),
      clip: { ...(part ?? (fullPage ? whole : window)), scale: 1 / ratio },
      captureBeyondViewport: fullPage,
    });
    return Buffer.from(data, "base64");
  } finally {
    // It may be gone with the page.
    await session.detach().catch(() => undefined);
  }
}
