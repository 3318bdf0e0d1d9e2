// The parts of a ustar archive of plain files (POSIX.1-1988), made piece by piece.

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
const CHECKSUM_AT = 148;
const CHECKSUM_CHARS = 8;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
}

export function formatTarHeader({ name, size, mtimeMs, mode }: TarEntry): Uint8Array {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new RangeError(`"${name}" is too long for an archive.`);
  }
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, digits: number) =>
    `${Math.floor(value).toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(mtimeMs / 1_000, 11), 136);
  header.fill(" ", CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_CHARS);
  header.write("0", 156);
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT);
  return header;
}

export function tarPadding(size: number): Uint8Array {
  return Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

export function tarEnd(): Uint8Array {
  return Buffer.alloc(2 * BLOCK_BYTES);
}
