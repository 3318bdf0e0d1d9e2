// Finds bytes in bytes in linear time, whatever both hold. The native search is the fastest but can
// be made to compare everything with everything; where that shows, the two-way search takes over.

import { createTwoWaySearch, type FindNext } from "./two-way.js";

/** Up to this length the native search keeps tables of the whole needle and stays linear. */
const MAX_NATIVE_BYTES = 250;
/** Bytes compared in vain, as a multiple of what there is, before the search is changed. */
const MAX_VAIN_SHARE = 2;

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
      if (vainBytes < 0) search = createTwoWaySearch(bytes, needle);
      else place = bytes.indexOf(head, place + 1);
    }
    return search ? search(Math.max(from, place)) : -1;
  };
}
