// An address policy as it is asked: read once, so that a slip in it is reported and never open.

import type { AddressPolicy } from "../../../core/index.js";
import { type HostPattern, readHostPatterns } from "./host-names.js";

const DEFAULT_POLICY_KEY = "tools.net.ssrfPolicy";

export interface AddressRules {
  /** Where the policy is, for messages. */
  readonly key: string;
  readonly policy: AddressPolicy;
  readonly allowed: readonly HostPattern[];
  readonly blocked: readonly HostPattern[];
  /** undefined: every host. */
  readonly only: readonly HostPattern[] | undefined;
}

/** Throws `invalid_input` for an entry that is not a host. */
export function readRules(policy: AddressPolicy, policyKey = DEFAULT_POLICY_KEY): AddressRules {
  const { allowedHostnames = [], blockedHostnames = [], hostnameAllowlist } = policy;
  const read = (key: keyof AddressPolicy, entries: readonly string[]) =>
    readHostPatterns(`${policyKey}.${key}`, entries);
  return {
    key: policyKey,
    policy,
    allowed: read("allowedHostnames", allowedHostnames),
    blocked: read("blockedHostnames", blockedHostnames),
    only: hostnameAllowlist && read("hostnameAllowlist", hostnameAllowlist),
  };
}

/** The same with hosts that a person configured elsewhere. */
export function alsoAllow(rules: AddressRules, hostnames: readonly string[]): AddressRules {
  if (hostnames.length === 0) return rules;
  const more = readHostPatterns("alsoAllowedHostnames", hostnames);
  return { ...rules, allowed: [...rules.allowed, ...more] };
}
