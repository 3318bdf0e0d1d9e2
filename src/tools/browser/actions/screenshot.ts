// `screenshot`: a picture small enough for a model; with `labels`, elements are numbered.

import type { BrowserPage, ListedElement, PageImage } from "../../../core/browser.js";
import {
  type ContentBlock,
  isToolError,
  type ToolInputError,
  type ToolResult,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type ActionCall, fromPage } from "../action-call.js";
import type { BrowserCall } from "../index.js";
import { MAX_IMAGE_BASE64_CHARS, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from "../limits.js";
import { invalid, readOptionalRef } from "../request/read-value.js";
import { describeRow, SHORT } from "../view/line.js";
import { toRows } from "../view/rows.js";

const MAX_PATH_CHARS = 4_096;
const MAX_SHOWN_PATH_CHARS = 200;
const ENDING = /\.([^./\\]*)$/;
const TYPES: Readonly<Record<string, "png" | "jpeg">> = { png: "png", jpg: "jpeg", jpeg: "jpeg" };
const LIMITS = {
  maxPixels: MAX_IMAGE_PIXELS,
  maxSide: MAX_IMAGE_SIDE,
  maxBytes: (MAX_IMAGE_BASE64_CHARS / 4) * 3,
} as const;

export async function screenshot(asked: ActionCall): Promise<ToolResult> {
  const page = await asked.browsers.page(asked.scope);
  const image = await takePicture(asked, page);
  const tab = await page.tab(asked.scope);
  const { blocks, notices } = await showPicture(asked.call, image);
  const media = `MEDIA:${toPrintable(image.path, MAX_PATH_CHARS)}`;
  const labels = image.labels ?? [];
  const legend = describeLabels(labels);
  const { width, height, mimeType, path } = image;
  const details = {
    ...{ ok: true, path, targetId: tab.targetId, url: tab.url, width, height, mimeType },
    ...labelFacts(image),
  };
  const rest = [...notices, ...tellSkipped(image)];
  if (legend === "") {
    return { content: [{ type: "text", text: media }, ...blocks], details, notices: rest };
  }
  // Page text is marked as untrusted; the file path is ours.
  return fromPage({ text: legend, tab, blocks, details, notices: [media, ...rest] });
}

async function takePicture(asked: ActionCall, page: BrowserPage): Promise<PageImage> {
  const { ref, element, fullPage, labels, path } = asked.call.params;
  const type = readType(asked.call.params);
  if (ref !== undefined && element !== undefined) throw clash("ref and element");
  if (fullPage && (ref !== undefined || element !== undefined)) {
    throw clash("fullPage and one element");
  }
  return page.screenshot({
    ...{ ...asked.scope, element, fullPage, type, labels, path },
    ref: readOptionalRef(ref, "ref"),
  });
}

export function labelFacts({ labels, labelsSkipped = 0 }: PageImage) {
  if (labels === undefined) return {};
  const annotations = labels.map(({ number, element }) => ({
    ...{ number, ref: element.ref, role: element.role, name: element.name },
  }));
  return { labels: true, labelsCount: labels.length, labelsSkipped, annotations };
}

export function tellSkipped({ labelsSkipped = 0 }: PageImage): string[] {
  if (labelsSkipped === 0) return [];
  return [`${labelsSkipped} more elements in view have no label; snapshot lists them.`];
}

function readType({ type, path = "" }: ActionCall["call"]["params"]): "png" | "jpeg" | undefined {
  const [, ending] = ENDING.exec(path) ?? [];
  if (ending === undefined) return type;
  const named = TYPES[ending.toLowerCase()];
  if (named !== undefined && (type ?? named) === named) return named === "jpeg" ? named : type;
  const wanted = type === "jpeg" ? ".jpg" : type === "png" ? ".png" : ".png or .jpg";
  throw invalid(
    `path must end in ${wanted}; received "${toPrintable(path, MAX_SHOWN_PATH_CHARS)}".`,
    { parameter: "path" },
  );
}

function clash(what: string): ToolInputError {
  return invalid(`A screenshot is of ${what} not at once; send one of them.`);
}

export async function showPicture(call: BrowserCall, image: PageImage) {
  const { bytes, width, height, mimeType } = image;
  try {
    const shown = await call.ctx.images?.shrink({ bytes, limits: LIMITS, signal: call.signal });
    if (shown !== undefined) {
      const scaled = shown.width !== shown.original.width;
      return {
        blocks: [toBlock(shown.bytes, shown.mimeType)],
        notices: scaled
          ? [`Shown at ${shown.width}x${shown.height} of ${width}x${height} pixels.`]
          : [],
      };
    }
  } catch (error) {
    if (!isToolError(error) || error.reason !== "images_unavailable") throw error;
  }
  if (Math.max(width, height) <= MAX_IMAGE_SIDE && bytes.length <= LIMITS.maxBytes) {
    return { blocks: [toBlock(bytes, mimeType)], notices: [] };
  }
  const why = `The picture (${width}x${height}, ${bytes.length} bytes) is too large to be shown, and nothing here can make it smaller; its file has it whole.`;
  return { blocks: [], notices: [why] };
}

function describeLabels(labels: NonNullable<PageImage["labels"]>): string {
  return labels.map(({ number, element }) => `[${number}] ${describe(element)}`).join("\n");
}

function describe(element: ListedElement): string {
  const [row] = toRows([{ ...element, depth: 0 }], { keep: "all" });
  return row === undefined ? element.role : describeRow(row, { limits: SHORT });
}

function toBlock(bytes: Uint8Array, mimeType: string): ContentBlock {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return { type: "image", data, mimeType };
}
