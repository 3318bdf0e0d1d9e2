// What makes the filtering proxy the only way out of a browser: arguments for one that we start, the
// proxy of an own context in one that runs already.

/** Chromium goes past a proxy for this machine unless it is told not to. */
const ALSO_LOOPBACK = "<-loopback>";

export interface FilterAddress {
  readonly host: string;
  readonly port: number;
}

export function listNetFlags({ host, port }: FilterAddress): readonly string[] {
  return [
    `--proxy-server=http://${host}:${port}`,
    `--proxy-bypass-list=${ALSO_LOOPBACK}`,
    // WebRTC sends packets without asking a proxy.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    // Names are the proxy's business: nothing that a page says reaches a resolver.
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
  ];
}

/** For `browser.newContext`. WebRTC and WebTransport go past it: see attached-guard.ts. */
export function toContextProxy({ host, port }: FilterAddress): {
  readonly server: string;
  readonly bypass: string;
} {
  return { server: `http://${host}:${port}`, bypass: ALSO_LOOPBACK };
}
