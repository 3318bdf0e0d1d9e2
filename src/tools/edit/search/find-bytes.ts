// Finds bytes in bytes in linear time, whatever both hold. The native search is the fastest but can
// be made to compare everything with everything; where that shows, the search of Knuth, Morris and Pratt takes over.

/** Up to this length the native search keeps tables of the whole needle and stays linear. */
const MAX_NATIVE_BYTES = 250;
/** Bytes compared in vain, as a multiple of what there is, before the search is changed. */
const MAX_VAIN_SHARE = 2;

/** The first place at or after `from`, -1 when there is none. */
export type FindNext = (from: number) => number;

export function createFinder(bytes: Buffer, needle: Buffer): FindNext {
  if (needle.length <= MAX_NATIVE_BYTES) return (from) => bytes.indexOf(needle, from);
  const head = needle.subarray(0, MAX_NATIVE_BYTES);
  let vainBytes = bytes.length * MAX_VAIN_SHARE;
  let search: FindNext | undefined;
  const isAt = (place: number) =>
    bytes.compare(needle, 0, needle.length, place, place + needle.length) === 0;
  return (from) => {
    let place = search ? -1 : bytes.indexOf(head, from);
    while (!search && place !== -1) {
      if (place + needle.length > bytes.length) return -1;
      if (isAt(place)) return place;
      vainBytes -= needle.length;
      if (vainBytes < 0) search = createLinearSearch(bytes, needle);
      else place = bytes.indexOf(head, place + 1);
    }
    return search ? search(Math.max(from, place)) : -1;
  };
}

export function createLinearSearch(bytes: Uint8Array, needle: Uint8Array): FindNext {
  /** For each prefix of the needle, how much of its beginning is also its end. */
  const borders = new Uint32Array(needle.length);
  const step = (length: number, byte: number | undefined): number => {
    let known = length;
    while (known > 0 && needle[known] !== byte) known = borders[known - 1] ?? 0;
    return needle[known] === byte ? known + 1 : 0;
  };
  for (let index = 1; index < needle.length; index++) {
    borders[index] = step(borders[index - 1] ?? 0, needle[index]);
  }
  return (from) => {
    let length = 0;
    for (let index = from; index < bytes.length; index++) {
      length = step(length, bytes[index]);
      if (length === needle.length) return index - length + 1;
    }
    return -1;
  };
}
