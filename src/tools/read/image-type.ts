// The images that models can look at, told by their first bytes and not by their names.

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const JPEG = Buffer.from("ffd8ff", "hex");
const GIF = /^GIF8[79]a/;
const WEBP = /^RIFF.{4}WEBP/s;
const HEAD_BYTES = 12;

/** undefined when it is none of them. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  if (startsWith(bytes, PNG)) return "image/png";
  if (startsWith(bytes, JPEG)) return "image/jpeg";
  const head = bytes.toString("latin1", 0, HEAD_BYTES);
  if (GIF.test(head)) return "image/gif";
  return WEBP.test(head) ? "image/webp" : undefined;
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}
