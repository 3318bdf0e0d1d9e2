// Where a connection may go: the ports of our own are kept, origins and hosts judged by name, all
// addresses of one lookup by the policy. What is given back is what is connected to.

import { isThisMachine } from "../address/this-machine.js";
import { findAddresses, judgeUnresolved, type ResolveName } from "../connect/find-addresses.js";
import type { Deadline } from "../deadline.js";
import { addressRefused, hostRefused } from "../errors/refusals.js";
import { toNetError } from "../errors/to-net-error.js";
import { isLoopbackName } from "../policy/host-names.js";
import type { AddressRules } from "../policy/rules.js";
import type { ChooseProxy } from "../proxy/choose-proxy.js";
import { judgeOrigin, type OriginRules } from "./origin-rules.js";
import type { Target } from "./target.js";

/** By these ports browsers are driven: who reaches one is master of a browser. */
const FIRST_DRIVING_PORT = 18_800;
const LAST_DRIVING_PORT = 18_899;

export type Route =
  | { readonly kind: "direct"; readonly addresses: readonly string[]; readonly port: number }
  | { readonly kind: "proxied"; readonly proxy: URL };

export interface JudgeParts {
  readonly rules: AddressRules;
  readonly origins: OriginRules;
  readonly resolve: ResolveName;
  readonly chooseProxy: ChooseProxy;
  /** Of this machine. */
  readonly isPortRefused: (port: number) => boolean;
}

export type JudgeTarget = (target: Target, deadline: Deadline) => Promise<Route>;

/** The judge rejects with the errors of the network port. */
export function createTargetJudge(parts: JudgeParts): JudgeTarget {
  const { rules, origins, resolve, chooseProxy } = parts;

  function assertPort(target: Target, addresses: readonly string[]): void {
    const { host, port } = target;
    const isDriving = port >= FIRST_DRIVING_PORT && port <= LAST_DRIVING_PORT;
    if (!isDriving && !parts.isPortRefused(port)) return;
    if (!isLoopbackName(host) && !addresses.some(isThisMachine)) return;
    const what = `leads to port ${port} of this machine, which belongs to clawtools`;
    throw addressRefused({ host, what, keys: [], policyKey: rules.key });
  }

  return async (target, deadline) => {
    const { url, host, port } = target;
    if (port === 0) {
      throw hostRefused({ host, rule: "port 0 is none", advice: "name another port" });
    }
    judgeOrigin(target, origins);
    const proxy = chooseProxy(url);
    if (proxy !== undefined) {
      judgeUnresolved(url, rules);
      assertPort(target, [host]);
      return { kind: "proxied", proxy: new URL(proxy) };
    }
    try {
      const addresses = await deadline.race(
        Promise.resolve(findAddresses({ url, rules, resolve })),
      );
      assertPort(target, addresses);
      return { kind: "direct", addresses, port };
    } catch (error) {
      throw toNetError(error, host);
    }
  };
}
