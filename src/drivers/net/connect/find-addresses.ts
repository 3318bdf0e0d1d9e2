// From a URL to the addresses that may be connected to: one lookup, every answer judged.

import { lazy } from "../../../lib/lazy.js";
import { parseAddress } from "../address/parse-address.js";
import { nameNotFound } from "../errors/failures.js";
import { addressRefused, hostRefused } from "../errors/refusals.js";
import { hostOf, isLoopbackName, matchesHost, readHostPatterns } from "../policy/host-names.js";
import { type AddressCase, judgeAddress } from "../policy/judge-address.js";
import type { AddressRules } from "../policy/rules.js";

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

/** All are judged; this many are tried. */
const MAX_TRIED_ADDRESSES = 8;

const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

/** All addresses of a name, as text. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

export interface FindRequest {
  readonly url: URL;
  readonly rules: AddressRules;
  readonly resolve: ResolveName;
}

interface Asked {
  readonly host: string;
  readonly isAllowed: boolean;
  readonly rules: AddressRules;
}

/**
 * Throws, or rejects with, `denied` when the host, or any one of its addresses, may not be reached.
 * What needs no lookup is given at once.
 */
export function findAddresses(
  request: FindRequest,
): readonly string[] | Promise<readonly string[]> {
  const { url, rules, resolve } = request;
  const host = hostOf(url);
  const { isAllowed } = judgeHost(host, rules);
  const answers = lookUp(host, resolve);
  const judge = (found: readonly string[]) => judgeAll(found, { host, isAllowed, rules });
  return answers instanceof Promise ? answers.then(judge) : judge(answers);
}

function judgeAll(answers: readonly string[], asked: Asked): readonly string[] {
  const { host } = asked;
  if (answers.length === 0) throw nameNotFound(host);
  const asCase = toCase(asked);
  for (const answer of answers) judgeAddress(answer, asCase);
  return answers.slice(0, MAX_TRIED_ADDRESSES);
}

function lookUp(host: string, resolve: ResolveName): Promise<readonly string[]> | string[] {
  if (parseAddress(host)) return [host];
  return isLoopbackName(host) ? LOOPBACK_ADDRESSES : resolve(host);
}

function toCase({ host, isAllowed, rules }: Asked): AddressCase {
  return { host, isAllowed, policy: rules.policy, policyKey: rules.key };
}

/** What can be said without a lookup, for a host that a proxy will look up. */
export function judgeUnresolved(url: URL, rules: AddressRules): void {
  const host = hostOf(url);
  const { isAllowed } = judgeHost(host, rules);
  if (parseAddress(host)) judgeAddress(host, toCase({ host, isAllowed, rules }));
}

/** Throws `denied`; answers whether the host was allowed by its name. */
function judgeHost(host: string, rules: AddressRules): { readonly isAllowed: boolean } {
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
