// Browser flags for the filtering proxy, and why a host was not reached.

import type { FilterProblem, NetFilter } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { atMost } from "../session/within.js";

/** Chromium bypasses a proxy for loopback by default. */
const ALSO_LOOPBACK = "<-loopback>";
/** Slower lookups are judged on the way. */
const MAX_JUDGE_MS = 1_000;

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
  readonly filter: Pick<NetFilter, "judge" | "problemOf">;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly nowMs: number;
}

/** Throws `denied`. */
export async function judgeEarly(judgement: EarlyJudgement): Promise<void> {
  const { filter, url, signal, nowMs: sinceMs } = judgement;
  await atMost(MAX_JUDGE_MS, () => filter.judge(url, { signal }));
  const problem = filter.problemOf(url, { sinceMs });
  if (problem?.error.code === "denied") throw toDenied(problem);
}

export function toDenied({ error, host, port }: FilterProblem, more = ""): ToolError {
  const { message, reason } = error;
  return new ToolError("denied", `${message}${more}`, { reason, details: { host, port } });
}
