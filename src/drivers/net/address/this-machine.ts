// Whether an address leads to this machine: loopback, and what its interfaces are called.

import { networkInterfaces } from "node:os";
import { classifyAddress } from "./classify.js";
import { type AddressBytes, parseAddress } from "./parse-address.js";

const OWN_KINDS: readonly unknown[] = ["loopback", "unspecified"];

export function isThisMachine(address: string): boolean {
  const bytes = parseAddress(address);
  return bytes !== undefined && isOwn(bytes);
}

function isOwn(bytes: AddressBytes): boolean {
  const { range, inner } = classifyAddress(bytes);
  if (OWN_KINDS.includes(range?.kind)) return true;
  if (inner && isOwn(inner)) return true;
  return isInterfaceAddress(bytes);
}

export function isInterfaceAddress(bytes: AddressBytes): boolean {
  return listInterfaceAddresses().some((own) => own.join() === bytes.join());
}

/** Read each time: networks come and go. */
function listInterfaceAddresses(): readonly AddressBytes[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({ address }) => parseAddress(address))
    .filter((bytes) => bytes !== undefined);
}
