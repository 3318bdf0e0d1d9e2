// Text from an array of UTF-16 units, in pieces, since a call takes only this many arguments.

const CHUNK_UNITS = 8_192;

export function textOfUnits(units: Uint16Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < units.length; start += CHUNK_UNITS) {
    const chunk = units.subarray(start, start + CHUNK_UNITS);
    chunks.push(Reflect.apply(String.fromCharCode, undefined, chunk));
  }
  return chunks.join("");
}
