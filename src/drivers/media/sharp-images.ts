// Pictures through sharp: judged by their headers, decoded within limits, and made smaller until they
// fit. How the copy is encoded is in encode.ts.

import {
  abortError,
  type ImageFacts,
  type ImageLimits,
  type ImageRequest,
  type Images,
  isToolError,
  type ShownImage,
} from "../../core/index.js";
import {
  encodeWithin,
  imageInvalid,
  imageTimeout,
  imageTooLarge,
  loadSharp,
  type OpenImage,
  openDecoder,
} from "./encode.js";

const TIMEOUT_SECONDS = 20;

/** sharp's names of what is decoded; everything else it knows (SVG, PDF …) is refused. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  tiff: "image/tiff",
  heif: "image/avif",
};

const SAMPLE_BYTES: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
/** What models take as it is. */
const SHOWN_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

interface Header extends ImageFacts {
  /** By EXIF, 1 to 8; 1 is upright. */
  readonly orientation: number;
  /** Memory of a pixel, in units of four bytes; 1 or more. */
  readonly weight: number;
  /** Eight bits a channel, no CMYK. */
  readonly isPlain: boolean;
}

export function createSharpImages(loadDecoder = loadSharp): Images {
  const open = openDecoder(loadDecoder);
  return {
    probe: (request) =>
      guard(request, async () => {
        const { mimeType, width, height, frames } = await readHeader(open, request.bytes);
        return { mimeType, width, height, frames };
      }),
    shrink: (request) => guard(request, () => shrink(open, request)),
  };
}

async function shrink(
  open: OpenImage,
  { bytes, limits, signal }: ImageRequest & { limits: ImageLimits },
): Promise<ShownImage> {
  const header = await readHeader(open, bytes);
  const { mimeType, width, height, frames } = header;
  const original = { mimeType, width, height, frames };
  if (width * height * header.weight > limits.maxPixels) {
    throw imageTooLarge(original, `at most ${limits.maxPixels} are decoded`);
  }
  const source = open(bytes, {
    failOn: "error",
    limitInputPixels: limits.maxPixels,
    sequentialRead: true,
  }).timeout({ seconds: TIMEOUT_SECONDS });
  if (canStay(header, { bytes, limits })) {
    // Decoded for nothing but to know that it can be: a damaged image is refused by every provider.
    await source.raw().toBuffer();
    return { bytes, mimeType, width, height, original };
  }
  const small = await source
    .autoOrient()
    .resize({
      width: limits.maxSide,
      height: limits.maxSide,
      fit: "inside",
      withoutEnlargement: true,
    })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (signal.aborted) throw abortError(signal);
  const shown = await encodeWithin({ open, picture: small, original, limits, signal });
  return { ...shown, original };
}

function canStay(
  { mimeType, width, height, frames, orientation, isPlain }: Header,
  { bytes, limits }: { bytes: Uint8Array; limits: ImageLimits },
): boolean {
  const isSmall = Math.max(width, height) <= limits.maxSide && bytes.length <= limits.maxBytes;
  return isSmall && isPlain && frames === 1 && orientation === 1 && SHOWN_TYPES.includes(mimeType);
}

async function readHeader(open: OpenImage, bytes: Uint8Array): Promise<Header> {
  // Only the header is read here; the limit on pixels is judged by the caller.
  const found = await open(bytes, { limitInputPixels: false }).metadata();
  const mimeType = MIME_TYPES[found.format];
  const isHeic = found.format === "heif" && found.compression !== "av1";
  if (mimeType === undefined || isHeic) throw imageInvalid();
  const { width, height } = found.autoOrient;
  const isPlain = found.depth === "uchar" && found.space !== "cmyk";
  const weight = Math.max(1, (found.channels * (SAMPLE_BYTES[found.depth] ?? 16)) / 4);
  const frames = found.pages ?? 1;
  return { mimeType, width, height, frames, orientation: found.orientation ?? 1, weight, isPlain };
}

/** The caller's abort ends the wait at once; the decoder itself ends by its own time limit. */
async function guard<T>({ signal }: ImageRequest, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw abortError(signal);
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortError(signal));
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work(), aborted]);
  } catch (error) {
    if (isToolError(error)) throw error;
    throw isTimeout(error) ? imageTimeout(error) : imageInvalid(error);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("timeout");
}
