// Whether a host may be asked for at all, by its name alone.

import { lazy } from "../../../lib/lazy.js";
import { addressRefused, hostRefused } from "../errors/refusals.js";
import { isLoopbackName, matchesHost, readHostPatterns } from "./host-names.js";
import type { AddressRules } from "./rules.js";

const localNames = lazy(() =>
  readHostPatterns("local names", ["*.localdomain", "*.local", "*.internal"]),
);
/** By these names clouds hand out credentials; a proxy would look them up for us. */
const metadataNames = lazy(() =>
  readHostPatterns("metadata names", [
    "metadata.google.internal",
    "metadata.goog",
    "instance-data.ec2.internal",
  ]),
);

/** Throws `denied`; answers whether the host was allowed by its name. */
export function judgeHost(host: string, rules: AddressRules): { readonly isAllowed: boolean } {
  const { allowed, blocked, only, policy, key } = rules;
  if (matchesHost(host, blocked)) {
    throw hostRefused({
      host,
      rule: `${key}.blockedHostnames names it`,
      advice: `take it out of ${key}.blockedHostnames to reach it`,
    });
  }
  if (only && !matchesHost(host, only)) {
    throw hostRefused({
      host,
      rule: `${key}.hostnameAllowlist does not name it`,
      advice: `add it to ${key}.hostnameAllowlist to reach it`,
    });
  }
  if (matchesHost(host, metadataNames())) {
    throw addressRefused({
      host,
      what: "gives out credentials of a cloud",
      keys: [],
      policyKey: key,
    });
  }
  const isAllowed = matchesHost(host, allowed);
  const isOpen = isAllowed || policy.dangerouslyAllowPrivateNetwork === true;
  if (!isOpen && (matchesHost(host, localNames()) || isLoopbackName(host))) {
    throw addressRefused({
      host,
      what: "is a name of this machine or its network",
      keys: ["allowedHostnames", "dangerouslyAllowPrivateNetwork"],
      policyKey: key,
    });
  }
  return { isAllowed };
}
