// A picture of a page as content: small enough for a model, with the place of its file.

import type { ListedElement, PageImage, PageListing } from "../../../core/browser.js";
import { type ContentBlock, isToolError } from "../../../core/index.js";
import type { BrowserCall } from "../index.js";
import { MAX_IMAGE_BASE64_CHARS, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from "../limits.js";
import { describeRow, SHORT } from "../view/line.js";
import { placeOf } from "../view/place.js";
import { toRows } from "../view/rows.js";

const LIMITS = {
  maxPixels: MAX_IMAGE_PIXELS,
  maxSide: MAX_IMAGE_SIDE,
  maxBytes: (MAX_IMAGE_BASE64_CHARS / 4) * 3,
} as const;

export interface ShownPicture {
  /** Empty when it is too large and cannot be made smaller here. */
  readonly blocks: readonly ContentBlock[];
  readonly notices: readonly string[];
}

export async function showPicture(call: BrowserCall, image: PageImage): Promise<ShownPicture> {
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

type Labels = NonNullable<PageImage["labels"]>;

/** What the numbers in the picture stand for, one line each; `places` by their refs. */
export function describeLabels(labels: Labels, places: ReadonlyMap<string, string>): string {
  return labels
    .map(({ number, element }) => {
      const place = places.get(element.ref ?? "") ?? "";
      return `[${number}] ${describe(element, place)}`;
    })
    .join("\n");
}

/** Where those stand that have others of their name; the page is looked at only when there are any. */
export async function readPlaces(
  labels: Labels,
  list: () => Promise<Pick<PageListing, "elements">>,
): Promise<ReadonlyMap<string, string>> {
  const names = labels.map(({ element }) => nameKey(element));
  const duplicates = labels.filter((_, index) => names.indexOf(names[index] ?? "") !== index);
  if (duplicates.length === 0) return new Map();
  const duplicateNames = new Set(duplicates.map(({ element }) => nameKey(element)));
  const rows = toRows((await list()).elements, { keep: "plain" });
  return new Map(
    rows.flatMap(({ element }, position) =>
      element.ref !== undefined && duplicateNames.has(nameKey(element))
        ? [[element.ref, placeOf(rows, position)] as const]
        : [],
    ),
  );
}

function nameKey({ role, name }: ListedElement): string {
  return `${role} ${name}`;
}

function describe(element: ListedElement, place: string): string {
  const [row] = toRows([{ ...element, depth: 0 }], { keep: "all" });
  return row === undefined ? element.role : describeRow(row, { limits: SHORT, place });
}

function toBlock(bytes: Uint8Array, mimeType: string): ContentBlock {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return { type: "image", data, mimeType };
}
