// What the policy refuses, with the rule and the key that would allow it.

import { type AddressPolicy, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

/** The end of the one key that is a list. */
const HOST_LIST = ".allowedHostnames";

export interface AddressRefusal {
  readonly host: string;
  /** Absent when the name itself is refused. */
  readonly address?: string;
  /** As in `"10.0.0.1" is private (10.0.0.0/8)`. */
  readonly what: string;
  readonly keys: readonly (keyof AddressPolicy)[];
  /** Where the policy is. */
  readonly policyKey: string;
  readonly hint?: string | undefined;
}

export function addressRefused(refusal: AddressRefusal): ToolError {
  const { host, address, what, policyKey } = refusal;
  const keys = refusal.keys.map((key) => `${policyKey}.${key}`);
  const isName = address !== undefined && address !== host;
  const subject = isName
    ? `${quote(host)} has the address ${toPrintable(address)}, which ${what}`
    : `${quote(host)} ${what}`;
  return new ToolError(
    "denied",
    `${subject}, so it is not reached; ${adviceFor(keys, refusal.hint)}.`,
    {
      reason: "address_refused",
      details: {
        host,
        ...(address === undefined ? {} : { address }),
        rule: what,
        allowKeys: keys,
      },
    },
  );
}

export function hostRefused(refusal: {
  readonly host: string;
  readonly rule: string;
  readonly advice: string;
}): ToolError {
  const { host, rule, advice } = refusal;
  return new ToolError("denied", `${quote(host)} is not reached: ${rule}; ${advice}.`, {
    reason: "host_refused",
    details: { host, rule },
  });
}

function adviceFor(keys: readonly string[], hint: string | undefined): string {
  const [first, ...others] = keys;
  if (first === undefined) return "no setting allows it";
  const rest = others.map((key) => ` or set ${key}`).join("");
  const how = first.endsWith(HOST_LIST) ? `add the host to ${first}` : `set ${first}`;
  const way = `${how}${rest}`;
  return `to allow it ${way}${hint === undefined ? "" : ` (${hint})`}`;
}

function quote(host: string): string {
  return `"${toPrintable(host)}"`;
}
