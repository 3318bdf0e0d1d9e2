// Whether an address may be connected to: public ones may, others only by a key that opens their kind.

import type { AddressPolicy } from "../../../core/index.js";
import { classifyAddress } from "../address/classify.js";
import { type AddressBytes, parseAddress, showIpv4 } from "../address/parse-address.js";
import type { AddressKind } from "../address/ranges.js";
import { isInterfaceAddress } from "../address/this-machine.js";
import { addressRefused } from "../errors/refusals.js";
import { isLoopbackName } from "./host-names.js";

type PolicyKey = keyof AddressPolicy;

/** The keys that open a kind, the narrowest first. What has none is never reached. */
const OPENERS = {
  loopback: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
  private: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
  shared: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
  "unique local": [
    "allowedHostnames",
    "allowIpv6UniqueLocalRange",
    "dangerouslyAllowPrivateNetwork",
  ],
  benchmark: ["allowedHostnames", "allowRfc2544BenchmarkRange", "dangerouslyAllowPrivateNetwork"],
  embedded: ["dangerouslyAllowPrivateNetwork"],
  "cloud metadata": [],
  unspecified: [],
  "link-local": [],
  multicast: [],
  documentation: [],
  reserved: [],
} as const satisfies Record<AddressKind, readonly PolicyKey[]>;

/** Services of this machine listen there too, so it counts as loopback. */
const OWN_INTERFACE = { kind: "loopback", name: "an address of this machine" } as const;

export interface AddressCase {
  /** The name or address that was asked for. */
  readonly host: string;
  /** `allowedHostnames` has the host. */
  readonly isAllowed: boolean;
  readonly policy: AddressPolicy;
  /** Where it is, for messages. */
  readonly policyKey: string;
}

/** Throws `denied`. */
export function judgeAddress(address: string, asked: AddressCase): void {
  const bytes = parseAddress(address);
  if (!bytes) {
    const { host, policyKey } = asked;
    throw addressRefused({ host, address, what: "cannot be judged", keys: [], policyKey });
  }
  judgeBytes({ bytes, address, asked });
}

function judgeBytes(request: {
  readonly bytes: AddressBytes;
  readonly address: string;
  readonly asked: AddressCase;
}): void {
  const { bytes, address, asked } = request;
  const { range, inner } = classifyAddress(bytes);
  const { host, policyKey } = asked;
  const own = isInterfaceAddress(bytes) ? [OWN_INTERFACE] : [];
  for (const { kind, name } of [...(range ? [range] : []), ...own]) {
    const keys = OPENERS[kind];
    if (keys.some((key) => opens({ key, kind, asked }))) continue;
    const what = `is ${kind} (${name})`;
    throw addressRefused({ host, address, what, keys, policyKey, hint: hintFor(kind) });
  }
  // What is inside an open range counts as itself: a tunnel to the metadata service stays closed.
  if (inner) judgeBytes({ bytes: inner, address: `${address} (${showIpv4(inner)})`, asked });
}

function opens(request: {
  readonly key: PolicyKey;
  readonly kind: AddressKind;
  readonly asked: AddressCase;
}): boolean {
  const { key, kind, asked } = request;
  if (key !== "allowedHostnames") return asked.policy[key] === true;
  return asked.isAllowed && (kind !== "loopback" || meansLoopback(asked.host));
}

/** Any name can be made to resolve to this machine; only its own names may. */
function meansLoopback(host: string): boolean {
  return isLoopbackName(host) || parseAddress(host) !== undefined;
}

function hintFor(kind: AddressKind): string | undefined {
  if (kind !== "loopback") return undefined;
  return "for loopback it takes localhost or the address itself, not another name";
}
