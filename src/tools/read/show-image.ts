// A picture as a result: small enough for a model, upright, with a note of what it was; or a
// sentence that says why it is not shown.

import {
  type ImageLimits,
  imageResult,
  isToolError,
  type ShownImage,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { ReadCall, ReadDetails } from "./index.js";
import {
  MAX_IMAGE_BASE64_CHARS,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_PIXELS,
  MAX_IMAGE_SIDE,
} from "./limits.js";
import type { ByteSource } from "./open-file.js";

const READINGS: Readonly<Record<string, Reading>> = {
  "image/png": {
    readSize: (bytes) =>
      bytes.length < 33 || bytes.includes("acTL")
        ? undefined
        : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
    isWhole: (bytes) => bytes.subarray(-8, -4).equals(Buffer.from("IEND")),
  },
  "image/gif": {
    readSize: (bytes) =>
      bytes.length < 13
        ? undefined
        : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) },
    isWhole: (bytes) => bytes.at(-1) === 0x3b,
  },
  "image/jpeg": {
    readSize: readJpegSize,
    isWhole: (bytes) => bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9,
  },
};

const LIMITS: ImageLimits = {
  maxPixels: MAX_IMAGE_PIXELS,
  maxSide: MAX_IMAGE_SIDE,
  maxBytes: (MAX_IMAGE_BASE64_CHARS / 4) * 3,
};

const DECODED_TYPES = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/heif",
  "image/tiff",
];

/** Why an image cannot be shown: reasons that are about the image, not about the call. */
const IMAGE_REASONS = ["image_invalid", "image_too_large", "image_timeout", "images_unavailable"];

interface ImageFile {
  readonly path: string;
  readonly mimeType: string;
  readonly source: ByteSource;
  readonly note: string;
  readonly details: Pick<ReadDetails, "requestedPath">;
}

export async function showImage(call: ReadCall, file: ImageFile): Promise<ToolResult<ReadDetails>> {
  const { mimeType, source } = file;
  if (!DECODED_TYPES.includes(mimeType)) {
    return nameImage(file, "this kind cannot be decoded here. Convert it to PNG and read that.");
  }
  if (source.size > MAX_IMAGE_BYTES) {
    return nameImage(
      file,
      `at most ${MAX_IMAGE_BYTES} bytes are decoded. Make a smaller copy and read that.`,
    );
  }
  // One byte more than allowed, so that a file that grew shows itself.
  const { bytes } = await source.read(0, MAX_IMAGE_BYTES + 1);
  const { images } = call.ctx;
  if (!images) return showPlain(file, { bytes, why: "this context has no image decoder." });
  try {
    const shown = await images.shrink({ bytes, limits: LIMITS, signal: call.signal });
    return showShrunk(file, { bytes, shown });
  } catch (error) {
    if (!isToolError(error) || !IMAGE_REASONS.includes(error.reason ?? "")) throw error;
    const why = error.message;
    return error.code === "unavailable" ? showPlain(file, { bytes, why }) : nameImage(file, why);
  }
}

function showShrunk(
  file: ImageFile,
  { bytes, shown }: { bytes: Buffer; shown: ShownImage },
): ToolResult<ReadDetails> {
  const { original, width, height } = shown;
  const isCopy = shown.bytes !== bytes;
  const isScaled = width !== original.width || height !== original.height;
  const notes = [
    describeSize({ ...original, totalBytes: bytes.length, file }),
    original.frames > 1 ? `The first of ${original.frames} frames is shown.` : "",
    isScaled ? describeScale(shown) : "",
    isCopy && !isScaled ? `Shown as a copy (${shown.mimeType}).` : "",
    file.note,
  ];
  return toResult(file, {
    image: { data: shown.bytes, mimeType: shown.mimeType },
    notes,
    details: {
      mimeType: original.mimeType,
      width: original.width,
      height: original.height,
      ...(original.frames > 1 ? { frames: original.frames } : {}),
      totalBytes: bytes.length,
      shown: { mimeType: shown.mimeType, width, height, bytes: shown.bytes.length },
    },
  });
}

function showPlain(
  file: ImageFile,
  { bytes, why }: { bytes: Buffer; why: string },
): ToolResult<ReadDetails> {
  const { mimeType } = file;
  const size = readPlainSize(bytes, mimeType);
  const isFitting =
    size !== undefined &&
    Math.max(size.width, size.height) <= MAX_IMAGE_SIDE &&
    bytes.length <= LIMITS.maxBytes;
  if (!isFitting) return nameImage(file, why);
  const facts = { mimeType, ...size, totalBytes: bytes.length };
  return toResult(file, {
    image: { data: bytes, mimeType },
    notes: [describeSize({ ...facts, file }), file.note],
    details: { ...facts, shown: { mimeType, ...size, bytes: bytes.length } },
  });
}

interface Shown {
  readonly image: { readonly data: Uint8Array; readonly mimeType: string };
  readonly notes: readonly string[];
  readonly details: Omit<Extract<ReadDetails, { kind: "image" }>, "path" | "kind" | "truncated">;
}

function toResult({ path, details }: ImageFile, shown: Shown): ToolResult<ReadDetails> {
  const { data, mimeType } = shown.image;
  const block = imageResult({
    label: "read",
    base64: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"),
    mimeType,
    extraText: shown.notes.filter((note) => note !== "").join(" "),
  });
  const facts = { path, ...details, kind: "image", ...shown.details, truncated: false } as const;
  return { ...block, details: facts };
}

function nameImage(file: ImageFile, why: string): ToolResult<ReadDetails> {
  const { path, mimeType, source, note } = file;
  const text = `${toPrintable(path)} is an image (${mimeType}, ${source.size} bytes) and is not shown: ${why}`;
  return textResult([text, note].filter((part) => part !== "").join(" "), {
    path,
    ...file.details,
    kind: "image",
    mimeType,
    totalBytes: source.size,
    truncated: true,
  });
}

function describeSize(image: {
  readonly file: ImageFile;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly totalBytes: number;
}): string {
  const { file, mimeType, width, height, totalBytes } = image;
  return `Image ${toPrintable(file.path)} (${mimeType}, ${width}x${height}, ${totalBytes} bytes).`;
}

function describeScale({ original, width, height, mimeType }: ShownImage): string {
  const factor = (original.width / width).toFixed(3).replace(/\.?0+$/, "");
  return `Shown at ${width}x${height} (${mimeType}); multiply coordinates by ${factor} for the original.`;
}

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

interface Reading {
  readSize(bytes: Buffer): PixelSize | undefined;
  isWhole(bytes: Buffer): boolean;
}

function readPlainSize(bytes: Buffer, mimeType: string): PixelSize | undefined {
  const reading = READINGS[mimeType];
  return reading?.isWhole(bytes) ? reading.readSize(bytes) : undefined;
}

/** Walks the segments to the frame header; EXIF may ask for a turn, and is left to a decoder. */
function readJpegSize(bytes: Buffer): PixelSize | undefined {
  let start = 2;
  while (start + 9 <= bytes.length && bytes[start] === 0xff) {
    const marker = bytes[start + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { height: bytes.readUInt16BE(start + 5), width: bytes.readUInt16BE(start + 7) };
    }
    if (marker === 0xe1) return undefined;
    start += 2 + bytes.readUInt16BE(start + 2);
  }
  return undefined;
}
