// Lists of origins by host and port: inside a tunnel nothing more can be seen, so the scheme only
// means its usual port, and a path could not be held.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { hostRefused } from "../errors/refusals.js";
import { type HostPattern, matchesHost, readHostPatterns } from "../policy/host-names.js";
import { showTarget, type Target } from "./target.js";

const ALLOWED_KEY = "browser.allowedOrigins";
const BLOCKED_KEY = "browser.blockedOrigins";
const ANY_PORT = "*";
const USUAL_PORTS = new Map([
  ["http", [80]],
  ["ws", [80]],
  ["https", [443]],
  ["wss", [443]],
]);
/** Without a scheme and without a port both usual ones are meant. */
const WEB_PORTS = [80, 443];
const MAX_PORT = 65_535;
const ORIGIN =
  /^(?:(?<scheme>https?|wss?):\/\/)?(?<host>\[[^\]]+\]|[^\s/:?#@]+)(?::(?<port>\d{1,5}|\*))?\/?$/i;

interface OriginPattern {
  readonly host: HostPattern;
  /** undefined: every port. */
  readonly ports: readonly number[] | undefined;
}

export interface OriginRules {
  /** undefined: every origin. */
  readonly allowed: readonly OriginPattern[] | undefined;
  readonly blocked: readonly OriginPattern[];
  /** Where the list of allowed ones is. */
  readonly allowedKey: string;
}

/** Throws `invalid_input` for an entry that is not an origin. */
export function readOriginRules(lists: {
  readonly allowed: readonly string[] | undefined;
  readonly blocked: readonly string[] | undefined;
  readonly allowedKey?: string | undefined;
}): OriginRules {
  const { allowedKey = ALLOWED_KEY } = lists;
  return {
    allowedKey,
    allowed: lists.allowed?.map((entry) => readOrigin(allowedKey, entry)),
    blocked: (lists.blocked ?? []).map((entry) => readOrigin(BLOCKED_KEY, entry)),
  };
}

/** Throws `denied`. */
export function judgeOrigin(target: Target, { allowed, blocked, allowedKey }: OriginRules): void {
  const host = showTarget(target);
  if (blocked.some((pattern) => matches(target, pattern))) {
    throw hostRefused({
      host,
      rule: `${BLOCKED_KEY} names it`,
      advice: `take it out of ${BLOCKED_KEY} to reach it`,
    });
  }
  if (allowed && !allowed.some((pattern) => matches(target, pattern))) {
    throw hostRefused({
      host,
      rule: `${allowedKey} does not name it`,
      advice: `add it to ${allowedKey} to reach it`,
    });
  }
}

function matches({ host, port }: Target, pattern: OriginPattern): boolean {
  return matchesHost(host, [pattern.host]) && (pattern.ports?.includes(port) ?? true);
}

function readOrigin(key: string, entry: string): OriginPattern {
  const { scheme, host: name, port } = ORIGIN.exec(entry)?.groups ?? {};
  const isPortFit = port === undefined || port === ANY_PORT || Number(port) <= MAX_PORT;
  const [host] = name === undefined || !isPortFit ? [] : readHostPatterns(key, [name]);
  if (host === undefined) throw originInvalid(key, entry);
  if (port === ANY_PORT) return { host, ports: undefined };
  if (port !== undefined) return { host, ports: [Number(port)] };
  return { host, ports: USUAL_PORTS.get(scheme?.toLowerCase() ?? "") ?? WEB_PORTS };
}

function originInvalid(key: string, entry: string): ToolInputError {
  return new ToolInputError(
    `${key}: "${toPrintable(entry)}" is not a valid origin; write one such as "https://example.com", "http://localhost:3000", "*.example.com" or "localhost:*", without a path.`,
    { reason: "ssrf_policy_invalid", details: { key } },
  );
}
