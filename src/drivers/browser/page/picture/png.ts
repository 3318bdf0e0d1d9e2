// Decodes and encodes PNG as Chromium writes it (8 bits, RGB or RGBA, not interlaced), and reads the
// size of PNG and JPEG.

import { promisify } from "node:util";
import { crc32, deflate, inflate } from "node:zlib";
import { ToolError } from "../../../../core/index.js";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };
const HEADER_BYTES = 13;
const UP = 2;
const LEVEL = 6;
const PNG_HEAD_BYTES = 24;
const JPEG_START = 0xffd8;
const NO_FRAME = [0xc4, 0xc8, 0xcc];

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Buffer;
}

/** Throws for a PNG of another kind. */
export async function decodePng(file: Uint8Array): Promise<Pixels> {
  const chunks = readChunks(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  const channels = CHANNELS[header?.[9] ?? -1];
  if (!header || !channels || header[8] !== 8 || header[12] !== 0) throw oddPicture();
  const packed = Buffer.concat(
    chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data),
  );
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const filtered = await promisify(inflate)(packed);
  return { width, height, channels, data: unfilter(filtered, { width, height, channels }) };
}

export async function encodePng({ width, height, channels, data }: Pixels): Promise<Buffer> {
  const stride = width * channels;
  const filtered = Buffer.alloc((stride + 1) * height);
  for (let row = 0; row < height; row += 1) {
    const to = row * (stride + 1);
    filtered[to] = UP;
    for (let at = 0; at < stride; at += 1) {
      const above = row === 0 ? 0 : (data[(row - 1) * stride + at] ?? 0);
      filtered[to + 1 + at] = ((data[row * stride + at] ?? 0) - above) & 0xff;
    }
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 4 ? 6 : 2, 0, 0, 0], 8);
  const packed = await promisify(deflate)(filtered, { level: LEVEL });
  const chunks = [
    toChunk("IHDR", header),
    toChunk("IDAT", packed),
    toChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function readChunks(file: Buffer): { readonly type: string; readonly data: Buffer }[] {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw oddPicture();
  const chunks = [];
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function toChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length, 0);
  sum.writeUInt32BE(crc32(named), 0);
  return Buffer.concat([length, named, sum]);
}

function unfilter(filtered: Buffer, { width, height, channels }: Omit<Pixels, "data">): Buffer {
  const stride = width * channels;
  const data = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1);
    const to = row * stride;
    const filter = filtered[from] ?? 0;
    for (let at = 0; at < stride; at += 1) {
      const left = at < channels ? 0 : (data[to + at - channels] ?? 0);
      const above = row === 0 ? 0 : (data[to - stride + at] ?? 0);
      const corner = row === 0 || at < channels ? 0 : (data[to - stride + at - channels] ?? 0);
      const added = predict(filter, { left, above, corner });
      data[to + at] = ((filtered[from + 1 + at] ?? 0) + added) & 0xff;
    }
  }
  return data;
}

/** https://www.w3.org/TR/png/#9Filters */
function predict(
  filter: number,
  { left, above, corner }: { left: number; above: number; corner: number },
): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === UP) return above;
  if (filter === 3) return (left + above) >> 1;
  const sum = left + above - corner;
  const [toLeft, toAbove, toCorner] = [
    Math.abs(sum - left),
    Math.abs(sum - above),
    Math.abs(sum - corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function oddPicture(): ToolError {
  return new ToolError("internal", "The browser gave a picture of a kind that cannot be drawn on.");
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export function readImageSize(file: Buffer): ImageSize {
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
