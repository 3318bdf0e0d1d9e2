// A proxy on loopback for the browsers of one policy: each request and each tunnel is judged by the
// rules of the network port, and connected to the addresses that were judged.

import type { NetFilter } from "../../../core/browser.js";
import type { AddressPolicy } from "../../../core/index.js";
import { type Dial, dialTcp } from "../connect/dial.js";
import type { ResolveName } from "../connect/find-addresses.js";
import { resolveBySystem } from "../connect/system-resolve.js";
import { readRules } from "../policy/rules.js";
import { createProxyChoice, type Environment, type ProxySettings } from "../proxy/choose-proxy.js";
import { createOwnerCheck, type IsOwnClient } from "./client-owner.js";
import { LOOPBACK, openDoor } from "./door.js";
import { createTargetJudge } from "./judge-target.js";
import { readOriginRules } from "./origin-rules.js";
import { createPassage } from "./passage.js";
import { createProblemLog } from "./problem-log.js";
import { readTarget } from "./target.js";

/** Pages may hold a connection open for long without a word. */
const DEFAULT_MAX_IDLE_MS = 15 * 60_000;

export interface FilterOptions {
  readonly policy?: AddressPolicy | undefined;
  /** Where the policy is, for messages. Default `tools.net.ssrfPolicy`. */
  readonly policyKey?: string | undefined;
  /** `https://example.com`, `http://localhost:3000`, `*.example.com`, `localhost:*`: by host and port. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Where they are, for messages. Default `browser.allowedOrigins`. */
  readonly allowedKey?: string | undefined;
  readonly blockedOrigins?: readonly string[] | undefined;
  /** Of this machine, next to the proxy's own and those by which browsers are driven. */
  readonly denyPorts?: readonly number[] | undefined;
  /** The proxy behind this one, as for the network port. */
  readonly proxy?: ProxySettings | undefined;
  readonly environment?: Environment | undefined;
  readonly resolve?: ResolveName | undefined;
  readonly dial?: Dial | undefined;
  /** Default 15 minutes. */
  readonly maxIdleMs?: number | undefined;
  /** Whose clients are served; by default those of the user of this process. */
  readonly isOwnClient?: IsOwnClient | undefined;
  /** A Unix socket to listen on instead of loopback; its folder says who may connect. */
  readonly socketPath?: string | undefined;
}

/** Rejects with `invalid_input` for a policy, an origin or a proxy that cannot be meant so. */
export async function createFilterProxy(options: FilterOptions = {}): Promise<NetFilter> {
  const { allowedOrigins: allowed, blockedOrigins: blocked, denyPorts = [] } = options;
  const refusedPorts = [...denyPorts];
  const log = createProblemLog(Date.now);
  const passage = createPassage({
    judge: createTargetJudge({
      rules: readRules(options.policy ?? {}, options.policyKey),
      origins: readOriginRules({ allowed, blocked, allowedKey: options.allowedKey }),
      resolve: options.resolve ?? resolveBySystem,
      chooseProxy: createProxyChoice(options.proxy ?? {}, options.environment ?? process.env),
      isPortRefused: (asked) => refusedPorts.includes(asked),
    }),
    dial: options.dial ?? dialTcp,
    log,
  });
  const { socketPath } = options;
  const isOwnClient =
    options.isOwnClient ?? (socketPath === undefined ? await createOwnerCheck() : async () => true);
  const door = await openDoor(passage, {
    isOwnClient,
    socketPath,
    maxIdleMs: options.maxIdleMs ?? DEFAULT_MAX_IDLE_MS,
  });
  refusedPorts.push(door.port);

  return {
    address: { host: LOOPBACK, port: door.port },
    problemOf(url, since) {
      const target = readTarget(url);
      return target && log.newestOf(target, since);
    },
    problems: log.list,
    counts: () => ({ ...passage.counts(), open: door.openClients() }),
    refusePort(refused) {
      refusedPorts.push(refused);
      return () => {
        const index = refusedPorts.indexOf(refused);
        if (index !== -1) refusedPorts.splice(index, 1);
      };
    },
    async judge(url, { signal }) {
      const target = readTarget(url);
      if (target) await passage.check(target, { signal });
    },
    async close() {
      passage.close();
      await door.close();
    },
  };
}
