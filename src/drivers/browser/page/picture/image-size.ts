// Width and height of a PNG or JPEG file, read from its head.

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const PNG_HEAD_BYTES = 24;
const JPEG_START = 0xffd8;
/** Frames of every coding; the others in this range are tables. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];

/** Zeros for what is neither. */
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
