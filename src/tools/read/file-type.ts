// What a file is by its first bytes, whatever its name says. Text has no such bytes.

interface Form {
  readonly mimeType: string;
  /** Latin-1 text, each at its place. */
  readonly parts: readonly (readonly [at: number, bytes: string])[];
}

const form = (mimeType: string, ...parts: [at: number, bytes: string][]): Form => ({
  mimeType,
  parts,
});

/** The first that fits counts. */
const FORMS: readonly Form[] = [
  form("image/png", [0, "\x89PNG\r\n\x1a\n"]),
  form("image/jls", [0, "\xff\xd8\xff\xf7"]),
  form("image/jpeg", [0, "\xff\xd8\xff"]),
  form("image/gif", [0, "GIF87a"]),
  form("image/gif", [0, "GIF89a"]),
  form("image/webp", [0, "RIFF"], [8, "WEBP"]),
  form("image/avif", [4, "ftypavi"]),
  form("image/heic", [4, "ftyphei"]),
  form("image/heic", [4, "ftyphev"]),
  form("image/heif", [4, "ftypmif1"]),
  form("image/heif", [4, "ftypmsf1"]),
  form("image/tiff", [0, "II*\0"]),
  form("image/tiff", [0, "MM\0*"]),
  form("image/bmp", [0, "BM"], [6, "\0\0\0\0"]),
  form("image/x-icon", [0, "\0\0\x01\0"]),
  form("application/pdf", [0, "%PDF-"]),
  form("application/zip", [0, "PK\x03\x04"]),
  form("application/zip", [0, "PK\x05\x06"]),
  form("application/gzip", [0, "\x1f\x8b"]),
  form("application/x-bzip2", [0, "BZh"], [4, "1AY&SY"]),
  form("application/x-xz", [0, "\xfd7zXZ\0"]),
  form("application/zstd", [0, "\x28\xb5\x2f\xfd"]),
  form("application/x-7z-compressed", [0, "7z\xbc\xaf\x27\x1c"]),
  form("application/vnd.rar", [0, "Rar!\x1a\x07"]),
  form("application/x-tar", [257, "ustar"]),
  form("application/vnd.sqlite3", [0, "SQLite format 3\0"]),
  form("application/wasm", [0, "\0asm"]),
  form("application/x-elf", [0, "\x7fELF"]),
  form("application/x-mach-binary", [0, "\xcf\xfa\xed\xfe"]),
  form("application/x-mach-binary", [0, "\xca\xfe\xba\xbe\0\0\0\x02"]),
  form("application/java-vm", [0, "\xca\xfe\xba\xbe"]),
  form("application/vnd.microsoft.portable-executable", [0, "MZ"]),
  form("application/x-ole-storage", [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]),
  form("audio/wav", [0, "RIFF"], [8, "WAVE"]),
  form("video/x-msvideo", [0, "RIFF"], [8, "AVI "]),
  form("audio/mpeg", [0, "ID3"]),
  form("audio/flac", [0, "fLaC"]),
  form("application/ogg", [0, "OggS"]),
  form("video/webm", [0, "\x1a\x45\xdf\xa3"]),
  form("video/quicktime", [4, "ftypqt"]),
  form("audio/mp4", [4, "ftypM4A"]),
  form("video/mp4", [4, "ftyp"]),
  form("font/woff2", [0, "wOF2"]),
  form("font/woff", [0, "wOFF"]),
  form("font/otf", [0, "OTTO"]),
  form("font/ttf", [0, "\0\x01\0\0"]),
];

/** Where the last part of every form has ended. */
const HEAD_BYTES = 264;

/** A MIME type; undefined when the bytes are of no known kind. */
export function fileTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, HEAD_BYTES);
  return FORMS.find(({ parts }) => parts.every(([at, text]) => head.startsWith(text, at)))
    ?.mimeType;
}
