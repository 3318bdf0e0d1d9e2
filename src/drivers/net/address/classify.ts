// Which range an address is in, and which IPv4 address it carries inside.

import type { AddressBytes } from "./parse-address.js";
import { type AddressRange, isWithin, listRanges } from "./ranges.js";

const SIX_TO_FOUR = "2002::/16";
const IPV6_BYTES = 16;
/** Bytes 8 to 11 of an address that tunnels IPv4 inside one site (RFC 5214); byte 8 may be 2. */
const ISATAP_MARK = [0x00, 0x5e, 0xfe];

export interface AddressClass {
  /** undefined: public. */
  readonly range: AddressRange | undefined;
  /** The IPv4 address by which an address with one inside is judged too. */
  readonly inner: AddressBytes | undefined;
}

export function classifyAddress(bytes: AddressBytes): AddressClass {
  const range = listRanges().find((candidate) => isWithin(bytes, candidate));
  return { range, inner: readInner(bytes, range) };
}

function readInner(bytes: AddressBytes, range: AddressRange | undefined): AddressBytes | undefined {
  if (range?.name === SIX_TO_FOUR) return bytes.slice(2, 6);
  if (range?.kind === "embedded" || isIsatap(bytes)) return bytes.slice(12);
  return undefined;
}

function isIsatap(bytes: AddressBytes): boolean {
  if (bytes.length !== IPV6_BYTES || (bytes[8] !== 0 && bytes[8] !== 2)) return false;
  return ISATAP_MARK.every((byte, index) => bytes[9 + index] === byte);
}
