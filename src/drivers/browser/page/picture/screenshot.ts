// Screenshots of the page or an element, with labels, and PDFs. Copies go to the artifacts folder.

import type { Frame, Locator, Page } from "playwright-core";
import type { BrowserPage, ListedElement, PageImage, SavedFile } from "../../../../core/browser.js";
import { ToolError, ToolInputError } from "../../../../core/index.js";
import { withDevTools } from "../../session/within.js";
import { keepArtifact, resolveWritable, saveFile } from "../files/roots.js";
import { findBySelector } from "../find-by-selector.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../page-work.js";
import { drawLabels, type Numbered } from "./draw-labels.js";

const MAX_LABELS = 150;
const JPEG_QUALITY = 85;
const MAX_LABELLED_FRAMES = 10;
const FRAME_MS = 500;
const MAX_PIXELS = 100_000_000;
const PNG_HEAD_BYTES = 24;
const JPEG_START = 0xffd8;
/** Markers in the range of frame headers that are none. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];

type ScreenshotRequest = Parameters<BrowserPage["screenshot"]>[0] & { readonly time: WorkTime };

export async function takeScreenshot(
  handle: PageHandle,
  request: ScreenshotRequest,
): Promise<PageImage> {
  const { time } = request;
  const isPart = (request.ref ?? request.element) !== undefined || request.fullPage === true;
  if (request.labels && isPart) throw labelsOfWindow();
  if (request.labels && request.type === "jpeg") throw labelsArePng();
  const type = request.type ?? "png";
  const labelled = request.labels ? await findLabels(handle, time) : undefined;
  const options = {
    type,
    ...(type === "jpeg" && { quality: JPEG_QUALITY }),
    scale: "css",
    // Hiding the caret would change the page.
    caret: "initial",
    // 0 would wait forever.
    timeout: Math.max(time.leftMs(), 1),
  } as const;
  const target = await findTarget(handle, request);
  const fullPage = request.fullPage === true && !labelled;
  if (fullPage) await time.call("the size of the page", () => assertFits(handle.page));
  const plain = await time.call("the picture", () =>
    target ? target.screenshot(options) : handle.page.screenshot({ ...options, fullPage }),
  );
  const size = readImageSize(plain);
  const bytes = labelled
    ? await time.call("the labels", () =>
        drawLabels(handle.page, { picture: plain, size, boxes: labelled.boxes }),
      )
    : plain;
  const path = await save(handle, { bytes, ending: type, path: request.path });
  const mimeType = `image/${type}` as const;
  const labels = labelled && { labels: labelled.labels, labelsSkipped: labelled.skipped };
  return { bytes, mimeType, ...size, path, ...labels };
}

export async function printPage(
  handle: PageHandle,
  { path, time }: { readonly path?: string | undefined; readonly time: WorkTime },
): Promise<SavedFile> {
  const bytes = await time.call("the PDF", () => handle.page.pdf({ printBackground: true }));
  return { path: await save(handle, { bytes, ending: "pdf", path }), bytes: bytes.length };
}

interface Saving {
  readonly bytes: Uint8Array;
  readonly ending: string;
  readonly path?: string | undefined;
}

async function save(handle: PageHandle, { bytes, ending, path }: Saving): Promise<string> {
  const { folders, targetId } = handle;
  if (path === undefined) {
    return keepArtifact({ folder: folders.artifacts, targetId, ending, bytes });
  }
  const root = folders.downloads;
  const target = await resolveWritable({ path, root, suggestedName: `page.${ending}` });
  return (await saveFile(folders, { path: target, bytes })).path;
}

function labelsOfWindow(): ToolInputError {
  const message = "Labels are drawn on the window; leave out ref, element and fullPage, or labels.";
  return new ToolInputError(message, { reason: "labels_of_window" });
}

function labelsArePng(): ToolInputError {
  return new ToolInputError(
    "A picture with labels is a PNG; give it a name that ends in .png and no type, or leave labels out.",
    { reason: "arguments_invalid", details: { parameter: "type" } },
  );
}

async function findTarget(
  handle: PageHandle,
  { ref, element, time }: ScreenshotRequest,
): Promise<Locator | undefined> {
  if (ref !== undefined) return (await handle.elements.find(ref, "look", time.part())).locator;
  if (element === undefined) return undefined;
  return findBySelector(handle.page, { selector: element, time });
}

async function findLabels(handle: PageHandle, time: WorkTime) {
  const { elements, page } = handle;
  const listing = await elements.list({}, time.part());
  const byRef = new Map(listing.elements.map((element) => [element.ref, element]));
  const boxes: Numbered[] = [];
  const labels: { number: number; element: ListedElement }[] = [];
  let skipped = 0;
  for (const frame of page.frames().slice(0, MAX_LABELLED_FRAMES)) {
    const place = await placeOf(frame, { handle, time });
    if (!place) continue;
    const asks = { op: "boxes", max: MAX_LABELS - labels.length } as const;
    const part = time.part(frame === page.mainFrame() ? undefined : FRAME_MS);
    const answer = await elements.ask<"boxes">(frame, asks, part).catch(() => undefined);
    skipped += answer?.skipped ?? 0;
    for (const [ref, x, y, width, height] of answer?.boxes ?? []) {
      const element = byRef.get(elements.nameOf(ref));
      if (!element) continue;
      const number = labels.length + 1;
      labels.push({ number, element });
      boxes.push({ number, x: x + place.x, y: y + place.y, width, height });
    }
  }
  return { boxes, labels, skipped };
}

/** Where a frame begins in the viewport; undefined: not visible. */
async function placeOf(
  frame: Frame,
  { handle, time }: { readonly handle: PageHandle; readonly time: WorkTime },
): Promise<{ readonly x: number; readonly y: number } | undefined> {
  if (frame === handle.page.mainFrame()) return { x: 0, y: 0 };
  const read = async () => {
    const element = await frame.frameElement();
    const box = await element.boundingBox();
    if (!box) return undefined;
    const inner = await element.evaluate(readInnerPlace);
    return { x: box.x + inner.x, y: box.y + inner.y };
  };
  return time.call("the place of a frame", read).catch(() => undefined);
}

interface IframeLike {
  readonly clientLeft: number;
  readonly clientTop: number;
  readonly ownerDocument: {
    readonly defaultView: {
      getComputedStyle(of: unknown): { readonly paddingLeft: string; readonly paddingTop: string };
    };
  };
}

function readInnerPlace(iframe: IframeLike): { x: number; y: number } {
  const style = iframe.ownerDocument.defaultView.getComputedStyle(iframe);
  return {
    x: iframe.clientLeft + Number.parseFloat(style.paddingLeft),
    y: iframe.clientTop + Number.parseFloat(style.paddingTop),
  };
}

function readImageSize(file: Buffer): { readonly width: number; readonly height: number } {
  if (file.length >= PNG_HEAD_BYTES && file.toString("latin1", 1, 4) === "PNG") {
    return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  }
  if (file.length < 4 || file.readUInt16BE(0) !== JPEG_START) return { width: 0, height: 0 };
  for (let at = 2; at + 9 < file.length; ) {
    const marker = file[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker)) {
      return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    }
    at += 2 + file.readUInt16BE(at + 2);
  }
  return { width: 0, height: 0 };
}

async function assertFits(page: Page): Promise<void> {
  const { cssContentSize: size } = await withDevTools(page, (session) =>
    session.send("Page.getLayoutMetrics"),
  );
  const [width, height] = [Math.ceil(size.width), Math.ceil(size.height)];
  if (width * height <= MAX_PIXELS) return;
  throw new ToolError(
    "limit",
    `The whole page has ${width}x${height} pixels, more than a picture shows; leave fullPage out and scroll, or give the ref of a part of it.`,
    { reason: "image_too_large", details: { width, height } },
  );
}
