// Text as bytes of the older encodings, which Node can decode only: its decoder is asked for every
// pair of bytes once, and the answers are read the other way round.

const FIRST_LEAD = 0x81;
const LAST_LEAD = 0xfe;
const FIRST_TRAIL = 0x40;
const NOT_THERE = "\uFFFD";

const tables = new Map<string, Map<string, Buffer>>();

/** Throws for a character that the encoding has not. */
export function encodeAs(encoding: string, text: string): Buffer {
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  // For letters; Node's own decoder is wrong about the quotation marks and dashes at 0x80 to 0x9F.
  if (encoding === "windows-1252") return Buffer.from(text, "latin1");
  const table = tables.get(encoding) ?? createTable(encoding);
  tables.set(encoding, table);
  const bytes = [...text].map((character) => {
    const found = table.get(character);
    if (!found) throw new Error(`${encoding} has no ${character}`);
    return found;
  });
  return Buffer.concat(bytes);
}

function createTable(encoding: string): Map<string, Buffer> {
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(encoding);
  const note = (...bytes: number[]) => {
    const text = decoder.decode(Buffer.from(bytes));
    if ([...text].length === 1 && text !== NOT_THERE && !table.has(text)) {
      table.set(text, Buffer.from(bytes));
    }
  };
  for (let byte = 0; byte <= 0xff; byte++) note(byte);
  for (let lead = FIRST_LEAD; lead <= LAST_LEAD; lead++) {
    for (let trail = FIRST_TRAIL; trail <= LAST_LEAD; trail++) note(lead, trail);
  }
  return table;
}
