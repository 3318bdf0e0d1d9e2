// An IP address as bytes: 4 or 16 of them. What is spelled in any unusual way is not an address here.

import { isIP } from "node:net";

export type AddressBytes = readonly number[];

const GROUPS = 8;
const DOTTED_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** undefined for what is not an address, and for one with a zone, which only this machine understands. */
export function parseAddress(text: string): AddressBytes | undefined {
  if (text.includes("%")) return undefined;
  const version = isIP(text);
  if (version === 0) return undefined;
  return version === 4 ? parseIpv4(text) : parseIpv6(text);
}

/** Of 4 bytes, for messages. */
export function showIpv4(bytes: AddressBytes): string {
  return bytes.join(".");
}

function parseIpv4(text: string): AddressBytes {
  return text.split(".").map(Number);
}

function parseIpv6(text: string): AddressBytes {
  const [head = "", tail] = text.replace(DOTTED_TAIL, toGroups).split("::");
  const front = readGroups(head);
  const back = readGroups(tail ?? "");
  const zeros = tail === undefined ? 0 : GROUPS - front.length - back.length;
  const groups = [...front, ...Array.from({ length: zeros }, () => 0), ...back];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function toGroups(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function readGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
