// Browser flags for the filtering proxy, and why a host was not reached.

import type { NetFilter } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { atMost } from "../session/within.js";

const FRESH_MS = 2_000;
/** Chromium bypasses a proxy for loopback by default. */
const ALSO_LOOPBACK = "<-loopback>";
/** Slower lookups are judged on the way. */
const MAX_JUDGE_MS = 1_000;
const TRAILING_DOTS = /\.+$/;

export interface NetDenial {
  readonly host: string;
  readonly port: number;
  readonly reason: string;
  readonly message: string;
  readonly atMs: number;
  readonly isFailure?: true;
}

/** The newest recent refusal of this host (a name or `name:port`). */
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

/** Without the first three, pages reach this machine or use UDP. */
export function listNetFlags({ host, port }: FilterAddress): readonly string[] {
  const filter = `http://${host}:${port}`;
  return [
    `--proxy-server=${filter}`,
    `--proxy-bypass-list=${ALSO_LOOPBACK}`,
    // WebRTC bypasses proxies. Older versions use the second name.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
    // The filter refuses the browser's own requests.
    `--gaia-url=${filter}`,
    `--component-updater=url-source=${filter}`,
    `--apps-gallery-update-url=${filter}/`,
  ];
}

/** WebRTC and WebTransport bypass it: see ATTACHED_GUARD. */
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

/** Throws `denied`. */
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
