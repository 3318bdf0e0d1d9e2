// GB18030 both ways. The platform only decodes it, so the way back is learned by decoding every
// character there is.

const LINE_FEED = 0x0a;
const LEADS = { low: 0x81, high: 0xfe };
const TRAILS = { low: 0x40, high: 0xfe };
/** First bytes of four-byte characters of the basic plane; those of the others are counted out. */
const BASIC_PLANE = { low: 0x81, high: 0x84 };
const BASIC_POINTS = 0x10000;
/** The number, in the order of four-byte characters, of the first one beyond the basic plane. */
const FIRST_BEYOND = 189_000;
const FIRST_LEAD = 0x81;
const FIRST_DIGIT = 0x30;
const DIGIT_COUNT = 10;
const LEAD_COUNT = 126;

/** The bytes of a text; undefined when it holds a character that GB18030 does not. */
export type EncodeText = (text: string) => Buffer | undefined;

function decodeGb18030(bytes: Buffer): string {
  return new TextDecoder("gb18030", { ignoreBOM: true }).decode(bytes);
}

export function createGb18030Encoder(): EncodeText {
  const codes = learnCodes();
  return (text) => {
    const bytes = Buffer.allocUnsafe(text.length * 4);
    let length = 0;
    for (const character of text) {
      const point = character.codePointAt(0) ?? 0;
      const code = point < BASIC_POINTS ? (codes[point] ?? 0) : codeBeyond(point);
      if (code === 0 && point !== 0) return undefined;
      if (code < 0x100) bytes[length++] = code;
      else if (code < 0x10000) length = bytes.writeUInt16BE(code, length);
      else length = bytes.writeUInt32BE(code, length);
    }
    return bytes.subarray(0, length);
  };
}

/** By code point of the basic plane; 0 where there is none. Shorter codes are written last. */
function learnCodes(): Uint32Array {
  const codes = new Uint32Array(BASIC_POINTS);
  learn(codes, listFourByteCodes());
  learn(codes, listTwoByteCodes());
  for (let point = 0; point < 0x80; point++) codes[point] = point;
  return codes;
}

function learn(codes: Uint32Array, list: readonly number[]): void {
  const lines = Buffer.from(list.flatMap((code) => [...toBytes(code), LINE_FEED]));
  const characters = decodeGb18030(lines).split("\n");
  for (const [index, code] of list.entries()) {
    const character = characters[index] ?? "";
    const point = character.codePointAt(0) ?? BASIC_POINTS;
    if (character.length === 1 && character !== "\uFFFD") codes[point] = code;
  }
}

/** From the last to the first: of two codes for one character the first is the usual one. */
function listTwoByteCodes(): number[] {
  const list: number[] = [];
  for (let lead = LEADS.high; lead >= LEADS.low; lead--) {
    for (let trail = TRAILS.high; trail >= TRAILS.low; trail--) list.push((lead << 8) | trail);
  }
  return list;
}

function listFourByteCodes(): number[] {
  const list: number[] = [];
  const end = (BASIC_PLANE.high - BASIC_PLANE.low + 1) * DIGIT_COUNT * LEAD_COUNT * DIGIT_COUNT;
  for (let index = 0; index < end; index++) list.push(toFourByteCode(index));
  return list;
}

function codeBeyond(point: number): number {
  return toFourByteCode(point - BASIC_POINTS + FIRST_BEYOND);
}

/** Four-byte characters are numbered with digits of two kinds in turn: 126 leads, ten digits. */
function toFourByteCode(index: number): number {
  const fourth = FIRST_DIGIT + (index % DIGIT_COUNT);
  const rest = Math.floor(index / DIGIT_COUNT);
  const third = FIRST_LEAD + (rest % LEAD_COUNT);
  const upper = Math.floor(rest / LEAD_COUNT);
  const second = FIRST_DIGIT + (upper % DIGIT_COUNT);
  const first = FIRST_LEAD + Math.floor(upper / DIGIT_COUNT);
  return ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
}

function toBytes(code: number): number[] {
  if (code < 0x10000) return [code >>> 8, code & 0xff];
  return [code >>> 24, (code >>> 16) & 0xff, (code >>> 8) & 0xff, code & 0xff];
}
