// The filtering proxy as browsers and pages see it: the flags that make it the only way out, and why a
// host was not reached.

import type { NetFilter } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { atMost } from "../session/within.js";

const FRESH_MS = 2_000;
/** Chromium goes past a proxy for this machine unless it is reported not to. */
const ALSO_LOOPBACK = "<-loopback>";
/** Names that take longer to look up are judged on the way, as all others are once more. */
const MAX_JUDGE_MS = 1_000;
/** `localhost.` is `localhost`. */
const TRAILING_DOTS = /\.+$/;

export interface NetDenial {
  readonly host: string;
  readonly port: number;
  /** Of the port: `address_refused`, `host_refused` … */
  readonly reason: string;
  /** One sentence that names the rule and the key that would allow it. */
  readonly message: string;
  readonly atMs: number;
  readonly isFailure?: true;
}

/** The newest refusal of this host (a name or `name:port`), while it is fresh. */
export function findDenial(
  filter: Pick<NetFilter, "problems">,
  { host, nowMs }: { readonly host: string; readonly nowMs: number },
): NetDenial | undefined {
  const found = filter
    .problems()
    .findLast(
      (problem) =>
        problem.atMs >= nowMs - FRESH_MS && [problem.host, showPlace(problem)].includes(host),
    );
  if (found === undefined) return undefined;
  const { error, port, atMs } = found;
  return {
    ...{ host: found.host, port, atMs },
    reason: error.reason ?? "address_refused",
    message: error.message,
    ...(error.code === "denied" ? {} : { isFailure: true }),
  };
}

function showPlace({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

interface FilterAddress {
  readonly host: string;
  readonly port: number;
}

/** In the order of their weight: without the first three pages reach this machine, or others by packets. */
export function listNetFlags({ host, port }: FilterAddress): readonly string[] {
  const filter = `http://${host}:${port}`;
  return [
    `--proxy-server=${filter}`,
    `--proxy-bypass-list=${ALSO_LOOPBACK}`,
    // WebRTC sends packets without asking a proxy. Older ones know the argument by its second name.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Second walls: nothing was seen to go past the first ones without them.
    "--disable-quic",
    "--dns-prefetch-disable",
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
    // What the browser asks for on its own account goes to the filter itself, which refuses it.
    `--gaia-url=${filter}`,
    `--component-updater=url-source=${filter}`,
    `--apps-gallery-update-url=${filter}/`,
  ];
}

/** For `browser.newContext`. WebRTC and WebTransport go past it: see ATTACHED_GUARD. */
export function toContextProxy({ host, port }: FilterAddress): {
  readonly server: string;
  readonly bypass: string;
} {
  return { server: `http://${host}:${port}`, bypass: ALSO_LOOPBACK };
}

interface EarlyJudgement {
  readonly filter: Pick<NetFilter, "judge" | "problems">;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** Throws `denied` in the words of the policy. */
export async function judgeEarly({ filter, url, signal, nowMs }: EarlyJudgement): Promise<void> {
  const beganMs = nowMs();
  await atMost(MAX_JUDGE_MS, () => filter.judge(url, { signal }));
  const denial = findDenial(filter, { host: new URL(url).host, nowMs: nowMs() });
  if (denial === undefined || denial.isFailure || denial.atMs < beganMs) return;
  const { host, port, message, reason } = denial;
  throw new ToolError("denied", message, { reason, details: { host, port } });
}

export function hostOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === "https:" || protocol === "wss:" ? "443" : "80";
  return `${hostname.replace(TRAILING_DOTS, "")}:${port || usual}`;
}
