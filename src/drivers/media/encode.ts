// A decoded picture as a file that fits: without loss where the original had none, else as JPEG,
// then with less quality, then with fewer pixels.

import type { OutputInfo, Sharp, SharpOptions } from "sharp";
import {
  abortError,
  type ImageFacts,
  type ImageLimits,
  type ShownImage,
  ToolError,
} from "../../core/index.js";
import { loadPackage } from "../../lib/system/load-package.js";

export const loadSharp = (): unknown => loadPackage("sharp");

export type OpenImage = (input: Uint8Array, options?: SharpOptions) => Sharp;

interface Picture {
  readonly data: Buffer;
  readonly info: Pick<OutputInfo, "width" | "height" | "channels">;
}

const JPEG_QUALITIES = [85, 70, 55, 40];
const SIDE_STEP = 0.75;
const MIN_SIDE = 100;
const LOSSLESS_TYPES = ["image/png", "image/gif", "image/tiff"];
const WHITE = "#ffffff";

export interface EncodeRequest {
  readonly open: OpenImage;
  readonly picture: Picture;
  readonly original: ImageFacts;
  readonly limits: ImageLimits;
  readonly signal: AbortSignal;
}

type Encoded = Omit<ShownImage, "original">;

export async function encodeWithin(request: EncodeRequest): Promise<Encoded> {
  const { picture, original, limits, signal } = request;
  const { width, height } = picture.info;
  const largest = Math.max(width, height);
  for (
    let side = largest;
    side >= Math.min(MIN_SIDE, largest);
    side = Math.floor(side * SIDE_STEP)
  ) {
    const fitting = await encodeAt(request, side);
    if (fitting) return fitting;
    if (signal.aborted) throw abortError(signal);
  }
  throw imageTooLarge(original, `no copy of it fits into ${limits.maxBytes} bytes`);
}

async function encodeAt(request: EncodeRequest, side: number): Promise<Encoded | undefined> {
  const { open, picture, original, limits } = request;
  const { width, height, channels } = picture.info;
  const scaled = () =>
    open(picture.data, { raw: { width, height, channels } }).resize({
      width: side,
      height: side,
      fit: "inside",
      withoutEnlargement: true,
    });
  const hasAlpha = channels === 2 || channels === 4;
  if (hasAlpha || LOSSLESS_TYPES.includes(original.mimeType)) {
    const { data, info } = await scaled().png().toBuffer({ resolveWithObject: true });
    if (data.length <= limits.maxBytes) return toEncoded({ data, info, mimeType: "image/png" });
  }
  for (const quality of JPEG_QUALITIES) {
    const { data, info } = await scaled()
      .flatten({ background: WHITE })
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true });
    if (data.length <= limits.maxBytes) return toEncoded({ data, info, mimeType: "image/jpeg" });
  }
  return undefined;
}

function toEncoded(encoded: {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number };
  readonly mimeType: string;
}): Encoded {
  const { data, info, mimeType } = encoded;
  return { bytes: data, mimeType, width: info.width, height: info.height };
}

export function openDecoder(load: () => unknown): OpenImage {
  try {
    // The package has no schema to read it with; its own types say what its main function is.
    return load() as OpenImage;
  } catch (error) {
    throw imagesUnavailable(error);
  }
}

function imagesUnavailable(cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    "Images cannot be decoded: the package sharp is not installed, or changed since the start. Run `npm install sharp` and restart.",
    { reason: "images_unavailable", cause },
  );
}

export function imageInvalid(cause?: unknown): ToolError {
  return new ToolError("failed", "The image is damaged, cut off, or of a kind that is not known.", {
    reason: "image_invalid",
    cause,
  });
}

export function imageTooLarge({ width, height }: ImageFacts, why: string): ToolError {
  return new ToolError("limit", `The image has ${width}x${height} pixels: ${why}.`, {
    reason: "image_too_large",
    details: { width, height },
  });
}

export function imageTimeout(cause: unknown): ToolError {
  return new ToolError("timeout", "The image took too long to decode; make a smaller copy.", {
    reason: "image_timeout",
    cause,
  });
}
