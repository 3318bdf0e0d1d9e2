// Pictures of the page, of one element, with numbers on what can be acted on; and the page as PDF.
// A copy of each lies in the folder for artifacts.

import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Frame, Locator } from "playwright-core";
import type { ListedElement, PageImage, SavedFile } from "../../../../core/browser.js";
import { ToolInputError } from "../../../../core/index.js";
import { selectorMissing } from "../errors.js";
import { resolveWritable } from "../files/roots.js";
import { saveFile } from "../files/save-file.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../work/page-work.js";
import { drawLabels, type LabelBox } from "./draw-labels.js";
import { readImageSize } from "./image-size.js";
import { decodePng, encodePng } from "./png.js";

const MAX_LABELS = 150;
const JPEG_QUALITY = 85;
const NAME_CHARS = 8;
/** Frames beyond them, or that do not answer in time, get no labels. */
const MAX_LABELLED_FRAMES = 10;
const FRAME_MS = 500;

export interface ScreenshotRequest {
  readonly ref?: string | undefined;
  readonly element?: string | undefined;
  readonly fullPage?: boolean | undefined;
  readonly type?: "png" | "jpeg" | undefined;
  readonly labels?: boolean | undefined;
}

export async function takeScreenshot(
  handle: PageHandle,
  request: ScreenshotRequest & { readonly time: WorkTime },
): Promise<PageImage> {
  const { time } = request;
  if (request.labels && (request.ref ?? request.element) !== undefined) throw labelsOfAll();
  // Labels are drawn on pixels, which only a PNG gives.
  const type = request.labels ? "png" : (request.type ?? "png");
  const labelled = request.labels ? await findLabels(handle, time) : undefined;
  const options = {
    type,
    ...(type === "jpeg" && { quality: JPEG_QUALITY }),
    scale: "css",
    // Hiding the cursor would change the page.
    caret: "initial",
    // 0 would be for ever.
    timeout: Math.max(time.leftMs(), 1),
  } as const;
  const target = await findTarget(handle, request);
  const plain = await time.call("the picture", () =>
    target
      ? target.screenshot(options)
      : handle.page.screenshot({ ...options, fullPage: request.fullPage === true && !labelled }),
  );
  const bytes = labelled ? await draw(plain, labelled.boxes) : plain;
  const path = await keep(handle, { bytes, ending: type });
  const mimeType = `image/${type}` as const;
  const labels = labelled && { labels: labelled.labels, labelsSkipped: labelled.skipped };
  return { bytes, mimeType, ...readImageSize(bytes), path, ...labels };
}

export async function printPage(
  handle: PageHandle,
  { path, time }: { readonly path?: string | undefined; readonly time: WorkTime },
): Promise<SavedFile> {
  const bytes = await time.call("the PDF", () => handle.page.pdf({ printBackground: true }));
  if (path === undefined) {
    return { path: await keep(handle, { bytes, ending: "pdf" }), bytes: bytes.length };
  }
  const roots = handle.folders.downloadRoots;
  const target = await resolveWritable({ path, roots, suggestedName: "page.pdf" });
  return saveFile({ path: target, roots, write: (partial) => writeFile(partial, bytes) });
}

function labelsOfAll(): ToolInputError {
  return new ToolInputError(
    "Labels are drawn on the whole window; leave out ref and element, or labels.",
    { reason: "labels_of_window" },
  );
}

async function findTarget(
  handle: PageHandle,
  { ref, element, time }: ScreenshotRequest & { readonly time: WorkTime },
): Promise<Locator | undefined> {
  if (ref !== undefined) return (await handle.elements.find(ref, "look", time.part())).locator;
  if (element === undefined) return undefined;
  const locator = handle.page.locator(`css=${element}`).first();
  // Playwright would wait for one to come.
  if ((await time.call("the page to answer", () => locator.count())) === 0) {
    throw selectorMissing(element);
  }
  return locator;
}

interface Labelled {
  readonly boxes: readonly LabelBox[];
  readonly labels: readonly { readonly number: number; readonly element: ListedElement }[];
  readonly skipped: number;
}

async function findLabels(handle: PageHandle, time: WorkTime): Promise<Labelled> {
  const { elements, page } = handle;
  const listing = await elements.list({}, time.part());
  const byRef = new Map(listing.elements.map((element) => [element.ref, element]));
  const boxes: LabelBox[] = [];
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
      const element = byRef.get(`e${ref}`);
      if (!element) continue;
      const number = labels.length + 1;
      labels.push({ number, element });
      boxes.push({ number, x: x + place.x, y: y + place.y, width, height });
    }
  }
  return { boxes, labels, skipped };
}

/** Where the content of a frame begins in the viewport; undefined when it is not to be seen. */
async function placeOf(
  frame: Frame,
  { handle, time }: { readonly handle: PageHandle; readonly time: WorkTime },
): Promise<{ readonly x: number; readonly y: number } | undefined> {
  if (frame === handle.page.mainFrame()) return { x: 0, y: 0 };
  const read = async () => (await frame.frameElement()).boundingBox();
  return (await time.call("the place of a frame", read).catch(() => undefined)) ?? undefined;
}

async function draw(picture: Buffer, boxes: readonly LabelBox[]): Promise<Buffer> {
  const pixels = await decodePng(picture);
  drawLabels(pixels, boxes);
  return encodePng(pixels);
}

async function keep(
  handle: PageHandle,
  { bytes, ending }: { readonly bytes: Uint8Array; readonly ending: string },
): Promise<string> {
  const { artifacts } = handle.folders;
  await mkdir(artifacts, { recursive: true });
  const name = `${handle.targetId}-${randomUUID().slice(0, NAME_CHARS)}.${ending}`;
  const path = join(artifacts, name);
  await writeFile(path, bytes, { flag: "wx" });
  return path;
}
